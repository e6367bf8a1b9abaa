import { type KubeClient, type Lease, Leases, type ResourceClient } from '@klutch/kube';
import { seenVersionsOf, type Versions, withSeenVersions } from './seen-versions.ts';
import { leaseWentBack, type SeenLease } from './set-back.ts';

/** The lease of an election, as its candidate sees it. */
export interface ObservedLease {
  /** For the election, and for nobody else. */
  readonly client: KubeClient;
  /** When the lease that was last read had been renewed; undefined: there was none. Ask when a term begins. */
  lastRenewal(): Date | undefined;
  /**
   * What the holder before had seen of control planes, by tenant. Ask when a term begins: what this process has seen in
   * an earlier one is forgotten.
   */
  inheritVersions(): ReadonlyMap<string, Versions>;
  /** From now on every renewal writes down what has been seen of a tenant. */
  remember(tenant: string, versions: () => Versions): void;
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
  let inherited: ReadonlyMap<string, Versions> = new Map();
  const own = new Map<string, () => Versions>();

  const noteWritten = (lease: Lease): Lease => {
    note(lease);
    return lease;
  };

  function remembering(lease: Lease): Lease {
    const seen = [...own].map(([tenant, versions]) => [tenant, versions()] as const);
    return withSeenVersions(lease, new Map([...inherited, ...seen]));
  }

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
        if (lease) inherited = seenVersionsOf(lease);
        return lease;
      },
      create: async (lease, options) => noteWritten(await leases.create(remembering(lease), options)),
      replace: async (lease, options) => noteWritten(await leases.replace(remembering(lease), options)),
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
    inheritVersions: () => {
      own.clear();
      return inherited;
    },
    remember: (tenant, versions) => void own.set(tenant, versions),
    timesWentBack: () => wentBack,
  };
}

function seenLease({ metadata, spec }: Lease): SeenLease {
  const time = Date.parse(spec?.renewTime ?? '');
  const renewed = Number.isNaN(time) ? undefined : new Date(time);
  return { renewed, version: metadata.resourceVersion };
}
