import { type Lease, Leases } from '../objects/core.ts';
import type { ObjectRef } from '../objects/meta.ts';
import { apiVersionOf } from '../objects/resource-type.ts';

/** A lease as last read, and since when, by the local clock, it has looked like this. */
export interface Observed {
  readonly lease: Lease;
  readonly unchangedSince: number;
}

/** What a candidate knows. */
export interface Situation {
  /** Undefined: there is no such lease. */
  readonly observed: Observed | undefined;
  readonly ref: ObjectRef;
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** Local time, on the scale of `unchangedSince`. */
  readonly now: number;
  /** Wall time to write for others to read. */
  readonly date: Date;
}

/** What a candidate does. The lease to replace carries the version that was read: of two candidates one fails. */
export type Decision =
  | { readonly do: 'create'; readonly lease: Lease }
  | { readonly do: 'replace'; readonly lease: Lease }
  | { readonly do: 'wait'; readonly holder: string; readonly remainingMs: number };

/**
 * Decides whether to take, renew or wait for a lease. Times written by the holder are never compared with the local
 * clock; what counts is how long the record has not changed before our eyes.
 */
export function decide(situation: Situation): Decision {
  const { observed, identity, now, leaseDurationMs } = situation;
  if (observed === undefined) return { do: 'create', lease: newLease(situation) };
  const { lease } = observed;
  const holder = holderOf(lease);
  if (holder === identity) return { do: 'replace', lease: renewedLease(lease, situation) };
  if (holder === undefined) return { do: 'replace', lease: takenLease(lease, situation) };

  const promisedMs = lease.spec?.leaseDurationSeconds ? lease.spec.leaseDurationSeconds * 1000 : leaseDurationMs;
  const remainingMs = observed.unchangedSince + promisedMs - now;
  if (remainingMs > 0) return { do: 'wait', holder, remainingMs };
  return { do: 'replace', lease: takenLease(lease, situation) };
}

/** Updates what is known after a read or a write; the clock starts again only when the record has changed. */
export function observe(previous: Observed | undefined, lease: Lease | undefined, now: number): Observed | undefined {
  if (lease === undefined) return undefined;
  const isUnchanged = previous !== undefined && isSameRecord(previous.lease, lease);
  return { lease, unchangedSince: isUnchanged ? previous.unchangedSince : now };
}

/** Why a leader that wrote `mine` no longer holds the lease it now found; undefined when it still does. */
export function lossOf(mine: Lease, found: Lease | undefined, identity: string): string | undefined {
  if (found === undefined) return 'the lease was deleted';
  const holder = holderOf(found);
  if (holder === undefined) return 'the lease was released by somebody else';
  if (holder !== identity) return `"${holder}" holds it`;
  // The same name, but others have held it in between.
  if (found.spec?.leaseTransitions !== mine.spec?.leaseTransitions) return 'it changed hands in between';
  return undefined;
}

/** Who holds the lease; undefined when it was released or never taken. */
export function holderOf(lease: Lease): string | undefined {
  return lease.spec?.holderIdentity || undefined;
}

/** The lease with a renewal by its holder. */
export function renewedLease(lease: Lease, by: Pick<Situation, 'identity' | 'leaseDurationMs' | 'date'>): Lease {
  return {
    ...lease,
    spec: {
      ...lease.spec,
      holderIdentity: by.identity,
      leaseDurationSeconds: Math.ceil(by.leaseDurationMs / 1000),
      renewTime: microTime(by.date),
    },
  };
}

/** The lease given up by its holder, so that others need not wait; what client-go writes on release. */
export function releasedLease(lease: Lease, date: Date): Lease {
  const time = microTime(date);
  return {
    ...lease,
    spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time },
  };
}

/** RFC 3339 with six digits of the second: Go reads nothing else into a `MicroTime`. */
export function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}

function newLease({ ref, identity, leaseDurationMs, date }: Situation): Lease {
  const time = microTime(date);
  return {
    apiVersion: apiVersionOf(Leases),
    kind: Leases.kind,
    metadata: { name: ref.name, namespace: ref.namespace },
    spec: {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
      acquireTime: time,
      renewTime: time,
      leaseTransitions: 0,
    },
  };
}

function takenLease(lease: Lease, situation: Situation): Lease {
  const renewed = renewedLease(lease, situation);
  const leaseTransitions = (lease.spec?.leaseTransitions ?? 0) + 1;
  return { ...renewed, spec: { ...renewed.spec, acquireTime: microTime(situation.date), leaseTransitions } };
}

function isSameRecord(a: Lease, b: Lease): boolean {
  return (
    a.metadata.uid === b.metadata.uid &&
    a.spec?.holderIdentity === b.spec?.holderIdentity &&
    a.spec?.leaseDurationSeconds === b.spec?.leaseDurationSeconds &&
    a.spec?.acquireTime === b.spec?.acquireTime &&
    a.spec?.renewTime === b.spec?.renewTime &&
    a.spec?.leaseTransitions === b.spec?.leaseTransitions
  );
}
