import { type Lease, Leases } from '../objects/core.ts';
import type { ObjectRef } from '../objects/meta.ts';
import type { Clock } from '../clock/clock.ts';
import type { CallOptions, KubeClient } from '../resources/types.ts';
import { limitTime } from '../clock/limit-time.ts';

/** Reads and writes one lease, each request within a time limit. */
export interface LeaseAccess {
  /** The lease; undefined when there is none. */
  read(signal?: AbortSignal): Promise<Lease | undefined>;
  create(lease: Lease): Promise<Lease>;
  /** Fails with `KUBE_CONFLICT` when the lease changed since it was read. */
  replace(lease: Lease, signal?: AbortSignal): Promise<Lease>;
}

/** Access to a lease through a client. `limitMs` must be short against the renew deadline: slow requests are failures. */
export function createLeaseAccess(client: KubeClient, ref: ObjectRef, clock: Clock, limitMs: number): LeaseAccess {
  const leases = client.resource(Leases);
  const limited = <T>(call: (options: CallOptions) => Promise<T>, parent?: AbortSignal) =>
    limitTime(clock, limitMs, (signal) => call({ signal, timeoutMs: limitMs, traffic: 'control' }), parent);
  return {
    read: (parent) => limited((options) => leases.find(ref, options), parent),
    create: (lease) => limited((options) => leases.create(lease, options)),
    replace: (lease, parent) => limited((options) => leases.replace(lease, options), parent),
  };
}
