import { describe, expect, it } from 'vitest';
import { decideProbe } from './decide-probe.ts';
import type { ResourceQuota } from './resource-quota.ts';

const seconds = 1_000;
const probe = (hard: Readonly<Record<string, string>>, used?: Readonly<Record<string, string>>): ResourceQuota => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'klutch-countable-types', namespace: 'bind' },
  spec: { hard },
  ...(used ? { status: { hard, used } } : {}),
});
const low = '99999998';
const high = '99999999';

describe('the probe for types that are counted', () => {
  it('is made with all names', () => {
    expect(decideProbe({ names: ['a', 'b'], waitedMs: 0 })).toEqual({
      countable: new Set(),
      hard: { a: low, b: low },
      againMs: 10 * seconds,
      isUnattended: false,
    });
  });

  it('is left alone once all are counted', () => {
    const seen = probe({ a: low, b: high }, { a: '0', b: '7' });

    expect(decideProbe({ names: ['a', 'b'], probe: seen, waitedMs: 0, writtenMs: 1 })).toEqual({
      countable: new Set(['a', 'b']),
      isUnattended: false,
    });
  });

  it.each([
    ['changes the limits of the others every ten seconds', 10 * seconds, 10 * seconds, { a: low, b: high }],
    ['waits in between', 10 * seconds, 4 * seconds, undefined],
    ['asks less often for what is not there for long', 200 * seconds, 100 * seconds, undefined],
    ['still asks for it', 600 * seconds, 300 * seconds, { a: low, b: high }],
  ])('%s', (_, waitedMs, writtenMs, hard) => {
    const decision = decideProbe({
      names: ['a', 'b'],
      probe: probe({ a: low, b: low }, { a: '0' }),
      waitedMs,
      writtenMs,
    });

    expect([decision.hard, decision.countable]).toEqual([hard, new Set(['a'])]);
    expect(decision.againMs).toBeGreaterThanOrEqual(10 * seconds);
  });

  it('turns back and forth', () => {
    const decision = decideProbe({ names: ['a'], probe: probe({ a: high }, {}), waitedMs: 0 });

    expect(decision.hard).toEqual({ a: low });
  });

  it('forgets what nobody asks for any more, at once', () => {
    const seen = probe({ a: low, b: low }, { a: '0', b: '0' });

    expect(decideProbe({ names: ['a'], probe: seen, waitedMs: 0, writtenMs: 1 })).toMatchObject({
      hard: { a: low, b: null },
      countable: new Set(['a']),
    });
  });

  it.each([
    ['a minute without an answer', probe({ a: low }), 60 * seconds, true],
    ['less than that', probe({ a: low }), 59 * seconds, false],
    ['an answer about other types', probe({ a: low, b: low }, { b: '1' }), 600 * seconds, false],
  ])('says whether anybody counts: %s', (_, seen, waitedMs, isUnattended) => {
    expect(decideProbe({ names: ['a', 'b'], probe: seen, waitedMs }).isUnattended).toBe(isUnattended);
  });
});
