import type { Clock } from '../clock/clock.ts';
import { onAbort } from '../scope/on-abort.ts';
import type { LeaderTerm, Term } from './term.ts';

/** How the leader's work came to its end. */
export type WorkEnd =
  | { readonly how: 'by itself' | 'when told'; readonly error?: unknown }
  | { readonly how: 'not within the grace' };

/**
 * Does the leader's work during a term. When `stop` aborts, the work is told to end and waited for as long as `graceMs`;
 * after a loss it is waited for without limit, because a second round beside the first would be worse. Never rejects.
 */
export async function doLeaderWork(
  lead: (signal: AbortSignal, term: LeaderTerm) => Promise<void>,
  term: Term,
  { stop, graceMs, clock }: { readonly stop: AbortSignal; readonly graceMs: number; readonly clock: Clock },
): Promise<WorkEnd> {
  let cancelGrace: (() => void) | undefined;
  let leave = () => {};
  const overrun = new Promise<WorkEnd>((resolve) => {
    leave = onAbort(stop, () => {
      term.stop(stop.reason);
      cancelGrace = clock.after(graceMs, () => resolve({ how: 'not within the grace' }));
    });
  });
  try {
    return await Promise.race([work(), overrun]);
  } finally {
    leave();
    cancelGrace?.();
  }

  async function work(): Promise<WorkEnd> {
    try {
      await lead(term.signal, term);
      return { how: howEnded() };
    } catch (error) {
      return { how: howEnded(), error };
    }
  }

  function howEnded(): 'by itself' | 'when told' {
    return term.signal.aborted ? 'when told' : 'by itself';
  }
}
