import { KubeError } from '../errors/kube-error.ts';
import { scope } from '../scope/scope.ts';
import type { Clock } from '../clock/clock.ts';

/** One period of leadership, as the leader's work sees it. */
export interface LeaderTerm {
  /** Whether this process may still write as the leader, by the clock and not by when a timer fires. */
  isCurrent(): boolean;
  /** Aborts when it no longer may, with reason `KUBE_LEADERSHIP_LOST`; not on an orderly stop. */
  readonly lost: AbortSignal;
}

/** One period of leadership, as the election sees it. */
export interface Term extends LeaderTerm {
  /** Aborts when the leader's work must end: on loss and on stop. */
  readonly signal: AbortSignal;
  /** A renewal succeeded whose request was sent at that moment. */
  renewed(sentAt: Moment): void;
  /** Milliseconds since the last successful renewal was sent. */
  sinceRenewalMs(): number;
  /** Ends the leader's work in good order; the term stays current. */
  stop(reason: unknown): void;
  /** Ends the term. The first call counts. */
  lose(why: string): void;
  /** Stops its timer. */
  close(): void;
}

/** A point in time on both clocks. */
export interface Moment {
  readonly now: number;
  readonly wall: number;
}

/** This moment. Take it before a request is sent: others see the renewal at the earliest then. */
export function momentOf(clock: Clock): Moment {
  return { now: clock.now(), wall: clock.date().getTime() };
}

/**
 * Begins a term. It ends by itself `renewDeadlineMs` after the last successful renewal was sent, and that is before the
 * lease can be taken, because others wait for the longer lease duration and begin to wait later.
 */
export function beginTerm(clock: Clock, renewDeadlineMs: number, name: string, acquiredAt: Moment): Term {
  const lost = scope();
  const work = lost.child();
  let lastRenewal = acquiredAt;
  let cancelDeadline: () => void = () => {};
  arm();

  return {
    signal: work.signal,
    lost: lost.signal,
    isCurrent: () => !lost.isOver && sinceRenewalMs() < renewDeadlineMs,
    sinceRenewalMs,
    renewed: (sentAt) => {
      if (lost.isOver) return;
      lastRenewal = sentAt;
      cancelDeadline();
      arm();
    },
    stop: (reason) => work.end(reason),
    lose,
    close: () => cancelDeadline(),
  };

  /** By whichever clock says more: the steady one stands still while a machine sleeps. */
  function sinceRenewalMs(): number {
    return Math.max(clock.now() - lastRenewal.now, clock.date().getTime() - lastRenewal.wall);
  }

  function arm(): void {
    const remainingMs = Math.max(0, renewDeadlineMs - sinceRenewalMs());
    cancelDeadline = clock.after(remainingMs, () => lose(`not renewed for ${renewDeadlineMs} ms`));
  }

  function lose(why: string): void {
    if (lost.isOver) return;
    cancelDeadline();
    const reason = new KubeError('KUBE_LEADERSHIP_LOST', `no longer the leader by lease ${name}: ${why}`, {
      object: name,
    });
    lost.end(reason);
  }
}
