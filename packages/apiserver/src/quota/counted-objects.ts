import type { GroupResource } from '../objects/api-object.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { Store } from '../storage/types.ts';

/** Core types that quotas also know by a name without `count/`. */
const shortNames: ReadonlySet<string> = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);

/** Under which names quotas count objects of a type; none where they do not. */
export function quotaNamesOf(type: ServedResource): readonly string[] {
  if (!isCounted(type)) return [];
  const { group, resource } = type;
  const counted = `count/${group === '' ? resource : `${resource}.${group}`}`;
  return group === '' && shortNames.has(resource) ? [counted, resource] : [counted];
}

/** The type that a quota counts under a name; undefined for resources that are no objects. */
export function typeOfQuotaName(name: string): GroupResource | undefined {
  if (shortNames.has(name)) return { group: '', resource: name };
  if (!name.startsWith('count/')) return undefined;
  const [resource = '', ...group] = name.slice('count/'.length).split('.');
  return { group: group.join('.'), resource };
}

/** Whether quotas count objects of a type: those that clients create, list and delete in namespaces, except Events. */
export function isCounted({ namespaced, verbs, resource, group }: ServedResource): boolean {
  if (resource === 'events' && (group === '' || group === 'events.k8s.io')) return false;
  return namespaced && (['create', 'list', 'watch', 'delete'] as const).every((verb) => verbs.includes(verb));
}

/** How many objects of a bucket a namespace has, as far as they count under the name. */
export function countObjects(store: Store, bucket: string, namespace: string, name: string): number {
  if (name !== 'pods') return store.count(bucket, namespace);
  return store.scan(bucket, { namespace }).filter((entry) => !hasEnded(entry.object()['status'])).length;
}

/** Pods that have ended take no place any more. */
function hasEnded(status: unknown): boolean {
  const { phase } = (status ?? {}) as { readonly phase?: unknown };
  return phase === 'Failed' || phase === 'Succeeded';
}
