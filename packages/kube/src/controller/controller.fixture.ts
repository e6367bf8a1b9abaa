import { vi } from 'vitest';
import type { Logger } from '../log/logger.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import type { ReconcileContext } from './reconcile.ts';
import { type ControllerOptions, runController } from './run-controller.ts';

/** A line written to the log of the controller under test. */
interface Line {
  readonly level: string;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** Starts a controller on a manual clock and records its log and its outcomes. */
export function setup(options: Partial<ControllerOptions> & Pick<ControllerOptions, 'reconcile'>) {
  const clock = createManualClock();
  const stop = new AbortController();
  const lines: Line[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields: fields as Record<string, unknown>, message });
  const log: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const outcomes: string[] = [];
  const metrics = {
    queueOpened: () => () => {},
    queueAdded: () => {},
    queueRetried: () => {},
    queueWaited: () => {},
    queueWorked: () => {},
    reconcileStarted: () => {},
    reconcileEnded: (controller: string, outcome: string) => void outcomes.push(`${controller} ${outcome}`),
  };
  const controller = runController({
    name: 'test',
    backoff: { baseMs: 100, jitter: 0 },
    clock,
    log,
    metrics,
    signal: stop.signal,
    ...options,
  });
  const isStopped = vi.fn();
  controller.stopped.then(isStopped, isStopped);
  return { clock, stop, lines, outcomes, controller, isStopped };
}

/** A reconcile that records its calls and ends when the test says so. */
export function heldReconcile() {
  const calls: { key: string; context: ReconcileContext; finish: () => void; fail: (error: unknown) => void }[] = [];
  const reconcile = (key: string, context: ReconcileContext) =>
    new Promise<void>((resolve, reject) => {
      calls.push({ key, context, finish: resolve, fail: reject });
    });
  return { calls, reconcile };
}

/** Rejects when the signal aborts, as a well-behaved reconcile does. */
export const abortable = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
