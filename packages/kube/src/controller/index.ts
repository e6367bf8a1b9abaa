export type { ControllerMetrics, ReconcileOutcome } from './metrics.ts';
export type { Reconcile, ReconcileContext, ReconcileResult } from './reconcile.ts';
export { type Controller, type ControllerOptions, runController } from './run-controller.ts';
export type { Enqueue, EnqueueOptions, Source } from './source.ts';
export { isTerminalError, TerminalError } from './terminal-error.ts';
