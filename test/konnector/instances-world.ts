import {
  APIServiceNamespaces,
  annotations,
  apiVersion,
  type ConditionState,
  ConditionType,
  CustomResourceDefinitions,
} from '@klutch/api';
import { isKubeError, Namespaces, type ObjectRef, type ResourceClient, type UnknownObject } from '@klutch/kube';
import {
  type BindingBoard,
  type BoundApi,
  defaultMetadataRules,
  type Instances,
  type Line,
  type Link,
  type Mapping,
  type MetadataRules,
  type NamespaceMap,
  runInstances,
} from '@klutch/konnector/parts';
import { eventually } from '@klutch/kube/testing';
import { afterEach } from 'vitest';
import type { TestLinkOptions } from './world.ts';
import {
  type AppSide,
  type Clusters,
  createTenant,
  installCrd,
  openAppSide,
  openLink,
  type RecordedWrite,
  type SampleApi,
  sampleApi,
  type TestTenant,
  widget,
} from './world.ts';

export interface InstancesWorldOptions extends TestLinkOptions {
  readonly api?: SampleApi;
  /** The API as the control plane has it, where that differs. */
  readonly apiAbove?: SampleApi;
  /** Overrides of what the konnector knows of the API. */
  readonly bound?: Partial<BoundApi>;
  readonly metadata?: MetadataRules;
  readonly informerScope?: 'Namespaced' | 'Cluster';
  /** Use the tenant and clusters of another world. */
  readonly tenant?: TestTenant;
  /** Name of the tenant's namespace. */
  readonly clusterNamespace?: string;
}

/** One API that is bound, and the part of the konnector that carries its objects. */
export interface InstancesWorld {
  readonly api: SampleApi;
  readonly tenant: TestTenant;
  readonly side: AppSide;
  readonly link: Link;
  readonly writes: readonly RecordedWrite[];
  readonly instances: Instances;
  readonly namespaces: NamespaceMap & { mapped(appNamespace: string, mapping: Mapping): void };
  /** The objects as an administrator sees them. */
  readonly app: ResourceClient<UnknownObject>;
  readonly controlPlane: ResourceClient<UnknownObject>;
  readonly bound: BoundApi;
  /** What was last reported about the binding, by type. */
  readonly reported: ReadonlyMap<string, ConditionState>;
  create(name: string, namespace: string | undefined, spec: object, metadata?: object): Promise<UnknownObject>;
  /** Where the copy of an original is. */
  place(original: ObjectRef): Promise<ObjectRef>;
  /** The copy, as soon as it satisfies the check. */
  copy(original: ObjectRef, check?: (copy: UnknownObject) => boolean): Promise<UnknownObject>;
  original(ref: ObjectRef, check?: (original: UnknownObject) => boolean): Promise<UnknownObject>;
  gone(client: ResourceClient<UnknownObject>, ref: ObjectRef): Promise<void>;
  /** Waits until no write has been sent for a while. */
  quiet(): Promise<void>;
  /** Starts the part anew, as a new process would. */
  restart(options?: Partial<InstancesWorldOptions>): Promise<InstancesWorld>;
  stop(): Promise<void>;
}

