import { KlutchError, labels } from '@klutch/api';
import { isKubeError, type Namespace, type ResourceClient } from '@klutch/kube';
import type { Tenant } from '../policy/tenant.ts';
import { accessEnd, tenantDigest } from './cluster-namespace.ts';

/** The places that a tenant has for app clusters. */
export interface Places {
  /** Throws `KLUTCH_QUOTA_EXCEEDED` unless a place is free. */
  requireFree(tenant: Tenant): Promise<void>;
  /**
   * Whether an app cluster that has just been written has a place. Of several that come at once the first ones have, in the
   * order in which the API server stored them, so that exactly as many succeed as there are places.
   */
  has(tenant: Tenant, written: Namespace): Promise<boolean>;
  full(tenant: Tenant): KlutchError;
}

export function createPlaces(namespaces: ResourceClient<Namespace>, limit: number): Places {
  const full = ({ name }: Tenant) =>
    new KlutchError(
      'KLUTCH_QUOTA_EXCEEDED',
      `Tenant ${name} may have ${limit} app clusters, and has them. Run \`klutch unbind --all\` in one that is no longer needed, or ask the operator to remove one or to raise the limit.`,
    );
  return {
    full,
    requireFree: async (tenant) => {
      if ((await count(tenant)) >= limit) throw full(tenant);
    },
    has: async (tenant, { metadata: { resourceVersion } }) => {
      // The state at the moment of the write: all that came before it, and nothing that came later.
      const atWrite = { resourceVersion, resourceVersionMatch: 'Exact' } as const;
      try {
        return (await count(tenant, atWrite)) <= limit;
      } catch (error) {
        // The moment is no longer known, which takes minutes.
        if (!isKubeError(error, 'KUBE_GONE')) throw error;
        return (await count(tenant)) <= limit;
      }
    },
  };

  async function count(
    { identity }: Tenant,
    at: { readonly resourceVersion?: string; readonly resourceVersionMatch?: 'Exact' } = {},
  ): Promise<number> {
    const labelSelector = `${labels.tenant}=${tenantDigest(identity)}`;
    let found = 0;
    for await (const { items } of namespaces.pages({ labelSelector, metadataOnly: true, ...at })) {
      found += items.filter(holdsPlace).length;
    }
    return found;
  }
}

/** An app cluster from which nothing was heard for too long leaves its place to others. */
function holdsPlace(namespace: Namespace): boolean {
  return !namespace.metadata.deletionTimestamp && accessEnd(namespace) !== 'Expired';
}
