import {
  type AcceptablePermissionClaim,
  annotations,
  type APIServiceBinding,
  APIServiceBindings,
  type Condition,
  ConditionType,
  CustomResourceDefinitions,
  findCondition,
  labels,
} from '@klutch/api';
import type { KonnectorOptions } from '@klutch/konnector';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import {
  type Clock,
  type ClusterConfig,
  ConfigMaps,
  type Interceptor,
  Secrets,
  systemClock,
  type UnknownObject,
} from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { type AppSide, openAppSide, widget } from '../konnector/app-side.ts';
import { installKinds, stayQuiet, unique } from '../konnector/clusters.ts';
import { konnectorOptions, launch, localConfig, type TestKonnector } from '../konnector/run-konnector.ts';
import { type SampleApi, sampleApi } from '../konnector/sample-api.ts';
import { createTenant, type TestTenant } from '../konnector/tenant.ts';
import { openRewindable, type RewindableCluster } from './rewindable.ts';

export interface RewindableClusters {
  readonly tier: Tier;
  readonly app: RewindableCluster;
  readonly controlPlane: RewindableCluster;
}

/** Declares the same tests on both tiers, on clusters that belong to them alone. */
export function onClustersOfTheirOwn(title: string, body: (open: () => Promise<Stage>) => void): void {
  const suite = (tier: Tier) => () => {
    let clusters: RewindableClusters | undefined;
    const stages = new Set<Stage>();
    beforeAll(async () => {
      const [app, controlPlane] = await Promise.all([openRewindable(tier), openRewindable(tier)]);
      await installKinds(controlPlane);
      clusters = { tier, app, controlPlane };
    }, 180_000);
    afterEach(async () => {
      for (const stage of stages) await stage.close();
      stages.clear();
    });
    afterAll(async () => {
      await Promise.all([clusters?.app.close(), clusters?.controlPlane.close()]);
    });
    body(async () => {
      if (!clusters) throw new Error('The clusters are there only while tests run.');
      const stage = await openStage(clusters);
      stages.add(stage);
      return stage;
    });
  };
  describe(`${title} (embedded)`, suite('embedded'));
  describeReal(`${title} (real)`, suite('real'));
}

/** An API that is bound with a claim on the provider's Secrets, and konnectors that serve it. */
export interface Stage extends RewindableClusters {
  readonly api: SampleApi;
  readonly tenant: TestTenant;
  readonly side: AppSide;
  /** How a konnector with exactly the generated roles reaches the app cluster. */
  readonly local: ClusterConfig;
  /** Starts a konnector, whose clock is wrong by so many seconds, and waits until it reaches the control plane or not. */
  start(
    skewSeconds?: number,
    options?: Partial<KonnectorOptions>,
    heartbeating?: 'True' | 'False',
    interceptors?: readonly Interceptor[],
  ): Promise<TestKonnector>;
  /** Creates objects in the app cluster and waits until each has a copy; answers with the UIDs of the copies by name. */
  grow(namespace: string, ...names: string[]): Promise<ReadonlyMap<string, string>>;
  /** Creates a Secret on the control plane and waits until it is in the app cluster. */
  give(namespace: string, name: string): Promise<void>;
  /** UIDs of all copies that belong to an app namespace, by name. */
  copies(namespace: string): Promise<ReadonlyMap<string, string>>;
  originals(namespace: string): Promise<ReadonlyMap<string, string>>;
  /** Names of the Secrets that were carried down to a namespace. */
  received(namespace: string): Promise<readonly string[]>;
  /** Waits until a condition of the binding is as wanted; `texts` are parts of its message. */
  condition(type: string, status: string, reason?: string, ...texts: readonly string[]): Promise<Condition>;
  annotate(key: string, value: string | null): Promise<void>;
  /** Stores a kubeconfig and binds the API. */
  bind(): Promise<void>;
  /** Deletes the binding and its kubeconfig, as `klutch unbind` does, and waits until the konnector has let go of the API. */
  unbind(): Promise<void>;
  close(): Promise<void>;
}

const secretClaim: AcceptablePermissionClaim = {
  group: '',
  resource: 'secrets',
  version: 'v1',
  selector: { names: ['*'], namespaces: ['*'], owner: 'Provider' },
  state: 'Accepted',
};

export interface StageOptions {
  /** Another stage whose tenant and API this one uses too, from an app cluster of its own. */
  readonly like?: Pick<Stage, 'api' | 'tenant' | 'side'>;
  /** That app cluster is a twin of the other one: everything is there already. */
  readonly twin?: boolean;
}

