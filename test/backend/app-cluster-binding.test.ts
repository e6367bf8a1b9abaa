import {
  annotations,
  APIServiceBindings,
  APIServiceNamespaces,
  apiVersion,
  ClusterBindings,
  controlPlaneKonnectorName,
  findCondition,
  goBindingRootNamespaceName,
  kubeconfigKey,
  labels,
} from '@klutch/api';
import { Namespaces, Secrets } from '@klutch/kube';
import { expect, it } from 'vitest';
import { Deployments } from '../../packages/backend/src/objects/deployment.ts';
import { ClusterRoles, RoleBindings, Roles } from '../../packages/backend/src/objects/rbac.ts';
import { bindAppCluster, heldIn, letIn, someKubeconfig } from './app-cluster-binding-scene.ts';
import { offer, onOwnPlane, provide, sampleApi, stayQuiet, unique, withdraw } from './exports-world.ts';
import { launch, patiently } from './process-world.ts';
import { mayList } from './may-list.ts';

const claim = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } } as const;

onOwnPlane('a backend in control-plane mode', (plane) => {
  const start = async (...apis: ReturnType<typeof sampleApi>[]) => {
    for (const api of apis) await provide(plane(), api);
    const offers = apis.map((api) => ({ api, claims: [claim] }));
    return await launch(plane(), { offers, controlPlaneMode: true });
  };

  it('connects an app cluster, and then rests', async () => {
    const api = sampleApi();
    const backend = await start(api);
    const scene = await bindAppCluster(plane(), { apis: [api], konnector: { deploy: true } });

    await scene.condition('Ready', { status: 'True' });

    const { admin } = plane();
    const root = await scene.root();
    expect(await heldIn(plane(), root)).toMatchObject({ bindings: [api.name], exports: [api.name] });
    const copy = await admin.resource(Secrets).get({ namespace: root, name: 'app-cluster' });
    expect(Buffer.from(copy.data?.[kubeconfigKey] ?? '', 'base64').toString()).toBe(someKubeconfig);
    expect(await admin.resource(ClusterBindings).get({ namespace: root, name: 'cluster' })).toMatchObject({
      spec: { kubeconfigSecretRef: { name: 'app-cluster' }, providerPrettyName: scene.name },
    });
    // What other controllers add for every app cluster.
    await patiently(() => admin.resource(RoleBindings).find({ namespace: root, name: 'klutch-binder' }));
    // Until all that follows from the start has been seen.
    await stayQuiet(3_000);
    const before = backend.writes.length;
    await stayQuiet(3_000);
    expect(backend.writes.slice(before).filter(({ path }) => !path.includes('/leases/'))).toEqual([]);
  });

  it('BE-38 keeps bindings apart whose names run together', async () => {
    await start();
    const [a, b] = [unique('a'), unique('b')];

    const first = await bindAppCluster(plane(), { namespace: `${a}-${b}`, name: 'c' });
    const second = await bindAppCluster(plane(), { namespace: a, name: `${b}-c` });

    const roots = [await first.root(), await second.root()];
    expect(goBindingRootNamespaceName(first)).toBe(goBindingRootNamespaceName(second));
    expect(new Set(roots).size).toBe(2);
    await first.delete();
    await patiently(
      async () =>
        !(await plane()
          .admin.resource(Namespaces)
          .find({ name: roots[0] ?? '' })),
    );
    await second.condition('Ready', { status: 'True' });
  });

  it('BE-38 goes on with a namespace of the Go backend if it is of the binding', async () => {
    const { namespace: mark } = await start();
    const { admin } = plane();
    const names = { namespace: unique('team'), name: 'shop' };
    const goRoot = goBindingRootNamespaceName(names);
    await admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: goRoot } });
    await admin.resource(ClusterBindings).create({
      apiVersion: 'klutch.anynines.com/v1alpha1',
      kind: 'ClusterBinding',
      metadata: {
        name: 'cluster',
        namespace: goRoot,
        labels: { [labels.appClusterBindingName]: names.name, [labels.appClusterBindingNamespace]: names.namespace },
      },
      spec: { kubeconfigSecretRef: { name: 'app-cluster', key: kubeconfigKey }, providerPrettyName: 'shop' },
    });

    const scene = await bindAppCluster(plane(), names);

    // Nothing on the namespace tells the API server whose it is, so an administrator has to.
    const { message } = await scene.condition('NamespaceReady', { status: 'False', reason: 'WriteFailed' });
    expect(message).toContain(`${labels.backend}=${mark}. If this one is to be served by it, have an administrator`);
    const patch = { metadata: { labels: { [labels.backend]: mark } } };
    await admin.resource(Namespaces).patch({ name: goRoot }, { type: 'merge', patch });
    await scene.condition('Ready', { status: 'True' });
    expect(await scene.root()).toBe(goRoot);
  });

  it('S-3 does not move into a namespace that belongs to somebody else', async () => {
    await start();
    const { admin } = plane();
    const names = { namespace: unique('team'), name: 'shop' };
    const goRoot = goBindingRootNamespaceName(names);
    await admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: goRoot } });

    const scene = await bindAppCluster(plane(), names);

    await scene.condition('Ready', { status: 'True' });
    expect(await scene.root()).not.toBe(goRoot);
    await scene.delete();
    await patiently(async () => (await scene.get().catch(() => undefined)) === undefined);
    expect((await admin.resource(Namespaces).get({ name: goRoot })).metadata.deletionTimestamp).toBeUndefined();
  });

  it('BE-39 S-5 never copies a Secret of another namespace', async () => {
    const backend = await start();
    const victim = unique('victim');

    const scene = await bindAppCluster(plane(), { secretNamespace: victim });

    const { message } = await scene.condition('SecretValid', { status: 'False', reason: 'KubeconfigSecretForeign' });
    expect(message).toContain(`Secret ${victim}/app-cluster lies in another namespace`);
    await scene.condition('Ready', { status: 'False', reason: 'KubeconfigSecretForeign' });
    const labelSelector = `${labels.appClusterBindingNamespace}=${scene.namespace}`;
    expect((await plane().admin.resource(Secrets).list({ labelSelector })).items).toEqual([]);
    expect((await plane().admin.resource(Namespaces).list({ labelSelector })).items).toEqual([]);
    expect(backend.writes.filter(({ body }) => body?.includes(victim))).toMatchObject([
      { path: expect.stringContaining('/status') },
    ]);
  });

  it('BE-40 S-5 deploys no konnector with privileges, or of another make', async () => {
    await start();
    const scene = await bindAppCluster(plane(), {
      konnector: {
        deploy: true,
        overrides: {
          image: 'evil.example.org/x',
          securityContext: { privileged: true },
          envFrom: [{ secretRef: { name: 'x' } }],
        },
      },
    });

    const { message } = await scene.condition('KonnectorDeployed', { status: 'False', reason: 'OverridesRefused' });

    for (const field of ['image: "evil.example.org/x"', 'envFrom', 'securityContext.privileged']) {
      expect(message).toContain(field);
    }
    const name = controlPlaneKonnectorName(scene.name);
    const root = await scene.root();
    expect(await plane().admin.resource(Deployments).find({ namespace: root, name })).toBeUndefined();

    await scene.patch({
      spec: {
        konnector: { overrides: { image: 'registry.example.org/konnector:v2', securityContext: null, envFrom: null } },
      },
    });
    await scene.condition('KonnectorDeployed', { status: 'True' });
    const { spec } = await plane().admin.resource(Deployments).get({ namespace: root, name });
    expect(spec.template.spec.containers[0]?.image).toBe('registry.example.org/konnector:v2');
  });

  it('S-5 reads no Secret in a namespace into which the operator has not let it, says so, and goes on when let in', async () => {
    await start();
    const scene = await bindAppCluster(plane(), { isLetIn: false });

    const { message } = await scene.condition('SecretValid', { status: 'False', reason: 'KubeconfigSecretForbidden' });

    expect(message).toContain(`klutch backend manifests --app-cluster-namespace ${scene.namespace}`);
    expect((await scene.get()).metadata.finalizers).toBeUndefined();
    await letIn(plane(), scene.namespace);
    await scene.condition('Ready', { status: 'True' });
  });

  it('BE-50 says what is wrong with a kubeconfig, and goes on when it is repaired', async () => {
    await start();
    const scene = await bindAppCluster(plane(), { kubeconfig: 'users: [{name: a, user: {token: s3cret' });
    const { message } = await scene.condition('SecretValid', { status: 'False', reason: 'KubeconfigSecretInvalid' });
    expect(message).not.toContain('s3cret');

    const data = { [kubeconfigKey]: Buffer.from(someKubeconfig).toString('base64') };
    await plane()
      .admin.resource(Secrets)
      .patch({ namespace: scene.namespace, name: 'app-cluster' }, { type: 'merge', patch: { data } });

    await scene.condition('Ready', { status: 'True' });
  });

  it('BE-50 says what is wrong with an API, though all else works', async () => {
    const [api, missing] = [sampleApi(), sampleApi()];
    await start(api);
    const scene = await bindAppCluster(plane(), { apis: [api, missing], konnector: { deploy: true } });

    const { message } = await scene.condition('ExportsReady', { status: 'False', reason: 'ExportFailed' });

    expect(message).toBe(`${missing.name}: no template offers it.`);
    await scene.condition('KonnectorDeployed', { status: 'True' });
    await scene.exported(api);
    await provide(plane(), missing);
    await scene.exported(api, missing);
  });

  it('BE-50 says that a template is for other tenants, and follows the tenant of the namespace', async () => {
    const api = sampleApi();
    await start(api);
    await offer(plane(), api, { allowedTenants: 'acme' });
    const scene = await bindAppCluster(plane(), { apis: [api] });
    await scene.condition('ExportsReady', { status: 'False', reason: 'ExportFailed' });

    const patch = { metadata: { annotations: { [annotations.tenantName]: 'acme' } } };
    await plane().admin.resource(Namespaces).patch({ name: scene.namespace }, { type: 'merge', patch });

    await scene.condition('Ready', { status: 'True' });
  });

  it('BE-50 BE-48 ends the rights of an app cluster with the tenant of its namespace, and keeps its data', async () => {
    const api = sampleApi();
    await start(api);
    await offer(plane(), api, { allowedTenants: 'acme' });
    const scene = await bindAppCluster(plane(), { apis: [api] });
    const tenant = (name: string | null) => {
      const patch = { metadata: { annotations: { [annotations.tenantName]: name } } };
      return plane().admin.resource(Namespaces).patch({ name: scene.namespace }, { type: 'merge', patch });
    };
    const root = await scene.root();
    await tenant('acme');
    await scene.condition('Ready', { status: 'True' });
    const place = { name: 'prod', namespace: root };
    const places = plane().admin.resource(APIServiceNamespaces);
    await places.create({ apiVersion, kind: 'APIServiceNamespace', metadata: place });
    const namespace = await patiently(async () => (await places.get(place)).status?.namespace);
    const isAllowed = () => mayList(plane(), { clusterNamespace: root, namespace, api });
    await patiently(isAllowed);

    await tenant(null);

    await patiently(async () => !(await isAllowed()));
    await scene.condition('ExportsReady', { status: 'False', reason: 'ExportFailed' });
    await scene.exported(api);
    await patiently(async () => {
      const [found] = await scene.exports();
      return findCondition(found?.status?.conditions, 'ProviderInSync')?.reason === 'EntitlementWithdrawn';
    });

    await tenant('acme');
    await scene.condition('Ready', { status: 'True' });
    await patiently(isAllowed);
  });

  it('BE-50 says what the backend itself may not do, and goes on when it may', async () => {
    const backend = await start();
    const { admin } = plane();
    const role = { name: backend.tenantRole };
    const { rules = [] } = await admin.resource(ClusterRoles).get(role);
    const without = rules.filter(({ apiGroups }) => !apiGroups.includes('apps'));
    const setRules = (wanted: typeof rules) =>
      admin.resource(ClusterRoles).patch(role, { type: 'merge', patch: { rules: wanted } });
    await setRules([...without, { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch'] }]);

    const scene = await bindAppCluster(plane(), { konnector: { deploy: true } });

    const failure = { status: 'False', reason: 'KonnectorDeploymentFailed' } as const;
    const { message } = await scene.condition('KonnectorDeployed', failure);
    expect(message).toContain('deployments');
    await scene.condition('Ready', { status: 'False', reason: 'KonnectorDeploymentFailed' });
    await scene.condition('NamespaceReady', { status: 'True' });
    await setRules(rules);
    await scene.condition('Ready', { status: 'True' });
  });

  it('BE-51 takes away what is listed no more', async () => {
    const [kept, dropped] = [sampleApi(), sampleApi()];
    await start(kept, dropped);
    const scene = await bindAppCluster(plane(), { apis: [kept, dropped] });
    await scene.exported(kept, dropped);

    await scene.patch({ spec: { apiExports: [{ group: kept.type.group, resource: kept.type.plural }] } });

    await scene.exported(kept);
    const held = await patiently(async () => {
      const all = await heldIn(plane(), await scene.root());
      return JSON.stringify(all).includes(dropped.type.group) ? undefined : all;
    });
    expect(held).toMatchObject({ bindings: [kept.name], exports: [kept.name] });
  });

  it('BE-52 repairs the Role of the konnector, and its RoleBinding', async () => {
    await start();
    const scene = await bindAppCluster(plane());
    await scene.condition('Ready', { status: 'True' });
    const { admin } = plane();
    const ref = { namespace: await scene.root(), name: 'control-plane-connector' };
    const before = await admin.resource(Roles).get(ref);

    const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    await admin.resource(Roles).patch(ref, { type: 'merge', patch: { rules } });
    await patiently(
      async () => JSON.stringify((await admin.resource(Roles).get(ref)).rules) === JSON.stringify(before.rules),
    );

    await admin.resource(RoleBindings).delete(ref);
    await patiently(() => admin.resource(RoleBindings).find(ref));
  });

  it('BE-53 accepts and rejects claims as the operator says', async () => {
    const api = sampleApi();
    await start(api);
    await offer(plane(), api, { claims: [claim] });
    const scene = await bindAppCluster(plane(), { apis: [api], annotations: { [annotations.acceptClaims]: 'all' } });
    const root = await scene.root();
    const state = (wanted: string) =>
      patiently(async () => {
        const found = await plane().admin.resource(APIServiceBindings).find({ namespace: root, name: api.name });
        return found?.spec?.permissionClaims?.some((one) => one.state === wanted && one.resource === 'secrets');
      });
    await state('Accepted');

    await scene.patch({ metadata: { annotations: { [annotations.acceptClaims]: 'none' } } });
    await state('Rejected');
  });

  it('lets a binding go only when its app cluster has nothing left', async () => {
    const api = sampleApi();
    await start(api);
    const scene = await bindAppCluster(plane(), { apis: [api] });
    await scene.exported(api);
    const { admin } = plane();
    const root = await scene.root();
    const service = unique('service');
    await admin.resource(Namespaces).create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: service, annotations: { [annotations.apiServiceNamespace]: `${root}/prod` } },
    });
    const { type } = api;
    await admin.resource(type).create({
      apiVersion: `${type.group}/${type.version}`,
      kind: type.kind,
      metadata: { name: 'w', namespace: service },
      spec: { size: 1 },
    });

    await scene.delete();

    const { message } = await scene.condition('NamespaceReady', { status: 'False', reason: 'DeletionHeld' });
    expect(message).toContain(`Widget ${service}/w`);
    expect(await heldIn(plane(), root)).toMatchObject({ bindings: [api.name], exports: [api.name] });
    await scene.patch({ metadata: { annotations: { [annotations.onUnbind]: 'Delete' } } });
    await patiently(async () => (await scene.get().catch(() => undefined)) === undefined);
    expect(await admin.resource(type).find({ namespace: service, name: 'w' })).toBeUndefined();
    expect(await admin.resource(Namespaces).find({ name: root })).toBeUndefined();
    await withdraw(plane(), api);
  });
});
