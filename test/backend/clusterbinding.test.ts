import { binderRoleName, ClusterBindings, findCondition, type PermissionClaim } from '@klutch/api';
import { ConfigMaps, isKubeError, type KubeClient, Namespaces, type ResourceType, Secrets } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { binderRules } from '../../packages/backend/src/grants/binder-rules.ts';
import {
  ClusterRoleBindings,
  rbacGroup,
  RoleBindings,
  Roles,
  type RoleBinding,
} from '../../packages/backend/src/objects/rbac.ts';
import {
  addServiceNamespace,
  type BackendSettings,
  exportSpec,
  heartbeat,
  type Leader,
  onOwnPlane,
  openBackend,
  person,
  publish,
  sampleApi,
  type SampleApi,
  soon,
  stayQuiet,
  team,
  type TestBackend,
  type TestCluster,
  unique,
  useAs,
} from './tenants-world.ts';

vi.setConfig({ testTimeout: 240_000 });

const secretsOfProvider: PermissionClaim = {
  group: '',
  resource: 'secrets',
  version: 'v1',
  selector: { owner: 'Provider' },
};
const mapsOfConsumer: PermissionClaim = {
  group: '',
  resource: 'configmaps',
  version: 'v1',
  selector: { owner: 'Consumer' },
};

