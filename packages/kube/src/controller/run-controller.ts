import { randomUUID } from 'node:crypto';
import { KubeError, isKubeError } from '../errors/kube-error.ts';
import { type Logger, silentLogger, withFields } from '../log/logger.ts';
import type { Backoff } from '../backoff/backoff.ts';
import { type Clock, systemClock } from '../clock/clock.ts';
import { onAbort } from '../scope/on-abort.ts';
import { scope } from '../scope/scope.ts';
import { unlessAborted } from '../scope/unless-aborted.ts';
import type { QueueMetrics } from '../queue/metrics.ts';
import { type WorkQueue, createWorkQueue } from '../queue/work-queue.ts';
import { type Attempt, type Verdict, startAttempt } from './attempt.ts';
import type { ControllerMetrics } from './metrics.ts';
import type { Reconcile } from './reconcile.ts';
import type { Enqueue, EnqueueOptions, Source } from './source.ts';

export interface ControllerOptions<K extends string = string> {
  /** Tells controllers apart in logs and metrics. */
  readonly name: string;
  readonly reconcile: Reconcile<K>;
  /** Where keys come from. No reconcile starts before all of them are ready. */
  readonly sources?: readonly Source<K>[];
  /** Reconciles running at a time, each for a different key. Default 1. */
  readonly workers?: number;
  /** The queue to use, which the controller shuts down at its end. Default: a new one. */
  readonly queue?: WorkQueue<K>;
  /** Waits between failures of a key, for the default queue. */
  readonly backoff?: Backoff;
  /** Lanes that take turns, for the default queue; see `WorkQueueOptions`. */
  readonly laneOf?: (key: K) => string;
  /**
   * Milliseconds after which a reconcile is aborted and counts as failed. One that does not end even then keeps its key
   * but no longer its worker. Default: no limit.
   */
  readonly timeoutMs?: number;
  /** Milliseconds that running reconciles may go on undisturbed after the stop. Default 6 s. */
  readonly graceMs?: number;
  /** Milliseconds that an aborted reconcile may take to end before it is left behind. Default 2 s. */
  readonly patienceMs?: number;
  /**
   * Ends the controller: no key is taken any more, running reconciles get the grace, are then aborted, and are left
   * behind when they ignore that. Aborting with reason `KUBE_LEADERSHIP_LOST` skips the grace: writers must stop now.
   */
  readonly signal: AbortSignal;
  readonly log?: Logger;
  readonly metrics?: ControllerMetrics & QueueMetrics;
  readonly clock?: Clock;
}

export interface Controller<K extends string = string> {
  /** Resolves when all sources are ready and the workers run; rejects when the controller ends before. */
  readonly ready: Promise<void>;
  /** Resolves when the controller has ended; rejects when a source could not start. */
  readonly stopped: Promise<void>;
  /** Asks for a look at a key, as a source would. */
  readonly enqueue: Enqueue<K>;
}

/** Runs `reconcile` for every key its sources enqueue, until the signal aborts. */
export function runController<K extends string = string>(options: ControllerOptions<K>): Controller<K> {
  const { name, reconcile, sources = [], workers = 1, signal, metrics, clock = systemClock } = options;
  const { graceMs = 6_000, patienceMs = 2_000, timeoutMs } = options;
  const queue =
    options.queue ?? createWorkQueue<K>({ name, backoff: options.backoff, laneOf: options.laneOf, clock, metrics });
  const log = withFields(options.log ?? silentLogger, { controller: name });
  const running = new Set<Attempt>();
  const life = scope(signal);
  let cancelGrace: (() => void) | undefined;

  const ready = prepare();
  // Whoever awaits only `stopped` learns of a failed start there.
  ready.catch(() => {});
  return { ready, stopped: run(), enqueue };

  function enqueue(key: K, { priority, afterMs = 0 }: EnqueueOptions = {}): void {
    queue.addAfter(key, afterMs, { priority });
  }

  async function prepare(): Promise<void> {
    if (!signal.aborted) {
      const started = Promise.all(sources.map(async (source) => source.start(enqueue, life.signal)));
      await unlessAborted(started, life.signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
    if (signal.aborted) throw new KubeError('KUBE_ABORTED', `controller "${name}" was stopped before it was ready`);
    log.info({ workers }, 'controller ready');
  }

  async function run(): Promise<void> {
    onAbort(life.signal, stop);
    try {
      await ready;
      await Promise.all(Array.from({ length: workers }, work));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      life.end();
      cancelGrace?.();
    }
    log.info({ leftBehind: running.size }, 'controller stopped');
  }

  function stop(): void {
    // Nobody waits for the queue to become idle: a reconcile that never ends would hold up the stop.
    void queue.shutdown();
    if (isKubeError(life.signal.reason, 'KUBE_LEADERSHIP_LOST')) interruptAll();
    else cancelGrace = clock.after(graceMs, interruptAll);
  }

  function interruptAll(): void {
    for (const attempt of running) attempt.interrupt(life.signal.reason);
  }

  async function work(): Promise<void> {
    for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
      // Handed over in the moment of the stop: nothing new begins.
      if (life.isOver) queue.done(key);
      else await reconcileOnce(key);
    }
  }

  async function reconcileOnce(key: K): Promise<void> {
    const reconcileId = randomUUID();
    const attemptNumber = queue.failures(key) + 1;
    const attemptLog = withFields(log, { key, reconcileId });
    const startedAt = clock.now();
    metrics?.reconcileStarted(name);
    const context = { log: attemptLog, reconcileId, attempt: attemptNumber };
    const attempt = startAttempt(reconcile, key, context, { clock, timeoutMs, patienceMs });
    running.add(attempt);
    const concluded = attempt.ended.then((verdict) => {
      running.delete(attempt);
      metrics?.reconcileEnded(name, verdict.outcome, (clock.now() - startedAt) / 1000);
      report(attemptLog, verdict, attemptNumber);
      follow(key, verdict);
    });
    await Promise.race([concluded, attempt.isOverdue]);
    if (running.has(attempt)) attemptLog.error({}, 'reconcile ignores its signal and is left behind');
  }

  function follow(key: K, verdict: Verdict): void {
    if (verdict.outcome === 'error' || verdict.outcome === 'timeout') queue.retry(key);
    else queue.forget(key);
    if (verdict.outcome === 'requeue') queue.addAfter(key, verdict.afterMs);
    queue.done(key);
  }
}

function report(log: Logger, verdict: Verdict, attempt: number): void {
  switch (verdict.outcome) {
    case 'success':
    case 'requeue':
      return log.debug({ attempt, outcome: verdict.outcome }, 'reconciled');
    case 'interrupted':
      return log.info({ attempt, err: verdict.error }, 'reconcile interrupted by the stop');
    case 'terminal':
      return log.error({ attempt, err: verdict.error }, 'reconcile failed for good');
    case 'timeout':
      return log.error({ attempt, err: verdict.error }, 'reconcile took too long, will be tried again');
    case 'error':
      return log[isRoutine(verdict.error) ? 'debug' : 'error'](
        { attempt, err: verdict.error },
        'reconcile failed, will be tried again',
      );
  }
}

/** A conflict says that the cache was a moment behind; the retry reads newer state. */
function isRoutine(error: Error): boolean {
  return isKubeError(error, 'KUBE_CONFLICT');
}
