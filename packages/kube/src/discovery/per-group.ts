import type { ServedResource } from './served-resource.ts';

/** `APIResourceList` of one group and version, of which only the fields read here are typed. */
export interface ApiResourceList {
  readonly groupVersion: string;
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly singularName?: string;
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
    readonly verbs?: readonly string[];
  }[];
}

/** Pure: the served resources of one group and version; subresources are listed there as `plural/subresource`. */
export function fromResourceList(list: ApiResourceList): readonly ServedResource[] {
  const slash = list.groupVersion.indexOf('/');
  const group = slash < 0 ? '' : list.groupVersion.slice(0, slash);
  const version = list.groupVersion.slice(slash + 1);
  const resources = list.resources ?? [];
  const subresourcesOf = (plural: string) =>
    resources.filter(({ name }) => name.startsWith(`${plural}/`)).map(({ name }) => name.slice(plural.length + 1));
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map((resource) => ({
      group,
      version,
      plural: resource.name,
      kind: resource.kind,
      namespaced: resource.namespaced,
      singular: resource.singularName ?? '',
      shortNames: resource.shortNames ?? [],
      categories: resource.categories ?? [],
      verbs: resource.verbs ?? [],
      subresources: subresourcesOf(resource.name),
    }));
}
