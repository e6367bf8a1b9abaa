import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pause } from '../clock/clock.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createWorkQueue, type WorkQueue } from './work-queue.ts';

const oldestEvery = 4;
const baseMs = 10;

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const priority = fc.integer({ min: -2, max: 2 });
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), key, priority }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('addAfter' as const), key, priority, ms: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retry' as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), key }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('done' as const), key }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 20 }) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

describe('work queue against a plain model', () => {
  it('hands out the same keys in the same order for any sequence of calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 80, size: 'max' }), async (commands) => {
        const clock = createManualClock();
        const queue = createWorkQueue({ name: 'model', clock, oldestEvery, random: () => 0, backoff: { baseMs } });
        const model = new Model();
        for (const step of commands) {
          const expected = model.perform(step);
          expect(await perform(queue, clock, step, model.isBusyBefore(step))).toBe(expected);
          expect(queue.state()).toMatchObject(model.counts());
        }
      }),
      { numRuns: 300 },
    );
  });
});

async function perform(
  queue: WorkQueue,
  clock: ReturnType<typeof createManualClock>,
  step: Command,
  isTaken: boolean,
): Promise<string | undefined> {
  if (step.do === 'add') queue.add(step.key, step);
  if (step.do === 'addAfter') queue.addAfter(step.key, step.ms, step);
  if (step.do === 'retry') queue.retry(step.key);
  if (step.do === 'forget') queue.forget(step.key);
  if (step.do === 'done' && isTaken) queue.done(step.key);
  if (step.do === 'advance') await clock.advance(step.ms);
  if (step.do !== 'take') return undefined;
  const stop = new AbortController();
  const taken = queue.take(stop.signal);
  stop.abort();
  return taken;
}

/** The contract of the queue, in plain arrays and without regard to speed. */
class Model {
  private now = 0;
  private sequence = 0;
  private takes = 0;
  private lastDoneWasTaken = false;
  private ready: { key: string; priority: number; sequence: number }[] = [];
  private delayed: { key: string; priority: number; at: number; sequence: number }[] = [];
  private readonly working = new Map<string, { priority: number; again?: number }>();
  private readonly failures = new Map<string, number>();

  perform(step: Command): string | undefined {
    if (step.do === 'add') this.add(step.key, step.priority);
    if (step.do === 'addAfter') this.addAfter(step.key, step.ms, step.priority);
    if (step.do === 'retry') this.retry(step.key);
    if (step.do === 'forget') this.failures.delete(step.key);
    if (step.do === 'done') this.done(step.key);
    if (step.do === 'advance') this.advance(step.ms);
    return step.do === 'take' ? this.take() : undefined;
  }

  /** Whether the key of the `done` just performed had been taken; calling done for another would throw. */
  isBusyBefore(step: Command): boolean {
    return step.do === 'done' && this.lastDoneWasTaken;
  }

  counts() {
    return { ready: this.ready.length, delayed: this.delayed.length, processing: this.working.size };
  }

  private add(key: string, priority: number): void {
    const delayed = this.delayed.find((entry) => entry.key === key);
    this.delayed = this.delayed.filter((entry) => entry !== delayed);
    this.makeReady(key, Math.max(priority, delayed?.priority ?? priority));
  }

  private makeReady(key: string, priority: number): void {
    const work = this.working.get(key);
    const ready = this.ready.find((entry) => entry.key === key);
    if (work) work.again = Math.max(priority, work.again ?? priority);
    else if (ready) ready.priority = Math.max(priority, ready.priority);
    else this.ready.push({ key, priority, sequence: this.sequence++ });
  }

  private addAfter(key: string, ms: number, priority: number): void {
    const isPendingNow = this.ready.some((entry) => entry.key === key) || this.working.get(key)?.again !== undefined;
    if (isPendingNow) return this.makeReady(key, priority);
    const at = this.now + ms;
    const known = this.delayed.find((entry) => entry.key === key);
    if (known) Object.assign(known, { at: Math.min(at, known.at), priority: Math.max(priority, known.priority) });
    else this.delayed.push({ key, priority, at, sequence: this.sequence++ });
  }

  private retry(key: string): void {
    const count = (this.failures.get(key) ?? 0) + 1;
    this.failures.set(key, count);
    this.addAfter(key, baseMs * 2 ** (count - 1), this.working.get(key)?.priority ?? 0);
  }

  private take(): string | undefined {
    if (this.ready.length === 0) return undefined;
    this.takes += 1;
    const isTurnOfOldest = this.takes % oldestEvery === 0;
    const ordered = this.ready.toSorted(
      (a, b) => (isTurnOfOldest ? 0 : b.priority - a.priority) || a.sequence - b.sequence,
    );
    const [first] = ordered;
    if (!first) return undefined;
    this.ready = this.ready.filter((entry) => entry !== first);
    this.working.set(first.key, { priority: first.priority });
    return first.key;
  }

  private done(key: string): void {
    const work = this.working.get(key);
    this.lastDoneWasTaken = work !== undefined;
    this.working.delete(key);
    if (work?.again !== undefined) this.makeReady(key, work.again);
  }

  private advance(ms: number): void {
    this.now += ms;
    const due = this.delayed.filter((entry) => entry.at <= this.now);
    for (const entry of due.toSorted((a, b) => a.at - b.at || a.sequence - b.sequence))
      this.add(entry.key, entry.priority);
  }
}

const arrival = fc.record({
  key,
  priority,
  at: fc.integer({ min: 0, max: 200 }),
  delay: fc.integer({ min: 0, max: 50 }),
});

describe('work queue with several workers', () => {
  it('never works on a key twice at a time and never loses an add', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arrival, { maxLength: 40, size: 'max' }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 10 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }),
        async (arrivals, workers, durations, failing) => {
          const clock = createManualClock();
          const queue = createWorkQueue({ name: 'workers', clock, backoff: { baseMs, capMs: 100 } });
          const busy = new Set<string>();
          const started: { key: string; at: number }[] = [];
          for (const { key, priority, at, delay } of arrivals) {
            clock.after(at, () => queue.addAfter(key, delay, { priority }));
          }

          const crew = Array.from({ length: workers }, async () => {
            for (let taken = await queue.take(); taken !== undefined; taken = await queue.take()) {
              expect(busy).not.toContain(taken);
              busy.add(taken);
              const turn = started.push({ key: taken, at: clock.now() });
              await pause(clock, durations[turn % durations.length] ?? 0);
              // Only a few failures, so that the run comes to an end.
              if (failing[turn % failing.length] && queue.failures(taken) < 3) queue.retry(taken);
              busy.delete(taken);
              queue.done(taken);
            }
          });
          await clock.advance(60_000);

          for (const { key, at } of arrivals) {
            expect(started.some((start) => start.key === key && start.at >= at)).toBe(true);
          }
          expect(queue.state()).toMatchObject({ ready: 0, delayed: 0, processing: 0 });
          await queue.shutdown();
          await Promise.all(crew);
        },
      ),
      { numRuns: 100 },
    );
  });
});
