import { crdBucket } from '../crd/crd.ts';
import { keyOf } from '../registry/served-resource.ts';
import { forbidden, noSuchPath } from '../status/status-error.ts';
import type { Call, World } from './call.ts';

/** Refuses new objects of a kind whose definition is on its way out, or went while the request was being read. */
export function requireLivingDefinition(world: World, { resource }: Call, name: string): void {
  if (resource.builtIn) return;
  const crd = world.store.get(crdBucket, keyOf(undefined, `${resource.resource}.${resource.group}`));
  if (!crd && resource.definition !== undefined) throw noSuchPath();
  // Definitions are large, and this is asked for every new object.
  if (!crd?.json.includes('"deletionTimestamp"')) return;
  if (crd.object().metadata.deletionTimestamp === undefined) return;
  throw forbidden(resource, name, 'create not allowed while custom resource definition is terminating');
}