/** Opens worlds; all that are left at the end of a test are closed. */
export function instancesWorlds(clusters: () => Clusters) {
  const open = new Set<InstancesWorld>();
  const tenants = new Set<TestTenant>();
  afterEach(async () => {
    for (const world of open) await world.stop();
    for (const tenant of tenants) await tenant.close();
    tenants.clear();
  });

  return async function world(options: InstancesWorldOptions = {}): Promise<InstancesWorld> {
    const { app, controlPlane } = clusters();
    const api = options.api ?? sampleApi();
    const tenant = options.tenant ?? (await createTenant(controlPlane, options.clusterNamespace));
    tenants.add(tenant);
    const side = await openAppSide(app);
    const isolation = options.bound?.isolation;
    const above = options.apiAbove ?? api;
    await tenant.publish(above, {
      informerScope: options.informerScope ?? (api.type.namespaced ? undefined : 'Cluster'),
      isolation: isolation === 'ServiceNamespace' ? undefined : isolation,
    });
    await installCrd(app.admin, api.crd);
    return start({ ...options, api, tenant }, side);
  };

  async function start(options: InstancesWorldOptions & { api: SampleApi; tenant: TestTenant }, side: AppSide) {
    const { api, tenant } = options;
    const { link, writes, close } = await openLink(side, tenant, { apis: [api], ...options });
    const end = new AbortController();
    const bound: BoundApi = {
      binding: { name: api.name, namespace: side.bindingNamespace, uid: 'binding' },
      name: api.name,
      crdUid: await stampCrd(side, api, link.appLine),
      appType: api.type,
      controlPlaneType: api.type,
      isolation: api.type.namespaced ? 'ServiceNamespace' : 'Prefixed',
      informerScope: options.informerScope ?? (api.type.namespaced ? 'Namespaced' : 'Cluster'),
      statusSubresource: true,
      statusConditions: true,
      orphans: 'Hold',
      ...options.bound,
    };
    const reported = new Map<string, ConditionState>();
    const namespaces = await followNamespaces(link, side);
    const instances = runInstances({
      link,
      api: bound,
      namespaces,
      board: boardInto(reported),
      metadata: options.metadata ?? defaultMetadataRules,
      signal: end.signal,
    });
    await instances.ready;
    const { admin } = side.cluster;
    const controlPlane = clusters().controlPlane.admin.resource(bound.controlPlaneType);
    const appClient = admin.resource(api.type);
    const world: InstancesWorld = {
      api,
      tenant,
      side,
      link,
      writes,
      instances,
      namespaces,
      app: appClient,
      controlPlane,
      bound,
      reported,
      create: (name, namespace, spec, metadata = {}) => {
        const object = widget(api, name, namespace, spec);
        return appClient.create({ ...object, metadata: { ...object.metadata, ...metadata } });
      },
      place: async ({ namespace, name }) => {
        if (namespace !== undefined) return { namespace: await tenant.serviceNamespace(namespace), name };
        if (bound.isolation === 'Namespaced') return { namespace: tenant.clusterNamespace, name };
        return { name: bound.isolation === 'None' ? name : `${tenant.clusterNamespace}-${name}` };
      },
      copy: async (original, check = () => true) => seen(controlPlane, await world.place(original), check),
      original: (ref, check = () => true) => seen(appClient, ref, check),
      gone: async (client, ref) => {
        await eventually(async () => (await client.find(ref)) === undefined, { withinMs: 60_000, everyMs: 10 });
      },
      quiet: async () => {
        let count = -1;
        let since = performance.now();
        await eventually(
          () => {
            if (writes.length !== count) {
              count = writes.length;
              since = performance.now();
            }
            return performance.now() - since > 700;
          },
          { withinMs: 30_000, everyMs: 50 },
        );
      },
      restart: async (changes = {}) => {
        await world.stop();
        return start({ ...options, ...changes, api, tenant }, side);
      },
      stop: async () => {
        open.delete(world);
        end.abort();
        await instances.stopped;
        await namespaces.stop();
        await close();
      },
    };
    open.add(world);
    return world;
  }
}

/** As the part that keeps CRDs does it; answers with the UID. */
async function stampCrd({ cluster }: AppSide, { name }: SampleApi, line: Line): Promise<string | undefined> {
  const crds = cluster.admin.resource(CustomResourceDefinitions);
  const { metadata } = await crds.get({ name });
  if (metadata.annotations?.[annotations.crdStamp] === undefined) {
    const stamp = `${metadata.uid} ${await line.reserve()}`;
    await crds.patch(
      { name },
      { type: 'merge', patch: { metadata: { annotations: { [annotations.crdStamp]: stamp } } } },
    );
  }
  return metadata.uid;
}

