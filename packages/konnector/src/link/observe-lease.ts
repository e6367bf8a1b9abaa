import { type KubeClient, type Lease, Leases, type ResourceClient } from '@klutch/kube';
import { leaseWentBack } from './set-back.ts';

/** The lease of an election, as its candidate sees it. */
export interface ObservedLease {
  /** For the election, and for nobody else. */
  readonly client: KubeClient;
  /** When the lease that was last read had been renewed; undefined: there was none. Ask when a term begins. */
  lastRenewal(): Date | undefined;
  /** How often a lease was found that was older than what this process had written. */
  timesWentBack(): number;
}

/**
 * Looks over the shoulder of an election: what a candidate reads right before it takes the lease is the state that the
 * holder before it left, and nobody can read that any more afterwards.
 */
export function observeLease(client: KubeClient): ObservedLease {
  let found: Date | undefined;
  let written: Date | undefined;
  let wentBack = 0;

  const noteWritten = (lease: Lease): Lease => {
    written = renewalOf(lease) ?? written;
    return lease;
  };

  function observed(leases: ResourceClient<Lease>): ResourceClient<Lease> {
    return {
      ...leases,
      find: async (ref, options) => {
        const lease = await leases.find(ref, options);
        found = lease && renewalOf(lease);
        if (leaseWentBack(written, found)) {
          wentBack += 1;
          written = found;
        }
        return lease;
      },
      create: async (lease, options) => noteWritten(await leases.create(lease, options)),
      replace: async (lease, options) => noteWritten(await leases.replace(lease, options)),
    };
  }

  return {
    client: {
      ...client,
      // Only the election asks, and only for leases.
      resource: (type) => {
        const resource = client.resource(type);
        const isLease = type.group === Leases.group && type.plural === Leases.plural;
        return isLease ? (observed(resource) as unknown as typeof resource) : resource;
      },
    },
    lastRenewal: () => found,
    timesWentBack: () => wentBack,
  };
}

function renewalOf(lease: Lease): Date | undefined {
  const time = Date.parse(lease.spec?.renewTime ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}
