import type { ApiObject, Json } from '../../objects/api-object.ts';
import type { World } from '../../operations/call.ts';
import type { DeletionOptions } from '../../operations/delete.ts';
import { createRegistry } from '../../registry/registry.ts';
import { keyOf, type ServedResource } from '../../registry/served-resource.ts';
import { openStore } from '../../storage/index.ts';
import type { Entry, Store, StoredEvent } from '../../storage/types.ts';
import { createSystemCaller, type SystemCaller } from '../caller/system-caller.ts';
import { type ControllerContext, createContext } from '../context.ts';
import { TEST_TYPES } from './test-types.ts';

/** For tests: a cluster in memory, and someone who uses it. */
export interface TestWorld {
  readonly world: World;
  readonly store: Store;
  readonly user: SystemCaller;
  /** The type with this plural. */
  type(resource: string): ServedResource;
  create(resource: string, metadata: ApiObject['metadata'], fields?: object): Promise<ApiObject>;
  read(resource: string, name: string, namespace?: string): ApiObject | undefined;
  patch(resource: string, name: string, value: Json, namespace?: string): Promise<void>;
  remove(resource: string, name: string, namespace?: string, options?: DeletionOptions): Promise<void>;
  /** Keys of all objects of a type. */
  keys(resource: string): readonly string[];
  context(signal: AbortSignal): TestContext;
}

export interface TestContext extends ControllerContext {
  readonly warnings: object[];
}

/** @param store whose objects are to be there; default: none */
export async function testWorld(store?: Store): Promise<TestWorld> {
  const objects = store ?? (await openStore());
  const world: World = { store: objects, registry: createRegistry(TEST_TYPES), now: () => new Date() };
  const user = createSystemCaller(world, { user: { name: 'alice', groups: [] }, fieldManager: 'kubectl' });
  const type = (resource: string): ServedResource => {
    const found = world.registry.all().find((candidate) => candidate.resource === resource);
    if (!found) throw new Error(`no type ${resource}`);
    return found;
  };
  const read = (resource: string, name: string, namespace?: string) =>
    objects.get(type(resource).bucket, keyOf(namespace, name))?.object();
  return {
    world,
    store: objects,
    user,
    type,
    read,
    create: async (resource, metadata, fields = {}) => {
      const { kind, storageApiVersion: apiVersion } = type(resource);
      await user.create(type(resource), { apiVersion, kind, metadata, ...fields });
      return read(resource, metadata.name ?? '', metadata.namespace) ?? { apiVersion, kind, metadata };
    },
    patch: async (resource, name, value, namespace) => {
      await user.mergePatch(type(resource), { name, namespace }, value);
    },
    remove: async (resource, name, namespace, options) => {
      await user.remove(type(resource), { name, namespace }, options);
    },
    keys: (resource) => objects.scan(type(resource).bucket).map(({ key }) => key),
    context: (signal) => {
      const warnings: object[] = [];
      return { ...createContext({ world, signal, log: { warn: (fields) => warnings.push(fields) } }), warnings };
    },
  };
}

/** For tests: every event of a type from now on, as it happens. */
export function recordEvents(cluster: TestWorld, resource: string): StoredEvent[] {
  const { store } = cluster;
  const events: StoredEvent[] = [];
  store.watch(cluster.type(resource).bucket, store.revision, (event) => events.push(event));
  return events;
}

/** For tests: a view of a store that fails after so many writes, as if the process had been killed; what was written stays. */
export function dyingStore(store: Store, writes: number): Store {
  let left = writes;
  const commit = (write: Parameters<Store['commit']>[0]): Promise<Entry> | undefined => {
    if (left <= 0) return Promise.reject(new Error('killed'));
    left -= 1;
    return store.commit(write);
  };
  return new Proxy(store, {
    get: (target, property) => {
      if (property === 'commit') return commit;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
