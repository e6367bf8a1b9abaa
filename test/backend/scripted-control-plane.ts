import {
  type CustomResourceDefinition,
  KlutchError,
  type PermissionClaim,
  type ServiceDescription,
  serviceDescriptionAnnotations,
} from '@klutch/api';
import type { Caller } from '../../packages/backend/src/policy/caller.ts';
import type { Tenant } from '../../packages/backend/src/policy/tenant.ts';
import type { Catalogue, Offer } from '../../packages/backend/src/templates/catalogue.ts';
import type { PresentedCluster } from '../../packages/backend/src/tenants/app-cluster.ts';
import type { Tenants } from '../../packages/backend/src/tenants/tenants.ts';

/** Occurs in everything secret that the scripted control plane hands out. */
export const secretMark = 'hunter2';

/** Stands in for the control plane behind the web server, and remembers what was asked of it. */
export interface ScriptedControlPlane {
  readonly tenants: Tenants;
  readonly catalogue: Catalogue;
  /** Every registration that was asked for: nothing is created without one. */
  readonly provisioned: { readonly cluster: PresentedCluster; readonly tenant: Tenant; readonly caller: Caller }[];
  readonly withdrawn: { readonly namespace: string; readonly apis: readonly object[] }[];
  readonly retired: string[];
  readonly released: string[];
  /** Exports that were asked for in the name of app clusters. */
  readonly requested: { readonly namespace: string; readonly apis: readonly string[] }[];
  /** Clusters that are registered, by id. */
  readonly owners: Map<string, Tenant>;
  readonly offers: Offer[];
  /** What the next `provision` throws. */
  failure?: Error;
}

export function scriptedControlPlane(offers: readonly Offer[] = [offer('widgets')]): ScriptedControlPlane {
  const plane: ScriptedControlPlane = {
    provisioned: [],
    withdrawn: [],
    retired: [],
    released: [],
    requested: [],
    owners: new Map(),
    offers: [...offers],
    catalogue: {
      offersTo: (tenant) => plane.offers.filter((some) => isOffered(some, tenant)),
      find: ({ group = '', resource }, tenant) => {
        const found = plane.offers.find((some) => some.group === group && some.resource === resource);
        if (found === undefined) return 'NotExported';
        if (found.crd.spec.scope === 'Cluster') return 'ScopeRefused';
        return isOffered(found, tenant) ? found : 'NotEntitled';
      },
      onChange: () => () => {},
      synced: Promise.resolve(),
    },
    tenants: {
      ownerOf: async ({ id }, tenants) => {
        const owner = plane.owners.get(id);
        if (owner !== undefined && !tenants.some(({ identity }) => identity === owner.identity)) {
          throw new KlutchError('KLUTCH_CLUSTER_IDENTITY_TAKEN', 'Another tenant has registered this app cluster.');
        }
        return owner;
      },
      provision: async (cluster, tenant, caller) => {
        if (plane.failure !== undefined) throw plane.failure;
        plane.provisioned.push({ cluster, tenant, caller });
        plane.owners.set(cluster.id, tenant);
        return { namespace: `cluster-${cluster.id}`, kubeconfig: kubeconfigOf(`cluster-${cluster.id}`) };
      },
      namespaceOf: async (token) => {
        const namespace = /^tenant-token-(.+)$/.exec(token)?.[1];
        if (namespace === undefined)
          throw new KlutchError('KLUTCH_TOKEN_INVALID', 'Not a credential of an app cluster.');
        return namespace;
      },
      tenantNameOf: async () => 'team-a',
      rotate: async (namespace) => ({ namespace, kubeconfig: kubeconfigOf(namespace) }),
      ownerOfNamespace: async (_, [tenant]) => {
        if (tenant === undefined) throw new KlutchError('KLUTCH_CLUSTER_IDENTITY_TAKEN', 'Not yours.');
        return tenant;
      },
      evict: async (namespace) => ({ namespace, kubeconfig: kubeconfigOf(namespace) }),
      retireOthers: async (namespace) => void plane.retired.push(namespace),
      requestExports: async (namespace, offers) => {
        plane.requested.push({ namespace, apis: offers.map(({ name }) => name) });
      },
      withdraw: async (namespace, apis) => void plane.withdrawn.push({ namespace, apis }),
      release: async (namespace) => void plane.released.push(namespace),
    },
  };
  return plane;
}

export function kubeconfigOf(namespace: string): string {
  return `apiVersion: v1\nkind: Config\n# ${namespace}\nusers: [{name: default, user: {token: ${secretMark}}}]\n`;
}

/** An offer of an API of the group example.org. */
export function offer(
  resource: string,
  details: Partial<Pick<Offer, 'allowedTenants' | 'description'>> & {
    readonly scope?: 'Namespaced' | 'Cluster';
    readonly claims?: readonly PermissionClaim[];
    readonly service?: ServiceDescription;
  } = {},
): Offer {
  const { scope = 'Namespaced', claims = [], service, ...rest } = details;
  const kind = `${resource.charAt(0).toUpperCase()}${resource.slice(1, -1)}`;
  const name = `${resource}.example.org`;
  const crd: CustomResourceDefinition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name, ...(service ? { annotations: serviceDescriptionAnnotations(service) } : {}) },
    spec: {
      group: 'example.org',
      names: { kind, plural: resource },
      scope,
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
  return { name, group: 'example.org', resource, permissionClaims: [...claims], crd, ...rest };
}

function isOffered({ allowedTenants, crd }: Offer, tenant: Pick<Tenant, 'name'> | undefined): boolean {
  if (crd.spec.scope === 'Cluster') return false;
  return allowedTenants === undefined || (tenant !== undefined && allowedTenants.includes(tenant.name));
}