async function seen(
  client: ResourceClient<UnknownObject>,
  ref: ObjectRef,
  check: (object: UnknownObject) => boolean,
): Promise<UnknownObject> {
  let last: UnknownObject | undefined;
  return eventually(
    async () => {
      last = await client.find(ref);
      if (last && check(last)) return last;
      throw new Error(`${ref.namespace}/${ref.name} is ${JSON.stringify(last)}`);
    },
    { withinMs: 60_000, everyMs: 10 },
  );
}

function boardInto(reported: Map<string, ConditionState>): BindingBoard {
  return {
    report: (_, state) => void reported.set(state.type, state),
    withdraw: (_, type) => void reported.delete(type),
    reportProvider: () => {},
  };
}

/** Mappings from APIServiceNamespaces, without the rules for giving them up. */
async function followNamespaces(link: Link, side: AppSide) {
  const { clusterNamespace } = link.tenant;
  const share = link.controlPlane.informers.acquire({ type: APIServiceNamespaces, namespace: clusterNamespace });
  const { informer } = share;
  await informer.synced;
  const forced = new Map<string, Mapping>();
  const wanted = new Map<string, Date>();
  const subscribers = new Set<(appNamespace: string) => void>();
  const pending = new Set<Promise<unknown>>();
  const tell = (name: string) => {
    for (const subscriber of subscribers) subscriber(name);
  };
  const unsubscribe = informer.subscribe((change) => tell(change.object.metadata.name ?? ''));

  const of = (appNamespace: string): Mapping => {
    const decided = forced.get(appNamespace);
    if (decided) return decided;
    const serviceNamespace = informer.cache.get({ namespace: clusterNamespace, name: appNamespace })?.status?.namespace;
    if (serviceNamespace) return { state: 'ready', serviceNamespace };
    const since = wanted.get(appNamespace);
    return since ? { state: 'waiting', since } : { state: 'unknown' };
  };
  function* entries(): Iterable<readonly [string, string]> {
    for (const { metadata, status } of informer.cache.values()) {
      if (status?.namespace) yield [metadata.name ?? '', status.namespace] as const;
    }
  }
  return {
    of,
    entries,
    appNamespaceOf: (serviceNamespace: string) =>
      [...entries()].find(([, service]) => service === serviceNamespace)?.[0],
    want: (appNamespace: string) => {
      if (wanted.has(appNamespace)) return;
      wanted.set(appNamespace, new Date());
      pending.add(ask(link, side, appNamespace));
    },
    subscribe: (changed: (appNamespace: string) => void) => {
      subscribers.add(changed);
      for (const { metadata } of informer.cache.values()) changed(metadata.name ?? '');
      return () => void subscribers.delete(changed);
    },
    mapped: (appNamespace: string, mapping: Mapping) => {
      forced.set(appNamespace, mapping);
      tell(appNamespace);
    },
    stop: async () => {
      unsubscribe();
      share.release();
      await Promise.all(pending);
    },
  };
}

async function ask(link: Link, side: AppSide, name: string): Promise<void> {
  const namespace = await side.cluster.admin.resource(Namespaces).find({ name });
  try {
    await link.controlPlane.client.resource(APIServiceNamespaces).create({
      apiVersion,
      kind: 'APIServiceNamespace',
      metadata: {
        name,
        namespace: link.tenant.clusterNamespace,
        annotations: {
          [annotations.sourceCluster]: link.appClusterId,
          [annotations.sourceUid]: namespace?.metadata.uid ?? '',
        },
      },
      spec: {},
    });
  } catch (error) {
    if (!isKubeError(error, 'KUBE_ALREADY_EXISTS')) throw error;
  }
}

export function specOf(object: UnknownObject): Record<string, unknown> {
  return object['spec'] as Record<string, unknown>;
}

/** The condition by which an original shows that it cannot travel as it should. */
export function syncedCondition(object: UnknownObject): object | undefined {
  const { conditions = [] } = (object['status'] ?? {}) as { conditions?: { type: string }[] };
  return conditions.find(({ type }) => type === ConditionType.KlutchSynced);
}
