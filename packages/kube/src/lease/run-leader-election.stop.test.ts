import { describe, expect, it } from 'vitest';
import { KubeError } from '../errors/kube-error.ts';
import { setup } from './election.fixture.ts';

describe('stopping', () => {
  it('ends the work first and then releases the lease, so that another leads at its next try', async () => {
    const { clock, candidate, lease } = setup();
    const order: string[] = [];
    const a = candidate('a', {
      lead: async (signal) => {
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve, { once: true });
        });
        await new Promise<void>((resolve) => {
          clock.after(3_000, resolve);
        });
        order.push(`work ended while the holder is "${lease()?.spec?.holderIdentity}"`);
      },
    });
    await clock.advance(10_000);
    const b = candidate('b');
    a.stop.abort(new Error('SIGTERM'));

    await clock.advance(3_000);
    await a.election.stopped;
    expect(order).toEqual(['work ended while the holder is "a"']);
    expect(lease()?.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
    await clock.advance(2_000);
    expect(b.election.isLeader()).toBe(true);
    expect(lease()?.spec?.leaseTransitions).toBe(1);
  });

  it('keeps renewing while the work ends, so that its last writes are covered', async () => {
    const { clock, candidate, lease } = setup();
    const a = candidate('a', { lead: () => new Promise(() => {}), graceMs: 9_000 });
    await clock.advance(0);

    a.stop.abort();
    await clock.advance(8_000);
    expect(lease()?.spec?.renewTime).toBe('2026-01-01T00:00:08.000000Z');
    expect(a.election.isLeader()).toBe(true);
  });

  it('does not release while the work goes on beyond the grace', async () => {
    const { clock, candidate, lease } = setup();
    const a = candidate('a', { lead: () => new Promise(() => {}), graceMs: 5_000 });
    await clock.advance(0);

    a.stop.abort();
    await clock.advance(5_000);
    await a.election.stopped;
    expect(lease()?.spec?.holderIdentity).toBe('a');
    expect(a.election.isLeader()).toBe(false);
    expect(clock.timers).toBe(0);
  });

  it('stops within ten seconds even when the server no longer answers', async () => {
    const { clock, candidate } = setup();
    const a = candidate('a', { lead: () => new Promise(() => {}) });
    const b = candidate('b');
    await clock.advance(0);
    for (const one of [a, b]) {
      one.fate.next = { lost: 'both' };
      one.stop.abort();
    }

    await clock.advance(10_000);
    await Promise.all([a.election.stopped, b.election.stopped]);
    expect(clock.timers).toBe(0);
  });

  it('releases a lease it took in the moment of the stop, without leading', async () => {
    const { clock, candidate, lease } = setup();
    const a = candidate('a', {}, { backMs: 100 });
    await clock.advance(150);

    a.stop.abort();
    await clock.advance(200);
    await a.election.stopped;
    expect(a.terms).toHaveLength(0);
    expect(lease()?.spec?.holderIdentity).toBe('');
  });

  it('leaves the lease alone when it does not hold it', async () => {
    const { clock, candidate, server } = setup();
    candidate('a');
    await clock.advance(0);
    const b = candidate('b');
    await clock.advance(1_000);
    const writes = server.log.length;

    b.stop.abort();
    await b.election.stopped;
    expect(server.log.length).toBe(writes);
  });

  it('finds out what it holds when the last answer was lost, and releases that', async () => {
    const { clock, candidate, lease } = setup();
    const a = candidate('a');
    await clock.advance(0);
    a.fate.next = { lost: 'answer' };
    await clock.advance(2_000);
    a.fate.next = undefined;

    a.stop.abort();
    await a.election.stopped;
    expect(lease()?.spec?.holderIdentity).toBe('');
  });
});

describe('work that ends by itself', () => {
  it('gives up the lease and ends the election', async () => {
    const { clock, candidate, lease } = setup();
    const a = candidate('a');
    await clock.advance(3_000);

    a.terms[0]?.end();
    await a.election.stopped;
    expect(lease()?.spec?.holderIdentity).toBe('');
    expect(a.reports.at(-1)).toBe('not leading');
    expect(clock.timers).toBe(0);
  });

  it('passes on its error after the lease was released', async () => {
    const { candidate, lease } = setup();
    const failure = new Error('cannot start');
    const a = candidate('a', { lead: () => Promise.reject(failure) });

    await expect(a.election.stopped).rejects.toBe(failure);
    expect(lease()?.spec?.holderIdentity).toBe('');
  });

  it('does not pass on an error that comes of being told to end', async () => {
    const { clock, candidate } = setup();
    const a = candidate('a', {
      lead: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new KubeError('KUBE_ABORTED', 'cut off')), { once: true });
        }),
    });
    await clock.advance(0);

    a.stop.abort();
    await a.election.stopped;
    expect(a.lines).toContain('work of the leader ended badly');
  });
});
