import type { Registry } from '../registry/registry.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { badRequest, methodNotAllowed, noSuchPath, notFound, verbNotSupported } from '../status/status-error.ts';
import { PageNotFound } from './answer.ts';
import type { ResourceRequestInfo } from './request-info.ts';

/** The resource that a path names. Groups of built-in kinds know that something is missing; elsewhere there is just nothing. */
export function requireResource(registry: Registry, { group, version, resource }: ResourceRequestInfo): ServedResource {
  const found = registry.find(group, version, resource);
  if (found) return found;
  const isBuiltInGroup = registry.all().some((served) => served.builtIn && served.group === group);
  throw isBuiltInGroup ? noSuchPath() : new PageNotFound();
}

/** Pure: refuses what cannot be done at a path, in the words of whoever would answer it in Kubernetes. */
export function requireRoute(info: ResourceRequestInfo, resource: ServedResource, method: string): void {
  if (resource.builtIn) requireBuiltInRoute(info, resource, method);
  else requireCustomRoute(info, resource);
}

const collectionVerbs: ReadonlySet<string> = new Set(['list', 'watch', 'create', 'deletecollection']);
const objectVerbs: ReadonlySet<string> = new Set(['get', 'update', 'patch', 'delete']);
/** What can be done without naming one of the namespaces. */
const acrossNamespaces: ReadonlySet<string> = new Set(['list', 'watch']);

function requireBuiltInRoute(info: ResourceRequestInfo, resource: ServedResource, method: string): void {
  const { name, verb, subresource } = info;
  const isPlaced = isInNamespace(info, resource);
  if (isPlaced && !resource.namespaced) throw noSuchPath();
  if (!isPlaced && resource.namespaced && name !== undefined) throw noSuchPath();
  if (subresource !== undefined) {
    const verbs = subresourceVerbs(resource, subresource);
    if (verbs.length === 0) throw noSuchPath();
    if (method === 'HEAD' || !verbs.includes(verb)) throw methodNotAllowed();
    return;
  }
  const possible = name === undefined ? collectionVerbs : objectVerbs;
  const served: readonly string[] = resource.verbs;
  if (method === 'HEAD' || !possible.has(verb) || !served.includes(verb)) throw methodNotAllowed();
  if (resource.namespaced && !isPlaced && !acrossNamespaces.has(verb) && served.some((known) => known !== 'create')) {
    throw methodNotAllowed();
  }
}

function requireCustomRoute(info: ResourceRequestInfo, resource: ServedResource): void {
  const { name, verb, subresource } = info;
  const isPlaced = isInNamespace(info, resource);
  if (isPlaced !== resource.namespaced && (isPlaced || !acrossNamespaces.has(verb))) throw new PageNotFound();
  if (subresource !== undefined) {
    const verbs = subresourceVerbs(resource, subresource);
    if (verbs.length === 0) throw notFound(resource, name ?? '');
    if (!verbs.includes(verb)) throw verbNotSupported(resource, verb);
    return;
  }
  if (!collectionVerbs.has(verb) && !objectVerbs.has(verb)) throw verbNotSupported(resource, verb);
  if (objectVerbs.has(verb) && name === undefined) throw badRequest('name must be provided');
}

/** A namespace is its own namespace in paths, but not in one. */
function isInNamespace({ namespace }: ResourceRequestInfo, { group, resource }: ServedResource): boolean {
  return namespace !== undefined && !(group === '' && resource === 'namespaces');
}

function subresourceVerbs(resource: ServedResource, subresource: string): readonly string[] {
  const other = resource.otherSubresources?.find(({ name }) => name === subresource);
  if (other) return other.verbs;
  const isThere = (subresource === 'status' && resource.hasStatus) || (subresource === 'scale' && resource.scale);
  return isThere ? ['get', 'update', 'patch'] : [];
}
