import { isKubeError, KubeError } from '../errors/kube-error.ts';
import { type Logger, silentLogger, withFields } from '../log/logger.ts';
import type { Lease } from '../objects/core.ts';
import { type ObjectRef, keyOf } from '../objects/meta.ts';
import { type Clock, pause, systemClock } from '../clock/clock.ts';
import type { KubeClient } from '../resources/types.ts';
import { onAbort } from '../scope/on-abort.ts';
import { scope } from '../scope/scope.ts';
import { type Held, createCandidate } from './candidate.ts';
import { keepLease, releaseLease } from './keep-lease.ts';
import { doLeaderWork } from './leader-work.ts';
import { createLeaseAccess } from './lease-access.ts';
import { limitTime } from '../clock/limit-time.ts';
import type { LeaseMetrics } from './metrics.ts';
import { createRounds, type Rounds } from '../rounds/rounds.ts';
import { type LeaderTerm, type Term, beginTerm } from './term.ts';
import { type LeaseTimings, jitterFactor, resolveTimings } from './timings.ts';

export interface LeaderElectionOptions {
  /** A client for the cluster with the lease; needs get, create and update on it. */
  readonly client: KubeClient;
  readonly lease: ObjectRef;
  /** Names this candidate; must differ between processes. */
  readonly identity: string;
  /**
   * The leader's work. It must end when its signal aborts: on stop in good order, on loss (reason
   * `KUBE_LEADERSHIP_LOST`) at once. Returning earlier gives up the lease and ends the election; so does throwing,
   * and the error ends it. Give {@link LeaderTerm} to `fenceWrites` for clients that must not write beyond the term.
   */
  readonly lead: (signal: AbortSignal, term: LeaderTerm) => Promise<void>;
  readonly timings?: LeaseTimings;
  /** Milliseconds the leader's work may take to end after the stop before the lease is left to expire. Default 9 s. */
  readonly graceMs?: number;
  /** Ends the election; a held lease is released once the leader's work has ended. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** Source of jitter in [0, 1). */
  readonly random?: () => number;
  readonly log?: Logger;
  readonly metrics?: LeaseMetrics;
}

export interface LeaderElection {
  /** Resolves when the election has ended; rejects with the error that ended the leader's work. */
  readonly stopped: Promise<void>;
  /** Whether this process may write as the leader now. */
  isLeader(): boolean;
  /**
   * Renews the lease without waiting until that is due. Resolves when a renewal that was sent after the call has
   * succeeded; rejects with `KUBE_LEADERSHIP_LOST` when the term ends before that or there is none.
   */
  renew(): Promise<void>;
  /** Identity of the holder last seen. */
  leader(): string | undefined;
  /**
   * Throws when the leader's work goes on although its lease has been expired for longer than the tolerance (default
   * 3 s). Fine when this process does not lead.
   */
  check(toleranceMs?: number): void;
}

/** Competes for a lease and does the leader's work whenever, and only while, it holds it. */
export function runLeaderElection(options: LeaderElectionOptions): LeaderElection {
  const { client, lease: ref, identity, lead, signal, graceMs = 9_000, metrics } = options;
  const { clock = systemClock, random = Math.random } = options;
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = resolveTimings(options.timings);
  const name = keyOf(ref);
  const log = withFields(options.log ?? silentLogger, { lease: name, identity });
  const access = createLeaseAccess(client, ref, clock, renewDeadlineMs / 2);
  const candidate = createCandidate({ access, ref, identity, leaseDurationMs, clock });
  const noteRequest = createRequestLog(log);
  let current: Term | undefined;
  let renewals: Rounds | undefined;

  return {
    stopped: compete(),
    isLeader: () => current?.isCurrent() ?? false,
    renew: () => renewals?.request() ?? Promise.reject(notLeading()),
    leader: () => candidate.leader(),
    check: (toleranceMs = 3_000) => {
      if (current === undefined || current.sinceRenewalMs() <= leaseDurationMs + toleranceMs) return;
      throw new Error(`lease ${name} has expired, but the work of the leader has not ended`);
    },
  };

  async function compete(): Promise<void> {
    while (!signal.aborted) {
      const held = await tryToTake();
      if (held === undefined) await pause(clock, retryPeriodMs * (1 + jitterFactor * random()), signal);
      else if ((await rule(held)) === 'done') return;
    }
  }

  async function tryToTake(): Promise<Held | undefined> {
    const leaderBefore = candidate.leader();
    try {
      const held = await candidate.tryToTake(signal);
      noteRequest(undefined);
      const leader = candidate.leader();
      if (held === undefined && leader !== leaderBefore) log.info({ leader }, 'another candidate leads');
      return held;
    } catch (error) {
      if (!signal.aborted) noteRequest(error);
      return undefined;
    }
  }

  /** Leads until the work ends or the lease is lost; throws the error of work that failed by itself. */
  async function rule(held: Held): Promise<'done' | 'lost'> {
    if (signal.aborted) {
      await release(held.lease);
      return 'done';
    }
    const term = beginTerm(clock, renewDeadlineMs, name, held.sentAt);
    const over = scope(term.lost);
    onAbort(term.lost, () => {
      metrics?.leading(false);
      if (!signal.aborted) metrics?.leadershipLost();
      log.warn({ err: term.lost.reason }, 'leadership lost');
    });
    current = term;
    metrics?.leading(true);
    log.info({}, 'became leader');

    const onTry = (error: unknown, seconds: number) => {
      if (over.isOver) return;
      noteRequest(error);
      metrics?.leaseRenewed(error === undefined, seconds);
    };
    const rounds = createRounds();
    renewals = rounds;
    const keep = { access, identity, leaseDurationMs, retryPeriodMs, clock, renewals: rounds, onTry };
    const keeping = over.run((until) => keepLease(held.lease, term, until, keep));
    const end = await doLeaderWork(lead, term, { stop: signal, graceMs, clock });
    if (end.how === 'not within the grace') term.lose('its work did not end in time after the stop');
    over.end();
    const lease = await keeping;
    renewals = undefined;
    rounds.end(notLeading());
    const isLost = term.lost.aborted;
    term.close();
    if (!isLost) {
      await release(lease);
      metrics?.leading(false);
    }
    current = undefined;
    if (end.how === 'by itself' && 'error' in end) throw end.error;
    if ('error' in end && end.error !== term.signal.reason)
      log.warn({ err: end.error }, 'work of the leader ended badly');
    return isLost && end.how === 'when told' ? 'lost' : 'done';
  }

  function notLeading(): KubeError {
    return new KubeError('KUBE_LEADERSHIP_LOST', `not the leader by lease ${name}`, { object: name });
  }

  async function release(lease: Lease): Promise<void> {
    try {
      await limitTime(clock, releaseLimitMs, (limit) => releaseLease(lease, { access, identity, clock }, limit));
      log.info({}, 'lease released');
    } catch (error) {
      log.warn({ err: error }, 'lease not released, others wait until it expires');
    }
  }
}

/** A stop has ten seconds in all, and the work of the leader comes first. */
const releaseLimitMs = 1_000;

/** Writes a warning when requests begin to fail, or fail in another way, and not every two seconds. */
function createRequestLog(log: Logger): (error: unknown) => void {
  let lastFailure: string | undefined;
  return (error) => {
    const failure = error === undefined ? undefined : isKubeError(error) ? error.code : 'unknown';
    if (failure !== undefined && failure !== lastFailure) log.warn({ err: error }, 'request for the lease failed');
    if (failure === undefined && lastFailure !== undefined) log.info({}, 'requests for the lease succeed again');
    lastFailure = failure;
  };
}
