import type { Discovered, ServedResource } from './served-resource.ts';

/** `APIGroupDiscoveryList`, of which only the fields read here are typed. */
export interface AggregatedDiscovery {
  readonly kind?: string;
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope: string;
        readonly singularResource?: string;
        readonly shortNames?: readonly string[];
        readonly categories?: readonly string[];
        readonly verbs?: readonly string[];
        readonly subresources?: readonly { readonly subresource: string }[];
      }[];
    }[];
  }[];
}

/** Media types that ask for the whole discovery in one answer; servers before 1.27 fall through to the last. */
export const aggregatedAccept = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/** Pure: the served resources, groups and versions in the server's order of preference. */
export function fromAggregated(discovery: AggregatedDiscovery): Discovered {
  const silent = (discovery.items ?? []).flatMap((group) =>
    (group.versions ?? [])
      .filter(({ freshness }) => freshness === 'Stale')
      .map(({ version }) => `${group.metadata?.name ?? ''}/${version}`),
  );
  return { resources: resourcesOf(discovery), silent };
}

function resourcesOf(discovery: AggregatedDiscovery): readonly ServedResource[] {
  return (discovery.items ?? []).flatMap((group) =>
    (group.versions ?? []).flatMap((version) =>
      (version.resources ?? []).map((resource) => ({
        group: group.metadata?.name ?? '',
        version: version.version,
        plural: resource.resource,
        kind: resource.responseKind?.kind ?? '',
        namespaced: resource.scope === 'Namespaced',
        singular: resource.singularResource ?? '',
        shortNames: resource.shortNames ?? [],
        categories: resource.categories ?? [],
        verbs: resource.verbs ?? [],
        subresources: (resource.subresources ?? []).map(({ subresource }) => subresource),
      })),
    ),
  );
}
