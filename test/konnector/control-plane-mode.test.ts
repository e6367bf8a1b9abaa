import {
  type AcceptablePermissionClaim,
  APIServiceBindings,
  apiServiceBindingCrd,
  apiVersion,
  controlPlane as names,
  finalizers,
  findCondition,
  isConditionTrue,
  kubeconfigKey,
} from '@klutch/api';
import { appClusterRules, type KonnectorOptions } from '@klutch/konnector';
import { type KubeClient, parseKubeconfig, Secrets } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { grantInCluster, grantInNamespace, launch, quick } from './run-konnector.ts';
import {
  type Clusters,
  createTenant,
  doorTo,
  installCrd,
  onBothTiers,
  openAppSide,
  type SampleApi,
  sampleApi,
  type TestTenant,
  unique,
  widget,
} from './world.ts';

const soon = { withinMs: 25_000, everyMs: 20 };
const secretName = 'app-cluster';

/** An app cluster bound by an operator: everything but the konnector is on the control plane. */
async function boundByOperator({ app, controlPlane }: Clusters, claims: AcceptablePermissionClaim[] = []) {
  const api = sampleApi();
  const tenant = await createTenant(controlPlane);
  await tenant.publish(api);
  const door = await doorTo(app.url);
  const user = unique('konnector');
  const { group, plural } = api.type;
  await grantInCluster(app.admin, user, appClusterRules([{ group, plural }], claims).cluster);
  const kubeconfig = async (url: string) => (await app.kubeconfig({ name: user })).replaceAll(app.url, url);
  await storeKubeconfig(controlPlane.admin, tenant, await kubeconfig(door.url));
  await installCrd(controlPlane.admin, apiServiceBindingCrd);
  const bindings = controlPlane.admin.resource(APIServiceBindings);
  const ref = { namespace: tenant.clusterNamespace, name: api.name };
  await bindings.create({
    apiVersion,
    kind: 'APIServiceBinding',
    metadata: ref,
    spec: {
      kubeconfigSecretRef: { name: secretName, namespace: tenant.clusterNamespace, key: kubeconfigKey },
      permissionClaims: claims,
    },
  });
  const condition = async (type: string, status: string, reason?: string) =>
    await eventually(async () => {
      const found = findCondition((await bindings.get(ref)).status?.conditions, type);
      if (found?.status === status && (reason === undefined || found.reason === reason)) return found;
      throw new Error(`${type} is ${JSON.stringify(found)}, not ${status} ${reason ?? ''}`);
    }, soon);
  return { api, tenant, door, kubeconfig, bindings, ref, condition };
}

/** Runs with exactly the rights that a backend gives in this mode: the tenant's, and a Role in the root namespace. */
async function optionsFor({ controlPlane }: Clusters, tenant: TestTenant): Promise<KonnectorOptions> {
  const { clusterNamespace } = tenant;
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
  await grantInNamespace(controlPlane.admin, { kind: 'ServiceAccount', name: names.binder }, clusterNamespace, [
    { apiGroups: ['klutch.anynines.com'], resources: ['apiservicebindings'], verbs },
    { apiGroups: ['klutch.anynines.com'], resources: ['apiservicebindings/status'], verbs: ['patch', 'update'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs },
  ]);
  return {
    mode: {
      kind: 'control-plane',
      appClusterKubeconfig: { namespace: clusterNamespace, name: secretName, key: kubeconfigKey },
      bindingRootNamespace: clusterNamespace,
    },
    local: parseKubeconfig(await tenant.kubeconfig(), { source: 'the test', trust: 'foreign' }),
    lease: {
      name: 'klutch-bind',
      namespace: clusterNamespace,
      identity: unique('replica'),
      timings: { leaseDurationMs: 4_000, renewDeadlineMs: 3_000, retryPeriodMs: 200 },
    },
    version: '1.2.3',
    probe: quick,
  };
}

async function storeKubeconfig(admin: KubeClient, { clusterNamespace }: TestTenant, text: string): Promise<void> {
  await admin.resource(Secrets).apply(
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: secretName, namespace: clusterNamespace },
      data: { [kubeconfigKey]: Buffer.from(text).toString('base64') },
    },
    { fieldManager: 'klutch-test', force: true },
  );
}

