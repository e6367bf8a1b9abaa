import { createManualClock } from '@klutch/kube/testing';
import fc from 'fast-check';
import { CompactEncrypt } from 'jose';
import { describe, expect, it } from 'vitest';
import { createSealer, type Purpose } from './sealer.ts';

const key = new Uint8Array(32).fill(7);

describe('a sealed ticket', () => {
  it('gives back what was put in, in any replica with the same key', async () => {
    const clock = createManualClock();
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (raw) => {
        const content = JSON.parse(JSON.stringify(raw)) as object;
        const ticket = await createSealer(() => [key], clock).seal('state', content, 60);
        const opened = await createSealer(() => [key], clock).open('state', ticket);
        expect(JSON.stringify(opened?.content)).toBe(JSON.stringify(content));
      }),
      { numRuns: 30 },
    );
  });

  it('shows nothing of its content, differs every time, and has an id of its own', async () => {
    const sealer = createSealer(() => [key], createManualClock());
    const [one, other] = [
      await sealer.seal('code', { user: 'alice' }, 60),
      await sealer.seal('code', { user: 'alice' }, 60),
    ];

    expect(one).not.toBe(other);
    for (const part of one.split('.')) expect(Buffer.from(part, 'base64url').toString('latin1')).not.toContain('alice');
    expect((await sealer.open('code', one))?.id).not.toBe((await sealer.open('code', other))?.id);
  });

  it('is over when its time is', async () => {
    const clock = createManualClock();
    const sealer = createSealer(() => [key], clock);
    const ticket = await sealer.seal('session', {}, 60);

    expect((await sealer.open('session', ticket))?.expiresAt).toEqual(new Date(clock.date().getTime() + 60_000));
    clock.jump(59_999);
    expect(await sealer.open('session', ticket)).toBeDefined();
    clock.jump(1);
    expect(await sealer.open('session', ticket)).toBeUndefined();
  });

  it('is good for its purpose alone', async () => {
    const sealer = createSealer(() => [key], createManualClock());
    const purposes: readonly Purpose[] = ['state', 'session', 'code', 'device', 'enrolment'];
    for (const purpose of purposes) {
      const ticket = await sealer.seal(purpose, {}, 60);
      for (const other of purposes) expect((await sealer.open(other, ticket)) !== undefined).toBe(other === purpose);
    }
  });

  it('is none with another key, altered anywhere, or made up', async () => {
    const sealer = createSealer(() => [key], createManualClock());
    const ticket = await sealer.seal('state', { port: 1 }, 60);

    expect(
      await createSealer(() => [new Uint8Array(32).fill(8)], createManualClock()).open('state', ticket),
    ).toBeUndefined();
    for (let at = 0; at < ticket.length; at += 1) {
      const altered = `${ticket.slice(0, at)}${ticket[at] === 'A' ? 'Q' : 'A'}${ticket.slice(at + 1)}`;
      const opened = await sealer.open('state', altered);
      // The last digit of a part may hold bits that do not count.
      expect(opened === undefined || JSON.stringify(opened.content) === '{"port":1}').toBe(true);
    }
    for (const text of ['', '.', '....', 'x.y.z', ticket.slice(0, -4), `${ticket}AAAA`]) {
      expect(await sealer.open('state', text)).toBeUndefined();
    }
  });

  it('is none when it was sealed with the right key for something else', async () => {
    const sealer = createSealer(() => [key], createManualClock());
    const foreign = await new CompactEncrypt(new TextEncoder().encode('{}'))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(sealer.derive('ticket/state'));

    expect(await sealer.open('state', foreign)).toBeUndefined();
  });

  it('packs what is alike', async () => {
    const groups = Array.from({ length: 100 }, (_, index) => `["group","https://issuer.example","team-${index}"]`);

    const ticket = await createSealer(() => [key], createManualClock()).seal('session', { groups }, 60);

    expect(ticket.length).toBeLessThan(1_500);
  });

  it('is opened by a new key and the one before it, and by the new one alone no more', async () => {
    const other = new Uint8Array(32).fill(8);
    const clock = createManualClock();
    let keys: readonly Uint8Array[] = [key];
    const sealer = createSealer(() => keys, clock);
    const before = await sealer.seal('session', { user: 'alice' }, 60);
    const proof = sealer.derive('form');

    keys = [other, key];
    const opened = await sealer.open<{ user: string }>('session', before);
    expect(opened?.content).toEqual({ user: 'alice' });
    expect(sealer.derive('form', opened)).toEqual(proof);
    expect(sealer.derive('form')).not.toEqual(proof);
    const after = await sealer.seal('session', { user: 'bob' }, 60);

    keys = [other];
    expect(await sealer.open('session', before)).toBeUndefined();
    expect(await sealer.open('session', after)).toBeDefined();
    expect(await createSealer(() => [key], clock).open('session', after)).toBeUndefined();
  });
});
