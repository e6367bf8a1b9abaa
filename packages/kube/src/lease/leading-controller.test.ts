import { describe, expect, it } from 'vitest';
import { runController } from '../controller/run-controller.ts';
import { pause } from '../clock/clock.ts';
import { setup } from './election.fixture.ts';

/** Two replicas, each with a controller that writes every half second while it leads. */
function replicas() {
  const { clock, candidate } = setup();
  const writes: { by: string; at: number }[] = [];
  const replica = (identity: string) =>
    candidate(identity, {
      lead: (signal) => {
        const controller = runController({
          name: identity,
          clock,
          signal,
          sources: [{ start: async (enqueue) => enqueue('key') }],
          reconcile: async (_key, { signal: interrupted }) => {
            await pause(clock, 400, interrupted);
            interrupted.throwIfAborted();
            writes.push({ by: identity, at: clock.now() });
            return { requeueAfter: 100 };
          },
        });
        return controller.stopped;
      },
    });
  const timesOf = (identity: string) => writes.filter((write) => write.by === identity).map((write) => write.at);
  return { clock, replica, timesOf };
}

describe('a controller that runs while its process leads', () => {
  it('writes nothing any more when another takes over after a cut, and writes again when it leads again', async () => {
    const { clock, replica, timesOf } = replicas();
    const a = replica('a');
    await clock.advance(100);
    const b = replica('b');
    await clock.advance(10_000);
    a.fate.next = { lost: 'both' };
    await clock.advance(30_000);

    const lastOfA = Math.max(...timesOf('a'));
    const firstOfB = Math.min(...timesOf('b'));
    expect(lastOfA).toBeLessThanOrEqual(20_000);
    expect(firstOfB - lastOfA).toBeGreaterThanOrEqual(5_000);

    a.fate.next = undefined;
    b.stop.abort();
    await clock.advance(400);
    await b.election.stopped;
    const handedOverAt = clock.now();
    await clock.advance(10_000);
    expect(Math.max(...timesOf('b'))).toBeLessThanOrEqual(handedOverAt);
    expect(timesOf('a').filter((at) => at > handedOverAt).length).toBeGreaterThan(5);
  });

  it('ends its reconcile in good order on a stop, before the lease is released', async () => {
    const { clock, replica, timesOf } = replicas();
    const a = replica('a');
    await clock.advance(700);
    const b = replica('b');

    a.stop.abort();
    await clock.advance(10_000);
    await a.election.stopped;
    expect(timesOf('a')).toEqual([400, 900]);
    expect(Math.min(...timesOf('b'))).toBeGreaterThan(900);
    expect(b.election.isLeader()).toBe(true);
  });
});
