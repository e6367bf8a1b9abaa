import {
  type Change,
  KubeError,
  type KubeErrorCode,
  keyOf,
  type ObjectRef,
  type ResourceClient,
  type ResourceType,
  type UnknownObject,
} from '@klutch/kube';
import { isRecord } from './canonical.ts';

type Tree = Record<string, unknown>;

/** One API of a cluster, in memory, with the promises of Kubernetes that synchronisation builds on. */
export class ModelCluster {
  readonly objects = new Map<string, UnknownObject>();
  /** Every change, in order. */
  readonly history: { readonly key: string; readonly object: UnknownObject; readonly isDeleted: boolean }[] = [];
  /** Requests that asked for a change, whether or not it changed something. */
  requests: string[] = [];
  /** Called before a request is carried out; what it throws is the answer. */
  before: () => void = () => {};
  /** Called after a request was carried out; what it throws is the answer. */
  after: () => void = () => {};
  /** Whether objects can be created: not while the CRD goes. */
  isServed: () => boolean = () => true;
  /** Called with every copy that is deleted on request. */
  onDelete: (object: UnknownObject) => void = () => {};
  readonly #owned = new Map<string, Map<string, Set<string>>>();
  readonly #type: ResourceType;
  readonly #prefix: string;
  readonly #date: () => Date;
  #counter = 0;

  constructor(type: ResourceType, prefix: string, date: () => Date) {
    this.#type = type;
    this.#prefix = prefix;
    this.#date = date;
  }

  /** Creates an object as somebody other than the konnector. */
  put(ref: ObjectRef, content: object, metadata: object = {}): UnknownObject {
    const key = keyOf(ref);
    this.#counter += 1;
    const object: UnknownObject = {
      apiVersion: 'example.org/v1',
      kind: this.#type.kind,
      ...content,
      metadata: {
        ...metadata,
        ...ref,
        uid: `${this.#prefix}-${this.#counter}`,
        generation: 1,
        creationTimestamp: this.#date().toISOString(),
      },
    };
    return this.#store(key, object);
  }

  /** Changes an object as somebody other than the konnector. */
  edit(key: string, change: (object: UnknownObject) => UnknownObject): void {
    const before = this.objects.get(key);
    if (before) this.#store(key, change(structuredClone(before)));
  }

  remove(key: string): void {
    const object = this.objects.get(key);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
    const { metadata } = object;
    this.#store(key, { ...object, metadata: { ...metadata, deletionTimestamp: this.#date().toISOString() } });
  }

  client(): ResourceClient<UnknownObject> {
    const unused = () => {
      throw new Error('not used here');
    };
    const asked = async <T>(what: string, work: () => T): Promise<T> => {
      await Promise.resolve();
      this.before();
      if (what) this.requests.push(what);
      const answer = structuredClone(work());
      this.after();
      return answer;
    };
    const find = (ref: ObjectRef) => asked('', () => this.objects.get(keyOf(ref)));
    return {
      type: this.#type,
      find,
      get: async (ref) => (await find(ref)) ?? refuse('KUBE_NOT_FOUND'),
      list: unused,
      pages: unused,
      watch: unused,
      replace: unused,
      deleteCollection: unused,
      create: (object) => asked('create', () => this.#create(object)),
      patch: (ref, { patch }, options) =>
        asked(`patch ${options?.subresource ?? ''}`, () => this.#patch(keyOf(ref), patch as Tree)),
      apply: (object, { fieldManager }) => asked('apply', () => this.#apply(object, fieldManager)),
      delete: (ref, options) =>
        asked('delete', () => {
          const object = this.objects.get(keyOf(ref)) ?? refuse('KUBE_NOT_FOUND');
          check(object, options?.preconditions ?? {});
          this.onDelete(object);
          this.remove(keyOf(ref));
        }),
    };
  }

  #create(object: UnknownObject): UnknownObject {
    const { name = '', namespace } = object.metadata;
    if (!this.isServed()) refuse('KUBE_REQUEST_FAILED');
    if (this.objects.has(keyOf({ name, namespace }))) refuse('KUBE_ALREADY_EXISTS');
    return this.put({ name, namespace }, object, object.metadata);
  }

  #patch(key: string, patch: Tree): UnknownObject {
    const before = this.objects.get(key) ?? refuse('KUBE_NOT_FOUND');
    const { uid, resourceVersion } = (patch['metadata'] ?? {}) as { uid?: string; resourceVersion?: string };
    check(before, { uid, resourceVersion });
    const after = merged(structuredClone(before), patch) as UnknownObject;
    const { resourceVersion: version } = before.metadata;
    return this.#store(key, { ...after, metadata: { ...after.metadata, resourceVersion: version } });
  }

  #apply(object: UnknownObject, manager: string): UnknownObject {
    const { uid, resourceVersion, ...metadata } = object.metadata;
    const key = keyOf({ name: metadata.name ?? '', namespace: metadata.namespace });
    let before = this.objects.get(key);
    if (before) check(before, { uid, resourceVersion });
    else if (uid !== undefined) refuse('KUBE_CONFLICT');
    before ??= this.put({ name: metadata.name ?? '', namespace: metadata.namespace }, {});
    const wanted = { ...object, metadata: { labels: metadata.labels, annotations: metadata.annotations } };
    const managers = this.#owned.get(key) ?? new Map<string, Set<string>>();
    const previous = managers.get(manager) ?? new Set<string>();
    const now = new Set(leaves(wanted));
    const after = structuredClone(before) as Tree;
    for (const path of previous) if (!now.has(path)) removePath(after, path.split('\n'));
    managers.set(manager, now);
    this.#owned.set(key, managers);
    return this.#store(key, withGeneration(before, merged(after, structuredClone(wanted)) as UnknownObject));
  }

