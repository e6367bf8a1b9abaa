import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  annotations,
  APIServiceBindings,
  apiServiceBindingCrd,
  apiVersion,
  ClusterScopedAPIServiceBindings,
  CustomResourceDefinitions,
  isConditionTrue,
  isKlutchError,
  kubeconfigKey,
} from '@klutch/api';
import { optionsFrom } from '@klutch/konnector';
import { type Interceptor, KubeError, Leases, Namespaces, renderKubeconfig } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it, onTestFinished } from 'vitest';
import { bound } from './bound.ts';
import { konnectorOptions, launch, localConfig, runKonnector, type TestKonnector } from './run-konnector.ts';
import {
  createTenant,
  installCrd,
  onBothTiers,
  openAppSide,
  openOwnCluster,
  releasedBindingKind,
  sampleApi,
  stayQuiet,
  widget,
} from './world.ts';

const soon = { withinMs: 45_000, everyMs: 20 };

onBothTiers('a konnector that starts', (clusters) => {
  it('KON-01 installs the kind of bindings in an empty cluster before it looks at any', async () => {
    const cluster = await openOwnCluster(clusters().tier);
    const side = await openAppSide(cluster);
    const konnector = await runKonnector(side);

    await eventually(async () => {
      const crd = await cluster.admin
        .resource(CustomResourceDefinitions)
        .find({ name: apiServiceBindingCrd.metadata.name ?? '' });
      return crd?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
    }, soon);
    expect((await cluster.admin.resource(APIServiceBindings).list()).items).toEqual([]);

    await konnector.stop();
    await cluster.close();
  });

  it('KON-01 brings the kind of bindings of an older konnector to its own schema, and leaves that of a newer one', async () => {
    const cluster = await openOwnCluster(clusters().tier);
    const side = await openAppSide(cluster);
    const kinds = cluster.admin.resource(CustomResourceDefinitions);
    const name = apiServiceBindingCrd.metadata.name ?? '';
    const bindings = cluster.admin.resource(APIServiceBindings);
    const ref = { name: 'widgets.example.org', namespace: side.bindingNamespace };
    const kubeconfigSecretRef = { name: 'none', namespace: side.bindingNamespace, key: kubeconfigKey } as const;
    /** A konnector looks at bindings when it is through with their kind. */
    const runOnce = async () => {
      const konnector = await runKonnector(side);
      await eventually(
        () => bindings.create({ apiVersion, kind: 'APIServiceBinding', metadata: ref, spec: { kubeconfigSecretRef } }),
        soon,
      );
      await eventually(async () => (await bindings.get(ref)).status?.conditions?.length, soon);
      await bindings.delete(ref);
      await konnector.stop();
      return await kinds.get({ name });
    };
    const made = await runOnce();
    const [version] = made.spec.versions;
    if (!version) throw new Error('the kind of bindings has no version');
    const { schema, ...rest } = version;
    const free = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const older = { ...rest, schema: free };
    const edited = async (madeBy: string) => {
      const present = await kinds.get({ name });
      const marks = { [annotations.madeByVersion]: madeBy, [annotations.schema]: 'another' };
      await kinds.replace({
        ...present,
        metadata: { ...present.metadata, annotations: { ...present.metadata.annotations, ...marks } },
        spec: { ...present.spec, versions: [older, { ...older, name: 'v0', storage: false }] },
      });
    };

    await edited('1.0.0');
    const renewed = await runOnce();
    expect(renewed.spec.versions.map((one) => [one.name, one.served, one.storage])).toEqual([
      [version.name, true, true],
      ['v0', true, false],
    ]);
    expect(renewed.spec.versions[0]?.schema).toEqual(schema);
    expect(renewed.metadata.annotations).toMatchObject(made.metadata.annotations ?? {});

    await edited('99.0.0');
    const newer = await runOnce();
    expect(newer.spec.versions[0]?.schema).toEqual(older.schema);
    expect(newer.metadata.annotations?.[annotations.madeByVersion]).toBe('99.0.0');
    await cluster.close();
  });

  it('KON-02 works on one of two replicas, and both are healthy', async () => {
    const { api, tenant, side } = await bound(clusters());
    const health = { host: '127.0.0.1', port: 0 };
    const replicas = await Promise.all([
      runKonnector(side, { apis: [api], options: { health } }),
      runKonnector(side, { apis: [api], options: { health } }),
    ]);

    await side.condition(api, 'Ready', 'True');

    const lease = await side.cluster.admin
      .resource(Leases)
      .get({ namespace: side.bindingNamespace, name: 'klutch-bind' });
    expect(lease.spec?.holderIdentity).toMatch(/^replica-/);
    expect(replicas.filter((replica) => replica.isLeader())).toHaveLength(1);
    for (const replica of replicas) {
      const answer = await fetch(`http://127.0.0.1:${replica.health()?.port}/healthz`);
      expect([answer.status, await answer.json()]).toEqual([200, { leaderElection: 'ok' }]);
      expect((await fetch(`http://127.0.0.1:${replica.health()?.port}/readyz`)).status).toBe(200);
    }
    for (const bystander of replicas.filter((replica) => !replica.isLeader())) {
      expect(notOfLease(bystander)).toEqual([]);
    }

    await Promise.all(replicas.map((replica) => replica.stop()));
    await tenant.close();
  });

  it('KON-02 works on one of two replicas of the same name', async () => {
    const { api, tenant, side } = await bound(clusters());
    const local = await localConfig(side, { apis: [api] });
    const options = async () => {
      const usual = konnectorOptions(side, local);
      const args = [`--kubeconfig=${await kubeconfigFile()}`];
      const { identity } = (await optionsFrom(args, { POD_NAME: 'konnector-0' }, '1.0.0')).lease;
      return { ...usual, lease: { ...usual.lease, identity } };
    };
    const first = await launch(await options());
    await eventually(() => first.isLeader(), soon);
    const second = await launch(await options());
    await side.condition(api, 'Ready', 'True');
    await stayQuiet(triesOfCandidatesMs);

    expect([first.isLeader(), second.isLeader()]).toEqual([true, false]);
    expect(notOfLease(second)).toEqual([]);
    await first.stop();
    await eventually(() => second.isLeader(), soon);
    await second.stop();
    await tenant.close();
  });

  it('KON-03 stops writing when it cannot renew its lease, and another one goes on', async () => {
    const { api, tenant, side } = await bound(clusters());
    const local = await localConfig(side, { apis: [api] });
    let isCutOff = false;
    /** Lets everything pass but the lease, as when only its renewal fails. */
    const cutLease: Interceptor = (next) => async (request) => {
      if (isCutOff && request.about.resource.includes('leases')) {
        throw new KubeError('KUBE_UNREACHABLE', 'The test cuts off the lease.');
      }
      return next(request);
    };
    const first = await launch(konnectorOptions(side, local), { interceptors: [cutLease] });
    await side.condition(api, 'Ready', 'True');
    const second = await launch(konnectorOptions(side, local));

    isCutOff = true;
    await eventually(() => second.isLeader(), soon);

    expect(first.isLeader()).toBe(false);
    const before = notOfLease(first).length;
    const namespace = (await side.namespace()).metadata.name;
    await side.cluster.admin.resource(api.type).create(widget(api, 'w', namespace, { size: 1 }));
    await eventually(() => notOfLease(second).some(({ path }) => path.includes('/widgets')), soon);
    expect(notOfLease(first)).toHaveLength(before);

    isCutOff = false;
    await second.stop();
    await eventually(() => first.isLeader(), soon);
    await side.condition(api, 'Ready', 'True');
    await first.stop();
    await tenant.close();
  });

  it('KON-04 works with cluster-scoped bindings where a released konnector has installed them', async () => {
    const { tier, controlPlane } = clusters();
    const cluster = await openOwnCluster(tier);
    await installCrd(cluster.admin, releasedBindingKind);
    const side = await openAppSide(cluster);
    const api = sampleApi();
    const tenant = await createTenant(controlPlane);
    await tenant.publish(api);
    await side.storeKubeconfig(await tenant.offered());
    const bindings = cluster.admin.resource(ClusterScopedAPIServiceBindings);
    await bindings.create({
      apiVersion: 'klutch.anynines.com/v1alpha1',
      kind: 'APIServiceBinding',
      metadata: { name: api.name },
      spec: { kubeconfigSecretRef: { name: 'kubeconfig-test', namespace: side.bindingNamespace, key: 'kubeconfig' } },
    });
    const konnector = await runKonnector(side, { apis: [api] });

    await eventually(
      async () => isConditionTrue((await bindings.get({ name: api.name })).status?.conditions, 'Ready'),
      soon,
    );
    const crd = await cluster.admin
      .resource(CustomResourceDefinitions)
      .get({ name: apiServiceBindingCrd.metadata.name ?? '' });
    expect(crd.spec.scope).toBe('Cluster');

    await konnector.stop();
    await tenant.close();
    await cluster.close();
  });

  it('KON-05 says which flag or Secret is missing in control-plane mode', async () => {
    const { controlPlane } = clusters();
    const side = await openAppSide(controlPlane);
    const local = await localConfig(side, {});
    const refusal = async (work: Promise<unknown>) =>
      await work.then(
        () => 'started',
        (error: unknown) => (isKlutchError(error) ? `${error.code} ${error.message}` : String(error)),
      );

    const flags = ['--control-plane-mode', '--app-cluster-kubeconfig-secret-name=x', '--binding-root-namespace=y'];
    expect(await refusal(optionsFrom(flags, {}, '1.0.0'))).toMatch(
      /^KLUTCH_USAGE --app-cluster-kubeconfig-secret-namespace is required/,
    );
    const mode = {
      kind: 'control-plane',
      appClusterKubeconfig: { namespace: side.bindingNamespace, name: 'app-kubeconfig', key: 'kubeconfig' },
      bindingRootNamespace: side.bindingNamespace,
    } as const;
    expect(await refusal(launch({ ...konnectorOptions(side, local), mode }))).toMatch(
      `KLUTCH_KUBECONFIG_SECRET_NOT_FOUND Secret ${side.bindingNamespace}/app-kubeconfig does not exist`,
    );
  });

  it('KON-06 makes a binding ready and names its provider', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api] });

    for (const type of ['SecretValid', 'InformersSynced', 'Heartbeating', 'Connected', 'Ready']) {
      await side.condition(api, type, 'True');
    }

    expect((await side.binding(api)).status?.providerPrettyName).toBe('Test provider');
    await konnector.stop();
    await tenant.close();
  });

  it('KON-07 says what is wrong with a Secret, and recovers when it is repaired', async () => {
    const { app, controlPlane } = clusters();
    const api = sampleApi();
    const tenant = await createTenant(controlPlane);
    await tenant.publish(api);
    const side = await openAppSide(app);
    await side.bind(api);
    const konnector = await runKonnector(side, { apis: [api] });

    await side.condition(api, 'SecretValid', 'False', 'KubeconfigSecretNotFound');
    await side.condition(api, 'Ready', 'False', 'KubeconfigSecretNotFound');
    await side.storeKubeconfig('{"');
    await side.condition(api, 'SecretValid', 'False', 'KubeconfigSecretInvalid');
    await side.storeKubeconfig(renderKubeconfig({ server: tenant.door.url, user: { token: 'x' } }));
    await eventually(async () => JSON.stringify((await side.binding(api)).status).includes('names no namespace'), soon);
    await side.storeKubeconfig(await tenant.offered());
    await side.condition(api, 'Ready', 'True');

    await konnector.stop();
    await tenant.close();
  });

  it('stops in good order while it works, and leaves the lease to the next one', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');

    await konnector.stop();

    const lease = await side.cluster.admin
      .resource(Leases)
      .get({ namespace: side.bindingNamespace, name: 'klutch-bind' });
    expect(lease.spec?.holderIdentity).toBe('');
    await expect(side.cluster.admin.resource(Namespaces).get({ name: side.bindingNamespace })).resolves.toBeDefined();
    await tenant.close();
  });
});

/** Writes other than those for the lease. */
function notOfLease({ writes }: TestKonnector) {
  return writes.filter(({ path }) => !path.includes('/leases'));
}

/** Longer than a candidate waits between two tries to take the lease. */
const triesOfCandidatesMs = 1_000;

/** A kubeconfig for whoever insists on one. */
async function kubeconfigFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'klutch-start-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'kubeconfig');
  await writeFile(file, renderKubeconfig({ server: 'https://127.0.0.1:1', user: { token: 'x' } }));
  return file;
}