export async function openStage(clusters: RewindableClusters, options: StageOptions = {}): Promise<Stage> {
  const { like, twin = false } = options;
  const { app, controlPlane } = clusters;
  const api = like?.api ?? sampleApi();
  const tenant = like?.tenant ?? (await createTenant(controlPlane));
  const { state: _, ...asked } = secretClaim;
  await tenant.publish(api, { claims: [asked] });
  const side = like && twin ? await openAppSide(app, like.side.bindingNamespace) : await openAppSide(app);
  async function bind(): Promise<void> {
    await side.storeKubeconfig(await tenant.offered());
    await side.bind(api, { claims: [secretClaim] });
  }
  if (!twin) await bind();
  const local = await localConfig(side, { apis: [api], claims: [secretClaim] });
  const running = new Set<TestKonnector>();
  const originals = app.admin.resource(api.type);
  const copies = controlPlane.admin.resource(api.type);
  const bindings = app.admin.resource(APIServiceBindings);
  const binding = { namespace: side.bindingNamespace, name: api.name };

  return {
    ...clusters,
    api,
    tenant,
    side,
    local,
    start: async (skewSeconds = 0, options = {}, heartbeating = 'True', interceptors = []) => {
      const konnector = await launch(
        { ...konnectorOptions(side, local), ...options },
        { clock: skewed(skewSeconds), interceptors },
      );
      running.add(konnector);
      await eventually(() => konnector.isLeader(), { withinMs: 30_000 });
      await side.condition(api, ConditionType.Heartbeating, heartbeating);
      await side.condition(api, ConditionType.SchemaInSync, 'True');
      return konnector;
    },
    grow: async (namespace, ...names) => {
      for (const name of names) await originals.create(widget(api, name, namespace, { size: 1 }));
      const service = await tenant.serviceNamespace(namespace);
      const made = await eventually(
        async () => {
          const found = uidsOf((await copies.list({ namespace: service })).items);
          return names.every((name) => found.has(name)) && found;
        },
        { withinMs: 30_000, everyMs: 20 },
      );
      return new Map(names.map((name) => [name, made.get(name) ?? '']));
    },
    give: async (namespace, name) => {
      const service = await tenant.serviceNamespace(namespace);
      await controlPlane.admin.resource(Secrets).create(secret(service, name));
      await eventually(() => app.admin.resource(Secrets).find({ namespace, name }), { withinMs: 30_000 });
    },
    copies: async (namespace) =>
      uidsOf((await copies.list({ namespace: await tenant.serviceNamespace(namespace) })).items),
    originals: async (namespace) => uidsOf((await originals.list({ namespace })).items),
    received: async (namespace) => {
      const labelSelector = `${labels.claimedFrom}=Provider`;
      const { items } = await app.admin.resource(Secrets).list({ namespace, labelSelector });
      return items.map(({ metadata }) => metadata.name ?? '').sort();
    },
    condition: (type, status, reason, ...texts) =>
      eventually(
        async () => {
          const found = conditionOf(await bindings.get(binding), type);
          const isWanted = found?.status === status && (reason === undefined || found.reason === reason);
          if (isWanted && texts.every((text) => found.message?.includes(text))) return found;
          throw new Error(`${type} is ${JSON.stringify(found)}, not ${[status, reason, ...texts].join(' ')}`);
        },
        { withinMs: 30_000, everyMs: 50 },
      ),
    annotate: async (key, value) => {
      await bindings.patch(binding, { type: 'merge', patch: { metadata: { annotations: { [key]: value } } } });
    },
    bind,
    unbind: async () => {
      const secretName = (await bindings.get(binding)).spec?.kubeconfigSecretRef.name ?? '';
      await bindings.delete(binding);
      await eventually(
        async () => {
          const crd = await app.admin.resource(CustomResourceDefinitions).get({ name: api.name });
          return crd.metadata.annotations?.[annotations.released] !== undefined;
        },
        { withinMs: 30_000 },
      );
      await app.admin.resource(Secrets).delete({ namespace: binding.namespace, name: secretName });
    },
    close: async () => {
      for (const konnector of running) await konnector.stop();
      if (!like) await tenant.close();
    },
  };
}

/**
 * Something happens in a cluster, so that its versions grow as they do in the hours between a backup and its use. It takes
 * more than a second, because creation times do not tell what happened within one.
 */
export async function letTimePass(cluster: RewindableCluster): Promise<void> {
  const maps = cluster.admin.resource(ConfigMaps);
  const ref = { namespace: 'default', name: unique('busy') };
  await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: ref });
  const beat = (lane: number, count: number) =>
    maps.patch(ref, { type: 'merge', patch: { data: { [`lane-${lane}`]: `${count}` } } });
  for (let count = 0; count < 60; count++) await Promise.all([0, 1, 2, 3, 4].map((lane) => beat(lane, count)));
  await stayQuiet(wholeSecondMs);
}

/** A second in which anything else began is over after this. */
const wholeSecondMs = 1_100;

export function secret(namespace: string, name: string) {
  const data = { password: Buffer.from('correct horse').toString('base64') };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data };
}

function conditionOf({ status }: APIServiceBinding, type: string): Condition | undefined {
  return findCondition(status?.conditions, type);
}

function uidsOf(items: readonly UnknownObject[]): ReadonlyMap<string, string> {
  return new Map(items.map(({ metadata: { name = '', uid = '' } }) => [name, uid]));
}

/** A clock that is wrong by so many seconds, but runs. */
function skewed(seconds: number): Clock {
  return { ...systemClock, date: () => new Date(systemClock.date().getTime() + seconds * 1_000) };
}
