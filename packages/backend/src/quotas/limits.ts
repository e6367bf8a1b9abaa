import { APIServiceExportRequests, APIServiceNamespaces, type APIServiceExport } from '@klutch/api';
import { grantedRules } from '../grants/granted-rules.ts';
import type { Quotas } from '../process/options.ts';
import { type Amounts, countName } from './resource-quota.ts';

/**
 * How many objects a service namespace may hold: of each type that the app cluster may create in it. Types that only the
 * provider creates are not limited, since that would limit the provider.
 */
export function serviceNamespaceLimits(
  exports: readonly Pick<APIServiceExport, 'spec'>[],
  { objectsPerNamespace }: Pick<Quotas, 'objectsPerNamespace'>,
): Amounts {
  const limit = String(objectsPerNamespace);
  return Object.fromEntries(creatableNames(exports.map(({ spec }) => spec)).map((name) => [name, limit]));
}

/**
 * How many objects an app cluster may create in its cluster namespace. Beyond the service namespaces it may have there is
 * some room, since the condition of an APIServiceNamespace explains more than a refusal of its creation.
 */
export function clusterNamespaceLimits({ namespacesPerCluster }: Pick<Quotas, 'namespacesPerCluster'>): Amounts {
  const limit = String(2 * namespacesPerCluster);
  return Object.fromEntries(clusterNamespaceNames.map((name) => [name, limit]));
}

/** The types that app clusters create in their cluster namespaces. */
export const clusterNamespaceNames: readonly string[] = [APIServiceExportRequests, APIServiceNamespaces].map(
  ({ group, plural }) => countName({ group, resource: plural }),
);

/** Names under which quotas count what app clusters with these exports may create, ordered. */
export function creatableNames(exports: Parameters<typeof grantedRules>[0]): readonly string[] {
  return grantedRules(exports)
    .filter(({ verbs }) => verbs.includes('create'))
    .flatMap(({ apiGroups, resources }) =>
      apiGroups.flatMap((group) => resources.map((resource) => countName({ group, resource }))),
    )
    .sort();
}
