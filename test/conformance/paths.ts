/** A resource as paths name it: `apps/v1/deployments`, or `v1/secrets` for the core group. */
export type ResourcePath = `${string}/${string}`;

/** The path of a collection, or of one object in it. Without namespace: cluster-scoped, or all namespaces. */
export function pathOf(
  resource: ResourcePath,
  place: { readonly namespace?: string; readonly name?: string } = {},
): string {
  const words = resource.split('/');
  const root = words.length === 2 ? ['', 'api', words[0]] : ['', 'apis', words[0], words[1]];
  const scope = place.namespace === undefined ? [] : ['namespaces', place.namespace];
  const name = place.name === undefined ? [] : [place.name];
  return [...root, ...scope, words.at(-1), ...name].join('/');
}

/** Paths of one namespaced resource in one namespace: the collection, or the object of a name. */
export function inNamespace(resource: ResourcePath, namespace: string): (name?: string) => string {
  return (name) => pathOf(resource, { namespace, name });
}

/** Paths of one cluster-scoped resource, or of a namespaced one in all namespaces: the collection, or one object. */
export function inCluster(resource: ResourcePath): (name?: string) => string {
  return (name) => pathOf(resource, { name });
}
