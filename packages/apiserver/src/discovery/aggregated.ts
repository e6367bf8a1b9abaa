import type { ServedResource } from '../registry/served-resource.ts';
import type { ApiGroup, ApiVersion } from './api-groups.ts';
import { listedVerbs, subresourcesOf } from './subresources.ts';

const AGGREGATED_VERSION = 'apidiscovery.k8s.io/v2';

/** Everything about some groups in one document. */
export function apiGroupDiscoveryList(groups: readonly ApiGroup[]): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: AGGREGATED_VERSION,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(versionEntry),
    })),
  };
}

function versionEntry({ version, resources }: ApiVersion): object {
  return { version, resources: resources.map(resourceEntry), freshness: 'Current' };
}

function resourceEntry(served: ServedResource): object {
  const { resource, kind, namespaced, singular, shortNames, categories } = served;
  const subresources = subresourcesOf(served).map(({ name, kind: exchanged, group, version, verbs }) => ({
    subresource: name,
    responseKind: group === undefined ? kindOf(served, exchanged) : { group, version, kind: exchanged },
    verbs,
  }));
  return {
    resource,
    responseKind: kindOf(served, kind),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: listedVerbs(served),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}

/** Kubernetes leaves group and version of built-in kinds empty where they are those of the document. */
function kindOf({ builtIn, group, version }: ServedResource, kind: string): object {
  return builtIn ? { group: '', version: '', kind } : { group, version, kind };
}