onBothTiers('a konnector on the control plane', (clusters) => {
  const carriesOver = async (api: SampleApi, tenant: TestTenant) => {
    const { app, controlPlane } = clusters();
    const side = await openAppSide(app);
    const namespace = (await side.namespace()).metadata.name;
    await app.admin.resource(api.type).create(widget(api, 'w', namespace, { size: 3 }));
    const service = await tenant.serviceNamespace(namespace);
    await eventually(() => controlPlane.admin.resource(api.type).find({ namespace: service, name: 'w' }), soon);
    return { namespace, service };
  };

  it('carries objects of an app cluster to the control plane', async () => {
    const { api, tenant, door, bindings, ref, condition } = await boundByOperator(clusters());
    const konnector = await launch(await optionsFor(clusters(), tenant));
    await condition('Ready', 'True');

    await carriesOver(api, tenant);

    const { status } = await bindings.get(ref);
    for (const type of ['SecretValid', 'InformersSynced', 'Heartbeating', 'Connected']) {
      expect(isConditionTrue(status?.conditions, type)).toBe(true);
    }
    expect(status?.providerPrettyName).toBe('Test provider');
    await konnector.stop();
    await Promise.all([tenant.close(), door.close()]);
  });

  it('says that the kubeconfig of an app cluster cannot be used', async () => {
    const { tenant, door, condition } = await boundByOperator(clusters());
    const konnector = await launch(await optionsFor(clusters(), tenant));
    await condition('Ready', 'True');

    await storeKubeconfig(clusters().controlPlane.admin, tenant, '{"');

    await condition('SecretValid', 'False', 'KubeconfigSecretInvalid');
    await condition('Ready', 'False', 'KubeconfigSecretInvalid');
    await konnector.stop();
    await Promise.all([tenant.close(), door.close()]);
  });

  it('delivers credentials for claims that the operator accepted', async () => {
    const claim = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } } as const;
    const { api, tenant, door, condition } = await boundByOperator(clusters(), [{ ...claim, state: 'Accepted' }]);
    await tenant.publish(api, { claims: [claim] });
    const konnector = await launch(await optionsFor(clusters(), tenant));
    await condition('Ready', 'True');
    const { app, controlPlane } = clusters();
    const { namespace, service } = await carriesOver(api, tenant);

    await controlPlane.admin.resource(Secrets).create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'w-creds', namespace: service },
      data: { password: Buffer.from('s').toString('base64') },
    });

    await eventually(() => app.admin.resource(Secrets).find({ namespace, name: 'w-creds' }), soon);
    await konnector.stop();
    await Promise.all([tenant.close(), door.close()]);
  });

  it('frees the objects of the app cluster when the binding goes', async () => {
    const { api, tenant, door, bindings, ref, condition } = await boundByOperator(clusters());
    const konnector = await launch(await optionsFor(clusters(), tenant));
    await condition('Ready', 'True');
    const { namespace } = await carriesOver(api, tenant);
    const widgets = clusters().app.admin.resource(api.type);
    expect((await widgets.get({ namespace, name: 'w' })).metadata.finalizers).toContain(finalizers.syncer);

    await bindings.delete(ref);

    await eventually(
      async () => !(await widgets.get({ namespace, name: 'w' })).metadata.finalizers?.includes(finalizers.syncer),
      soon,
    );
    await konnector.stop();
    await Promise.all([tenant.close(), door.close()]);
  });

  it('takes a new kubeconfig of the app cluster into use', async () => {
    const { api, tenant, door, kubeconfig, condition } = await boundByOperator(clusters());
    const { app, controlPlane } = clusters();
    const konnector = await launch(await optionsFor(clusters(), tenant));
    await condition('Ready', 'True');

    const other = await doorTo(app.url);
    await storeKubeconfig(controlPlane.admin, tenant, await kubeconfig(other.url));
    door.shut();

    await carriesOver(api, tenant);
    await condition('Ready', 'True');
    await konnector.stop();
    await Promise.all([tenant.close(), door.close(), other.close()]);
  });

  it('says that the app cluster does not answer, and recovers', async () => {
    const { api, tenant, door, condition } = await boundByOperator(clusters());
    const konnector = await launch(await optionsFor(clusters(), tenant));
    await condition('Ready', 'True');

    door.shut();
    await condition('InformersSynced', 'False', 'AppClusterUnreachable');
    door.open();
    await condition('Ready', 'True');

    await carriesOver(api, tenant);
    await konnector.stop();
    await Promise.all([tenant.close(), door.close()]);
  });
});