onOwnPlane('ClusterBindings', (plane) => {
  let backend: TestBackend | undefined;
  let leader: Leader | undefined;
  afterEach(async () => {
    await backend?.close();
    backend = undefined;
  });

  /** A backend that leads, and an app cluster that it knows. */
  async function start(settings: BackendSettings = {}) {
    backend = await openBackend(plane(), settings);
    leader = await backend.lead();
    return backend.tenants.provision({ id: unique('cluster') }, team('red'), person('ann'));
  }

  async function another() {
    if (!backend) throw new Error('Start the backend first.');
    return backend.tenants.provision({ id: unique('other') }, team('blue'), person('bob'));
  }

  const condition = async (namespace: string, type: string) => {
    const { status } = await plane().admin.resource(ClusterBindings).get({ namespace, name: 'cluster' });
    return findCondition(status?.conditions, type);
  };

  it('BE-34 S-1 never gives rights in all namespaces, however often it looks', async () => {
    const api = sampleApi();
    const { namespace } = await start({ exports: [exportSpec(api, [secretsOfProvider])] });
    await publish(plane(), namespace, api, [secretsOfProvider]);
    await soon(async () => (await condition(namespace, 'RightsGranted'))?.status === 'True');

    for (let looks = 0; looks < 100; looks += 1) {
      leader?.look(namespace);
      if (looks % 10 === 0) expect(await everywhere(plane())).toEqual([]);
    }
    await stayQuiet(500);
    expect(await everywhere(plane())).toEqual([]);
    expect(backend?.writes.filter(({ path }) => path.includes('clusterrolebindings'))).toEqual([]);
  });

  it('S-1 removes rights in all namespaces that an earlier backend gave, at the start and later', async () => {
    const { admin } = plane();
    const stray = (namespace: string) => {
      const name = binderRoleName(namespace);
      return admin.resource(ClusterRoleBindings).create(clusterWide(name, name, namespace));
    };
    await stray('cluster-gone');
    const others = clusterWide(unique('operator'), 'view', 'kube-system');
    await admin.resource(ClusterRoleBindings).create(others);

    const { namespace } = await start();
    await soon(async () => (await everywhere(plane())).length === 0);
    await stray(namespace);

    await soon(async () => (await everywhere(plane())).length === 0);
    expect(await admin.resource(ClusterRoleBindings).get({ name: others.metadata.name ?? '' })).toBeDefined();
  });

  it('BE-35 S-1 S-15 keeps the credential of an app cluster to its own namespaces', async () => {
    const api = sampleApi();
    const claims = [secretsOfProvider, mapsOfConsumer];
    const own = await start({ exports: [exportSpec(api, claims)] });
    const other = await another();
    for (const { namespace } of [own, other]) await publish(plane(), namespace, api, claims);
    const service = await addServiceNamespace(plane(), own.namespace, 'prod');
    const otherService = await addServiceNamespace(plane(), other.namespace, 'prod');

    await useAs(own.kubeconfig, async (client) => {
      await soon(() => isAllowed(() => client.resource(Secrets).list({ namespace: service })));
      for (const namespace of [undefined, 'kube-system', 'default', other.namespace, otherService]) {
        for (const type of [Secrets, ConfigMaps, api.type] as ResourceType[]) {
          expect(await isAllowed(() => client.resource(type).list({ namespace }))).toBe(false);
        }
      }
      expect(await isAllowed(() => client.resource(Namespaces).list())).toBe(false);
      expect(await isAllowed(() => client.resource(Namespaces).get({ name: own.namespace }))).toBe(true);
      expect(await isAllowed(() => client.resource(Namespaces).get({ name: other.namespace }))).toBe(false);
      expect(await isAllowed(() => client.resource(ConfigMaps).list({ namespace: own.namespace }))).toBe(false);
      expect(await isAllowed(() => client.resource(RoleBindings).list({ namespace: own.namespace }))).toBe(false);
      const anchor = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'mine', namespace: own.namespace } };
      expect(await isAllowed(() => client.resource(Secrets).create(anchor))).toBe(false);
    });
  });

  it("BE-41 BE-42 S-15 S-24 lets nobody create or delete objects of the provider's", async () => {
    const api = sampleApi();
    const claims = [secretsOfProvider, mapsOfConsumer];
    const { namespace, kubeconfig } = await start({ exports: [exportSpec(api, claims)] });
    await publish(plane(), namespace, api, claims);
    const service = await addServiceNamespace(plane(), namespace, 'prod');
    await soon(() => hasRule(plane(), service, api.type.plural));
    const named = (name: string) => ({ name, namespace: service });
    const secret = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: named(name) });
    await plane().admin.resource(Secrets).create(secret('of-provider'));

    const { rules } = await plane().admin.resource(Roles).get({ namespace: service, name: 'klutch-binder' });
    expect(rules?.find(({ resources }) => resources.includes('secrets'))?.verbs).toEqual([
      'get',
      'list',
      'watch',
      'update',
      'patch',
    ]);
    await useAs(kubeconfig, async (client) => {
      await soon(() => isAllowed(() => client.resource(Secrets).get(named('of-provider'))));
      const stamp = { metadata: { annotations: { 'klutch.anynines.com/resource-owner': 'Provider' } } };
      const patch = { type: 'merge', patch: stamp } as const;
      expect(await isAllowed(() => client.resource(Secrets).patch(named('of-provider'), patch))).toBe(true);
      expect(await isAllowed(() => client.resource(Secrets).create(secret('of-user')))).toBe(false);
      const applied = client.resource(Secrets).apply(secret('of-user'), { fieldManager: 'klutch.anynines.com' });
      expect(await isAllowed(() => applied)).toBe(false);
      expect(await isAllowed(() => client.resource(Secrets).delete(named('of-provider')))).toBe(false);
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: named('of-user') };
      expect(await isAllowed(() => client.resource(ConfigMaps).create(map))).toBe(false);
      const own = { ...map.metadata, annotations: { 'klutch.anynines.com/resource-owner': 'Consumer' } };
      expect(await isAllowed(() => client.resource(ConfigMaps).create({ ...map, metadata: own }))).toBe(true);
      expect(await isAllowed(() => createWidget(client, api, service))).toBe(true);
      expect(await isAllowed(() => client.resource(api.type).delete(named('w')))).toBe(true);
    });
  });

  it('grants no more than the exports that are there, and repairs what somebody changed', async () => {
    const { admin } = plane();
    const [kept, gone] = [sampleApi(), sampleApi()];
    const { namespace } = await start({ exports: [exportSpec(kept), exportSpec(gone)] });
    for (const api of [kept, gone]) await publish(plane(), namespace, api);
    const role = { namespace: await addServiceNamespace(plane(), namespace, 'prod'), name: 'klutch-binder' };
    const groups = async () => (await admin.resource(Roles).get(role)).rules?.map(({ apiGroups }) => apiGroups[0]);
    await soon(async () => (await groups())?.length === 2);

    await backend?.tenants.withdraw(namespace, [{ group: gone.type.group, resource: gone.type.plural }]);
    await soon(async () => (await groups())?.join() === kept.type.group);

    const wide = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    const binding = { namespace, name: 'klutch-binder' };
    await admin.resource(Roles).patch(role, { type: 'merge', patch: { rules: wide } });
    await admin.resource(Roles).patch(binding, { type: 'merge', patch: { rules: wide } });
    await admin.resource(RoleBindings).delete(binding);
    await admin
      .resource(RoleBindings)
      .create({ ...clusterWide('klutch-binder', 'view', namespace), kind: 'RoleBinding', metadata: binding });

    await soon(async () => (await groups())?.join() === kept.type.group);
    await soon(async () => (await admin.resource(Roles).get(binding)).rules?.length === binderRules.length);
    const repaired = await soon(async () => {
      const found = await admin.resource(RoleBindings).find(binding);
      return found?.roleRef.kind === 'Role' && found;
    });
    expect(repaired.subjects).toEqual([{ kind: 'ServiceAccount', name: 'klutch-binder', namespace }]);
    await soon(async () => (await condition(namespace, 'RightsGranted'))?.status === 'True');
    await admin.resource(Roles).delete(role);
    await soon(() => hasRule(plane(), role.namespace, kept.type.plural));
  });

  it('says so when it cannot grant what it does not have itself', async () => {
    const api = sampleApi();
    const { namespace } = await start();
    await publish(plane(), namespace, api);

    const refused = await soon(async () => {
      const found = await condition(namespace, 'RightsGranted');
      return found?.status === 'False' && found;
    });
    expect(refused).toMatchObject({ reason: 'GrantFailed', severity: 'Error' });
    expect(refused.message).toContain(api.type.group);
    expect(await condition(namespace, 'Ready')).toMatchObject({ status: 'False', reason: 'GrantFailed' });
  });

  it('gives rights in all namespaces where the scope is the cluster', async () => {
    const api = sampleApi({ scope: 'Cluster' });
    const { namespace, kubeconfig } = await start({ scope: 'Cluster', exports: [exportSpec(api)] });
    await publish(plane(), namespace, api);

    await useAs(kubeconfig, (client) => soon(() => isAllowed(() => client.resource(api.type).list())));
    expect(await everywhere(plane())).toContain(binderRoleName(namespace));
    await backend?.close();
    // Whoever takes over with the narrow scope takes it away.
    await start();
    await soon(async () => (await everywhere(plane())).length === 0);
  });

  it('BE-49 says that a konnector is healthy as long as it reports, and not long after that', async () => {
    const clock = createManualClock(new Date());
    const { namespace, kubeconfig } = await start({ clock, lifetimeSeconds: 86_400 });
    const healthy = () => condition(namespace, 'Healthy');
    await advancing(clock, async () => (await healthy())?.reason === 'FirstHeartbeatPending');

    for (let beats = 0; beats < 4; beats += 1) {
      await heartbeat(kubeconfig, namespace, clock.date());
      await advancing(clock, async () => (await healthy())?.status === 'True');
      await passing(clock, 150_000);
      expect(await healthy()).toMatchObject({ status: 'True' });
    }
    const silentSince = clock.now();
    await passing(clock, 440_000);
    expect(await healthy()).toMatchObject({ status: 'True' });
    await advancing(clock, async () => (await healthy())?.reason === 'HeartbeatTimeout');
    expect(clock.now() - silentSince + 150_000).toBeLessThan(2 * 300_000 + 60_000);
    expect(await condition(namespace, 'Ready')).toMatchObject({ status: 'False', reason: 'HeartbeatTimeout' });

    await heartbeat(kubeconfig, namespace, new Date(clock.date().getTime() + 300_000));
    await advancing(clock, async () => (await healthy())?.reason === 'HeartbeatTimeDrift');
    await passing(clock, 230_000);
    await advancing(clock, async () => (await healthy())?.status === 'True');
  });

  it('leaves alone a ClusterBinding that no backend made', async () => {
    const { admin } = plane();
    const name = unique('own');
    await admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const { namespace } = await start();
    const made = await admin.resource(ClusterBindings).get({ namespace, name: 'cluster' });
    await admin.resource(ClusterBindings).create({ ...made, metadata: { name: 'cluster', namespace: name } });
    await soon(async () => (await condition(namespace, 'RightsGranted'))?.status === 'True');
    leader?.look(name);
    await stayQuiet(500);

    expect((await admin.resource(RoleBindings).list({ namespace: name })).items).toEqual([]);
    expect(await condition(name, 'Healthy')).toBeUndefined();
  });
});

