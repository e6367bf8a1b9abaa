import type { ApiObject, Json } from '../../objects/api-object.ts';
import type { World } from '../../operations/call.ts';
import { keyOf, type ServedResource } from '../../registry/served-resource.ts';
import { ifThere } from '../caller/expected-failure.ts';
import { controllerActor, createSystemCaller, placeOf } from '../caller/system-caller.ts';
import { inBatches } from '../loop/in-batches.ts';
import type { StoredTypes } from '../types/stored-types.ts';
import { FOREGROUND, ORPHAN, type Verdict } from './decide.ts';
import type { DependencyGraph } from './dependency-graph.ts';
import type { Dependent } from './dependent-index.ts';

/** Does what was decided about an object. */
export type GarbageActions = (verdict: Verdict, type: ServedResource, object: ApiObject) => Promise<void>;

export function createGarbageActions(world: World, types: StoredTypes, graph: DependencyGraph): GarbageActions {
  const { store } = world;
  const caller = createSystemCaller(world, controllerActor('generic-garbage-collector'));

  return async (verdict, type, object) => {
    const { uid = '', resourceVersion, ownerReferences = [] } = object.metadata;
    switch (verdict.do) {
      case 'nothing':
      case 'leave':
        return;
      case 'orphanDependents':
        return orphanDependents(type, object);
      case 'release':
        return release(type, object, FOREGROUND);
      case 'dropOwners':
        return dropOwners(type, object, verdict.uids);
      case 'unblockOwners': {
        const unblocked = ownerReferences.map((reference) => ({ ...reference, blockOwnerDeletion: false }));
        return patchMetadata(type, object, { ownerReferences: unblocked });
      }
      case 'delete': {
        const options = { uid, resourceVersion, propagation: verdict.propagation };
        return ifThere(caller.remove(type, placeOf(object), options));
      }
    }
  };

  async function orphanDependents(type: ServedResource, owner: ApiObject): Promise<void> {
    const { uid = '', namespace, name = '' } = owner.metadata;
    await inBatches(graph.dependentsOf(uid), (dependent) => orphan(dependent, uid));
    const latest = store.get(type.bucket, keyOf(namespace, name))?.object();
    if (latest?.metadata.uid === uid) await release(type, latest, ORPHAN);
  }

  async function orphan({ bucket, key }: Dependent, ownerUid: string): Promise<void> {
    const type = types.inBucket(bucket);
    const object = store.get(bucket, key)?.object();
    if (type && object) await dropOwners(type, object, [ownerUid]);
  }

  async function dropOwners(type: ServedResource, object: ApiObject, uids: readonly string[]): Promise<void> {
    const before = object.metadata.ownerReferences ?? [];
    const left = before.filter(({ uid }) => !uids.includes(uid));
    if (left.length === before.length) return;
    await patchMetadata(type, object, { ownerReferences: left.length === 0 ? null : left });
  }

  async function release(type: ServedResource, object: ApiObject, finalizer: string): Promise<void> {
    const before = object.metadata.finalizers ?? [];
    const left = before.filter((other) => other !== finalizer);
    if (left.length === before.length) return;
    await patchMetadata(type, object, { finalizers: left.length === 0 ? null : left });
  }

  async function patchMetadata(type: ServedResource, object: ApiObject, fields: object): Promise<void> {
    const { uid, resourceVersion } = object.metadata;
    const metadata = { uid, resourceVersion, ...fields } as unknown as Json;
    await ifThere(caller.mergePatch(type, placeOf(object), { metadata }));
  }
}
