import type { Clock } from '../clock/clock.ts';
import { type Scope, scope } from '../scope/scope.ts';
import type { Reconcile, ReconcileContext, ReconcileResult } from './reconcile.ts';
import { isTerminalError } from './terminal-error.ts';

/** How one call of a reconcile ended. */
export type Verdict =
  | { readonly outcome: 'success' }
  | { readonly outcome: 'requeue'; readonly afterMs: number }
  | { readonly outcome: 'error' | 'terminal' | 'timeout' | 'interrupted'; readonly error: Error };

/** One call of a reconcile, under way. */
export interface Attempt {
  /** Resolves when the reconcile has ended, however late; never rejects. */
  readonly ended: Promise<Verdict>;
  /** Resolves when the reconcile has been aborted and was then given enough time to end; may never come. */
  readonly isOverdue: Promise<void>;
  /** Tells the reconcile to end because the controller stops. */
  interrupt(reason: unknown): void;
}

export interface AttemptOptions {
  readonly clock: Clock;
  /** Milliseconds after which the reconcile is aborted. */
  readonly timeoutMs?: number;
  /** Milliseconds an aborted reconcile may take to end. */
  readonly patienceMs: number;
}

/** Calls the reconcile and contains whatever it does: throws at once or later, throws anything, or does not end. */
export function startAttempt<K extends string>(
  reconcile: Reconcile<K>,
  key: K,
  context: Omit<ReconcileContext, 'signal'>,
  { clock, timeoutMs, patienceMs }: AttemptOptions,
): Attempt {
  let abortedBy: 'timeout' | 'interrupted' | undefined;
  let cancelPatience: (() => void) | undefined;
  let overdue: () => void = () => {};
  const isOverdue = new Promise<void>((resolve) => {
    overdue = resolve;
  });

  /** Most reconciles find that all is well and ask nobody anything; they need none. */
  let life: Scope | undefined;
  const end = (by: 'timeout' | 'interrupted', reason: unknown) => {
    if (abortedBy !== undefined) return;
    abortedBy = by;
    cancelPatience = clock.after(patienceMs, overdue);
    life ??= scope();
    life.end(reason);
  };
  const cancelTimeout =
    timeoutMs === undefined
      ? undefined
      : clock.after(timeoutMs, () => end('timeout', new Error(`the reconcile took longer than ${timeoutMs} ms`)));
  return { ended: settle(), isOverdue, interrupt: (reason) => end('interrupted', reason) };

  function contextOf(): ReconcileContext {
    return {
      ...context,
      get signal() {
        life ??= scope();
        return life.signal;
      },
    };
  }

  async function settle(): Promise<Verdict> {
    try {
      return accept(await reconcile(key, contextOf()));
    } catch (thrown) {
      return refuse(thrown, abortedBy);
    } finally {
      cancelTimeout?.();
      cancelPatience?.();
    }
  }
}

function accept(result: ReconcileResult | void): Verdict {
  if (!result) return { outcome: 'success' };
  const { requeueAfter } = result;
  if (Number.isFinite(requeueAfter) && requeueAfter > 0) return { outcome: 'requeue', afterMs: requeueAfter };
  const error = new TypeError(`the reconcile asked to be called again after ${requeueAfter} ms; it must be positive`);
  return { outcome: 'error', error };
}

function refuse(thrown: unknown, abortedBy: 'timeout' | 'interrupted' | undefined): Verdict {
  const error =
    thrown instanceof Error ? thrown : new Error('the reconcile threw a value that is no Error', { cause: thrown });
  if (isTerminalError(thrown)) return { outcome: 'terminal', error };
  return { outcome: abortedBy ?? 'error', error };
}
