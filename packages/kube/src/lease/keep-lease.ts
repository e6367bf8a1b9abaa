import { isKubeError } from '../errors/kube-error.ts';
import type { Lease } from '../objects/core.ts';
import { type Clock, pause } from '../clock/clock.ts';
import type { Rounds } from '../rounds/rounds.ts';
import { lossOf, releasedLease, renewedLease } from './decide.ts';
import type { LeaseAccess } from './lease-access.ts';
import { type Term, momentOf } from './term.ts';

export interface KeepOptions {
  readonly access: LeaseAccess;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly retryPeriodMs: number;
  readonly clock: Clock;
  /** Renewals; who asks for one does not wait until it is due. */
  readonly renewals: Rounds;
  /** Told how each try to renew ended. */
  readonly onTry: (error: unknown, seconds: number) => void;
}

/**
 * Renews a held lease until the signal aborts or the term is lost, which it also declares when it finds the lease in
 * other hands. Returns the lease as last known; never rejects.
 */
export async function keepLease(held: Lease, term: Term, until: AbortSignal, options: KeepOptions): Promise<Lease> {
  const { access, identity, leaseDurationMs, retryPeriodMs, clock, renewals, onTry } = options;
  let lease = held;
  let hasFailed = false;
  for (;;) {
    const { round, isWanted } = renewals.begin(until);
    // A server that does not answer is asked no more often because many wait for it.
    if (hasFailed) await pause(clock, retryPeriodMs, until);
    else if (!isWanted) await pause(clock, retryPeriodMs, round.signal);
    if (until.aborted) return lease;
    if (!term.isCurrent()) term.lose('the clock passed the deadline unnoticed, as after a sleep of the machine');
    if (term.lost.aborted) return lease;
    renewals.begin(until);
    lease = await tryToRenew();
    if (!hasFailed && !term.lost.aborted) renewals.done();
  }

  async function tryToRenew(): Promise<Lease> {
    const startedAt = clock.now();
    try {
      const renewed = await renew();
      hasFailed = false;
      onTry(undefined, (clock.now() - startedAt) / 1000);
      return renewed;
    } catch (error) {
      hasFailed = true;
      onTry(error, (clock.now() - startedAt) / 1000);
      return lease;
    }
  }

  async function renew(): Promise<Lease> {
    try {
      return await write(lease);
    } catch (error) {
      if (!isKubeError(error, 'KUBE_CONFLICT', 'KUBE_NOT_FOUND')) throw error;
    }
    const found = await access.read(until);
    const loss = lossOf(lease, found, identity);
    if (loss === undefined && found !== undefined) return write(found);
    term.lose(loss ?? 'the lease was deleted');
    return lease;
  }

  async function write(current: Lease): Promise<Lease> {
    const sentAt = momentOf(clock);
    const next = renewedLease(current, { identity, leaseDurationMs, date: clock.date() });
    const written = await access.replace(next, until);
    term.renewed(sentAt);
    return written;
  }
}

/** Gives up a lease if it is still held, so that others need not wait for its end. Throws when a request fails. */
export async function releaseLease(
  lease: Lease,
  { access, identity, clock }: Pick<KeepOptions, 'access' | 'identity' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await access.replace(releasedLease(lease, clock.date()), signal);
    return;
  } catch (error) {
    if (!isKubeError(error, 'KUBE_CONFLICT', 'KUBE_NOT_FOUND')) throw error;
  }
  const found = await access.read(signal);
  if (found === undefined || lossOf(lease, found, identity) !== undefined) return;
  await access.replace(releasedLease(found, clock.date()), signal);
}
