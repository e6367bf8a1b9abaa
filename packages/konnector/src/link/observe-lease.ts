import { type KubeClient, type Lease, Leases, type ResourceClient } from '@klutch/kube';
import { leaseWentBack, type SeenLease } from './set-back.ts';

/** The lease of an election, as its candidate sees it. */
export interface ObservedLease {
  /** For the election, and for nobody else. */
  readonly client: KubeClient;
  /** When the lease that was last read had been renewed; undefined: there was none. Ask when a term begins. */
  lastRenewal(): Date | undefined;
  /** How often a lease was found that was older than one that had been read or written before. */
  timesWentBack(): number;
}

/**
 * Looks over the shoulder of an election: what a candidate reads right before it takes the lease is the state that the
 * holder before it left, and nobody can read that any more afterwards.
 */
export function observeLease(client: KubeClient): ObservedLease {
  let found: Date | undefined;
  let latest: SeenLease | undefined;
  let wentBack = 0;

  const noteWritten = (lease: Lease): Lease => {
    note(lease);
    return lease;
  };

  function note(lease: Lease): void {
    const seen = seenLease(lease);
    if (latest && leaseWentBack(latest, seen)) wentBack += 1;
    latest = seen;
  }

  function observed(leases: ResourceClient<Lease>): ResourceClient<Lease> {
    return {
      ...leases,
      find: async (ref, options) => {
        const lease = await leases.find(ref, options);
        found = lease && seenLease(lease).renewed;
        if (lease) note(lease);
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

function seenLease({ metadata, spec }: Lease): SeenLease {
  const time = Date.parse(spec?.renewTime ?? '');
  const renewed = Number.isNaN(time) ? undefined : new Date(time);
  return { renewed, version: metadata.resourceVersion };
}
