/** How a reconcile ended. */
export type ReconcileOutcome = 'success' | 'requeue' | 'error' | 'terminal' | 'timeout' | 'interrupted';

/** Where a controller reports to. Controllers are told apart by name only. */
export interface ControllerMetrics {
  reconcileStarted(controller: string): void;
  reconcileEnded(controller: string, outcome: ReconcileOutcome, seconds: number): void;
}
