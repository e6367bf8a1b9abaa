import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../clock/clock.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { type Fate, createLeaseServer } from './lease.fixture.ts';
import { type LeaderElection, runLeaderElection } from './run-leader-election.ts';
import type { LeaderTerm } from './term.ts';

const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ thereMs: fc.nat(50), backMs: fc.nat(50) }) },
  { weight: 3, arbitrary: fc.record({ thereMs: fc.nat(20_000), backMs: fc.nat(20_000) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      thereMs: fc.nat(12_000),
      backMs: fc.nat(12_000),
      lost: fc.constantFrom('request' as const, 'answer' as const, 'both' as const),
    }),
  },
);
const candidate = fc.record({
  fates: fc.array(fate, { minLength: 1, maxLength: 40, size: 'max' }),
  clockOffsetMs: fc.integer({ min: -86_400_000, max: 86_400_000 }),
  clockRate: fc.double({ min: 0.9, max: 1.1, noNaN: true }),
  startsAtMs: fc.nat(30_000),
  /** Stops and comes back under the same identity. */
  restartsAtMs: fc.option(fc.nat(150_000), { nil: undefined }),
  workEndsAfterMs: fc.nat(8_000),
});
const faultyMs = 180_000;

describe('two or three candidates with bad connections and wrong clocks', () => {
  it('never lead at the same time, and one leads once the connections are good', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(candidate, { minLength: 2, maxLength: 3 }),
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 10 }),
        async (candidates, chances) => {
          const clock = createManualClock();
          const server = createLeaseServer(clock);
          const leading = new Map<LeaderTerm, { identity: string; signal: AbortSignal }>();
          const overlaps: string[] = [];
          const elections: { stop: AbortController; election: LeaderElection }[] = [];
          let draws = 0;

          candidates.forEach((plan, index) => {
            const identity = `candidate-${index}`;
            let requests = 0;
            const client = server.client(() =>
              clock.now() < faultyMs ? plan.fates[requests++ % plan.fates.length] : undefined,
            );
            const run = () => {
              const stop = new AbortController();
              const election = runLeaderElection({
                client,
                lease: { name: 'lease', namespace: 'ns' },
                identity,
                signal: stop.signal,
                clock: otherClock(clock, plan.clockOffsetMs, plan.clockRate),
                random: () => chances[draws++ % chances.length] ?? 0,
                lead: async (signal, term) => {
                  for (const [other, { identity: name, signal: theirs }] of leading) {
                    const mayWrite = !theirs.aborted || other.isCurrent();
                    if (mayWrite && other !== term) overlaps.push(`${identity} began at ${clock.now()} beside ${name}`);
                  }
                  leading.set(term, { identity, signal });
                  await new Promise((resolve) => {
                    signal.addEventListener('abort', resolve, { once: true });
                  });
                  await new Promise<void>((resolve) => {
                    clock.after(plan.workEndsAfterMs, resolve);
                  });
                  leading.delete(term);
                },
              });
              elections.push({ stop, election });
              return stop;
            };
            clock.after(plan.startsAtMs, () => {
              const stop = run();
              const { restartsAtMs } = plan;
              if (restartsAtMs === undefined) return;
              clock.after(restartsAtMs, () => stop.abort());
              // A process that does not stop in time is killed before its successor starts.
              clock.after(restartsAtMs + 15_000, run);
            });
          });

          await clock.advance(faultyMs + 60_000);
          expect(overlaps).toEqual([]);
          expect(elections.filter(({ election }) => election.isLeader())).toHaveLength(1);
          for (const { stop } of elections) stop.abort();
          await clock.advance(12_000);
          await Promise.all(elections.map(({ election }) => election.stopped));
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** A clock that shows another time and runs a little faster or slower. */
function otherClock(clock: Clock, offsetMs: number, rate: number): Clock {
  return {
    now: () => offsetMs + clock.now() * rate,
    date: () => new Date(clock.date().getTime() + offsetMs + clock.now() * (rate - 1)),
    after: (ms, callback) => clock.after(ms / rate, callback),
  };
}
