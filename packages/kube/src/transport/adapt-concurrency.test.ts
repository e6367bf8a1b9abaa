import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { adaptConcurrency, nextPace, type Pace } from './adapt-concurrency.ts';
import type { KubeRequest, KubeResponse } from './types.ts';

const bounds = { least: 2, most: 32 };
const calm: Pace = { limit: 16, easyMs: 5, loweredAt: 0 };

describe('nextPace', () => {
  it.each([
    ['a quick answer raises it by a fraction', { overloaded: false, tookMs: 5, now: 10_000 }, 16 + 1 / 16],
    ['a refusal lowers it by a third', { overloaded: true, tookMs: 1, now: 10_000 }, (16 * 2) / 3],
    ['a very slow answer lowers it by a tenth', { overloaded: false, tookMs: 900, now: 10_000 }, 14.4],
    [
      'a slow answer that is no slower than half a second is nothing',
      { overloaded: false, tookMs: 400, now: 1 },
      16.0625,
    ],
    ['refusals of the same moment count once', { overloaded: true, tookMs: 1, now: 400 }, 16],
  ])('%s', (_, outcome, limit) => {
    expect(nextPace(calm, outcome, bounds).limit).toBeCloseTo(limit);
  });

  it('stays within its bounds whatever happens', () => {
    const outcome = fc.record({ overloaded: fc.boolean(), tookMs: fc.nat(5_000), now: fc.nat(1_000_000) });
    fc.assert(
      fc.property(fc.array(outcome), (outcomes) => {
        let pace: Pace = { limit: 32, easyMs: Number.MAX_SAFE_INTEGER, loweredAt: Number.NEGATIVE_INFINITY };
        for (const next of outcomes.sort((a, b) => a.now - b.now)) {
          pace = nextPace(pace, next, bounds);
          expect(pace.limit).toBeGreaterThanOrEqual(2);
          expect(pace.limit).toBeLessThanOrEqual(32);
        }
      }),
    );
  });
});

describe('adaptConcurrency', () => {
  const about = { verb: 'get', resource: 'things', object: 'things' };
  const call: KubeRequest = { method: 'GET', path: '/', mode: 'call', about };
  const answer = (status: number): KubeResponse => ({ status, headers: {}, body: new PassThrough().end() });

  /** A server whose answers the test gives one by one. */
  function setup(most: number) {
    const clock = createManualClock();
    const open: ((status: number) => void)[] = [];
    const send = adaptConcurrency({ least: 1, most, clock })(
      () => new Promise<KubeResponse>((resolve) => open.push((status) => resolve(answer(status)))),
    );
    return { clock, open, send };
  }

  it('lets no more in than it may, and the others in the order they came', async () => {
    const { open, send } = setup(2);
    const calls = [send(call), send(call), send(call)];
    await Promise.resolve();
    expect(open).toHaveLength(2);
    open[0]?.(200);
    await calls[0];
    await Promise.resolve();
    expect(open).toHaveLength(3);
  });

  it('lets fewer in after the server had enough', async () => {
    const { clock, open, send } = setup(3);
    await clock.advance(1_000);
    const calls = [1, 2, 3, 4, 5].map(() => send(call));
    await Promise.resolve();
    expect(open).toHaveLength(3);
    open[0]?.(429);
    await calls[0];
    await Promise.resolve();
    expect(open).toHaveLength(3);
    open[1]?.(200);
    await calls[1];
    await Promise.resolve();
    expect(open).toHaveLength(4);
  });

  it('does not hold up watches, nor anybody who gave up waiting', async () => {
    const { open, send } = setup(1);
    void send(call);
    const stop = new AbortController();
    const waiting = send({ ...call, signal: stop.signal });
    void send({ ...call, mode: 'stream' });
    await Promise.resolve();
    expect(open).toHaveLength(2);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
