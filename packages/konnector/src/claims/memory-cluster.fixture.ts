import { KubeError, keyOf, type ObjectRef, type ResourceClient, type UnknownObject } from '@klutch/kube';

/** Objects of one type as an API server keeps them, with its rules for versions, identities and preconditions. */
export interface MemoryCluster {
  readonly client: ResourceClient<UnknownObject>;
  /** The truth. */
  readonly objects: ReadonlyMap<string, UnknownObject>;
  /** Writes that changed something or tried to. */
  readonly writes: number;
  create(object: UnknownObject): UnknownObject;
  edit(key: string, change: (object: UnknownObject) => UnknownObject): void;
  /** Deletes, or begins to where finalizers are set. */
  delete(key: string): void;
}

/** @param ids makes UIDs and versions; clusters of one test may share it */
export function createMemoryCluster(ids: () => number): MemoryCluster {
  const objects = new Map<string, UnknownObject>();
  let writes = 0;

  const keyOfObject = ({ metadata: { name = '', namespace } }: UnknownObject) => keyOf({ name, namespace });
  const store = (object: UnknownObject): UnknownObject => {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(ids()) } };
    objects.set(keyOfObject(object), stored);
    return stored;
  };
  const present = (ref: ObjectRef): UnknownObject => {
    const found = objects.get(keyOf(ref));
    if (found === undefined) throw new KubeError('KUBE_NOT_FOUND', `${keyOf(ref)} does not exist`);
    return found;
  };

  function create(object: UnknownObject): UnknownObject {
    if (objects.has(keyOfObject(object))) throw new KubeError('KUBE_ALREADY_EXISTS', 'exists');
    return store({ ...object, metadata: { ...object.metadata, uid: `uid-${ids()}` } });
  }

  /** What differs is stored; what is the same changes nothing, not even the version. */
  function put(before: UnknownObject, after: UnknownObject): UnknownObject {
    return JSON.stringify(before) === JSON.stringify(after) ? before : store(after);
  }

  function check(found: UnknownObject, { uid, resourceVersion }: { uid?: string; resourceVersion?: string }): void {
    const isOther = uid !== undefined && uid !== found.metadata.uid;
    const isOld = resourceVersion !== undefined && resourceVersion !== found.metadata.resourceVersion;
    if (isOther || isOld) throw new KubeError('KUBE_CONFLICT', 'changed');
  }

  function remove(key: string): void {
    const found = objects.get(key);
    if (found === undefined) return;
    if (!found.metadata.finalizers?.length) return void objects.delete(key);
    store({ ...found, metadata: { ...found.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
  }

  const client: Pick<ResourceClient<UnknownObject>, 'find' | 'create' | 'replace' | 'patch' | 'delete'> = {
    find: async (ref) => objects.get(keyOf(ref)),
    create: async (object) => {
      writes += 1;
      return create(object);
    },
    replace: async (object) => {
      writes += 1;
      const found = present({ name: object.metadata.name ?? '', namespace: object.metadata.namespace });
      check(found, object.metadata);
      if (found['immutable'] === true) throw new KubeError('KUBE_INVALID', 'immutable');
      return put(found, object);
    },
    patch: async (ref, { patch }) => {
      writes += 1;
      const found = present(ref);
      const { metadata } = patch as Pick<UnknownObject, 'metadata'>;
      check(found, metadata);
      const annotations = { ...found.metadata.annotations, ...metadata.annotations };
      return put(found, { ...found, metadata: { ...found.metadata, annotations } });
    },
    delete: async (ref, options) => {
      writes += 1;
      check(present(ref), options?.preconditions ?? {});
      remove(keyOf(ref));
    },
  };

  return {
    // Only what carrying needs; anything else fails loudly.
    client: client as ResourceClient<UnknownObject>,
    objects,
    get writes() {
      return writes;
    },
    create,
    edit: (key, change) => {
      const found = objects.get(key);
      if (found !== undefined) store(change(found));
    },
    delete: remove,
  };
}
