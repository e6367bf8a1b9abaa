import { bucketOf, keyOf, type ServedResource } from '../registry/served-resource.ts';
import { forbidden, notFound, StatusError } from '../status/status-error.ts';
import type { Call, World } from './call.ts';

const namespaces = { group: '', resource: 'namespaces' };

/** Refuses new objects in namespaces that do not exist or are on their way out. */
export function requireLivingNamespace(world: World, call: Call, name: string): void {
  if (!call.resource.namespaced || call.namespace === undefined) return;
  const namespace = world.store.get(bucketOf(namespaces), keyOf(undefined, call.namespace))?.object();
  if (!namespace) throw notFound(namespaces, call.namespace);
  if (namespace.metadata.deletionTimestamp === undefined) return;
  const { group, resource } = call.resource;
  const problem = `unable to create new content in namespace ${call.namespace} because it is being terminated`;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  throw new StatusError(403, 'Forbidden', `${qualified} "${name}" is forbidden: ${problem}`, {
    name,
    ...(group === '' ? {} : { group }),
    kind: resource,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${call.namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}

const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** Refuses to delete the namespaces that every cluster has. */
export function requireMortalNamespace({ group, resource }: ServedResource, name: string): void {
  if (group !== '' || resource !== 'namespaces' || !immortal.has(name)) return;
  throw forbidden(namespaces, name, 'this namespace may not be deleted');
}