type ManualClock = ReturnType<typeof createManualClock>;

/** Lets time pass until something is so; not so fast that requests seem to hang. */
function advancing(clock: ManualClock, look: () => Promise<boolean>): Promise<boolean> {
  return soon(async () => {
    if (await look()) return true;
    await clock.advance(2_000);
    return false;
  });
}

async function passing(clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10_000) await clock.advance(Math.min(left, 10_000));
}

/** Names of the bindings that give rights of app clusters in all namespaces. */
async function everywhere({ admin }: TestCluster): Promise<readonly (string | undefined)[]> {
  const { items } = await admin.resource(ClusterRoleBindings).list();
  return items
    .filter(({ subjects = [] }) => subjects.some(({ name }) => name === 'klutch-binder'))
    .map(({ metadata }) => metadata.name);
}

function clusterWide(name: string, role: string, namespace: string): RoleBinding {
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    subjects: [{ kind: 'ServiceAccount', name: role === 'view' ? 'operator' : 'klutch-binder', namespace }],
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: role },
  };
}

async function hasRule({ admin }: TestCluster, namespace: string, plural: string): Promise<boolean> {
  const role = await admin.resource(Roles).find({ namespace, name: 'klutch-binder' });
  return role?.rules?.some(({ resources }) => resources.includes(plural)) ?? false;
}

function createWidget(client: KubeClient, { type }: SampleApi, namespace: string): Promise<unknown> {
  const apiVersion = `${type.group}/${type.version}`;
  return client.resource(type).create({ apiVersion, kind: type.kind, metadata: { name: 'w', namespace }, spec: {} });
}

async function isAllowed(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isKubeError(error, 'KUBE_FORBIDDEN')) return false;
    throw error;
  }
}