  #store(key: string, object: UnknownObject): UnknownObject {
    const before = this.objects.get(key);
    if (before && JSON.stringify(before) === JSON.stringify(object)) return before;
    this.#counter += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(1000 + this.#counter) } };
    const { deletionTimestamp, finalizers = [] } = stored.metadata;
    const isDeleted = deletionTimestamp !== undefined && finalizers.length === 0;
    if (isDeleted) {
      this.objects.delete(key);
      this.#owned.delete(key);
    } else {
      this.objects.set(key, stored);
    }
    this.history.push({ key, object: stored, isDeleted });
    return stored;
  }
}

/** A cache of a cluster that learns of changes only when it is told to. */
export class LaggingCache {
  readonly objects = new Map<string, UnknownObject>();
  readonly #cluster: ModelCluster;
  readonly #changed: (change: Change<UnknownObject>, isFirst: boolean) => void;
  #position = 0;

  constructor(cluster: ModelCluster, changed: (change: Change<UnknownObject>, isFirst: boolean) => void) {
    this.#cluster = cluster;
    this.#changed = changed;
  }

  get isBehind(): boolean {
    return this.#position < this.#cluster.history.length;
  }

  /** The next change of the watch. */
  step(): void {
    const entry = this.#cluster.history[this.#position];
    if (entry === undefined) return;
    this.#position += 1;
    const { key } = entry;
    const old = this.objects.get(key);
    if (entry.isDeleted) {
      this.objects.delete(key);
      if (old) this.#changed({ type: 'deleted', key, object: structuredClone(entry.object) }, false);
      return;
    }
    this.objects.set(key, entry.object);
    const object = structuredClone(entry.object);
    this.#changed(old ? { type: 'updated', key, object, old } : { type: 'added', key, object }, false);
  }

  /** The state as a list gives it: what happened in between is not told. */
  relist(isFirst: boolean): void {
    this.#position = this.#cluster.history.length;
    for (const [key, object] of this.objects) {
      if (this.#cluster.objects.get(key)?.metadata.uid === object.metadata.uid) continue;
      this.objects.delete(key);
      this.#changed({ type: 'deleted', key, object, lastKnown: true }, false);
    }
    for (const [key, object] of this.#cluster.objects) {
      const old = this.objects.get(key);
      this.objects.set(key, object);
      const copy = structuredClone(object);
      this.#changed(old ? { type: 'updated', key, object: copy, old } : { type: 'added', key, object: copy }, isFirst);
    }
  }
}

function withGeneration(before: UnknownObject, after: UnknownObject): UnknownObject {
  const isSame = JSON.stringify(before['spec']) === JSON.stringify(after['spec']);
  const generation = (before.metadata.generation ?? 0) + (isSame ? 0 : 1);
  return { ...after, metadata: { ...after.metadata, generation } };
}

function check(object: UnknownObject, expected: { readonly uid?: string; readonly resourceVersion?: string }): void {
  const { uid, resourceVersion } = object.metadata;
  if (expected.uid !== undefined && expected.uid !== uid) refuse('KUBE_CONFLICT');
  if (expected.resourceVersion !== undefined && expected.resourceVersion !== resourceVersion) refuse('KUBE_CONFLICT');
}

function refuse(code: KubeErrorCode): never {
  const body = { kind: 'Status', apiVersion: 'v1', message: code } as const;
  throw new KubeError(code, `refused by the model: ${code}`, { body });
}

function* leaves(value: unknown, path: readonly string[] = []): Iterable<string> {
  if (!isRecord(value)) {
    if (value !== undefined) yield path.join('\n');
    return;
  }
  for (const [key, field] of Object.entries(value)) yield* leaves(field, [...path, key]);
}

function removePath(tree: Tree, [first = '', ...rest]: readonly string[]): void {
  const next = tree[first];
  if (rest.length === 0) delete tree[first];
  else if (isRecord(next)) removePath(next, rest);
}

/** RFC 7386. */
function merged(target: Tree, patch: Tree): Tree {
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete target[key];
    else if (value === undefined) continue;
    else if (isRecord(value)) target[key] = merged(isRecord(target[key]) ? target[key] : {}, value);
    else target[key] = value;
  }
  return target;
}
