import {
  annotations,
  APIServiceBindings,
  controlPlane,
  CustomResourceDefinitions,
  findCondition,
  isConditionTrue,
} from '@klutch/api';
import { type Interceptor, renderKubeconfig, Secrets } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { bound } from './bound.ts';
import { runKonnector } from './run-konnector.ts';
import { createTenant, onBothTiers, widget } from './world.ts';

const soon = { withinMs: 25_000, everyMs: 20 };

onBothTiers('the kubeconfig of a konnector', (clusters) => {
  it('KON-55 takes a new kubeconfig from the control plane and goes on with it', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');
    const before = (await tenant.status())?.lastHeartbeatTime;

    const renewed = await tenant.kubeconfig();
    await tenant.offer(renewed);

    await eventually(async () => {
      const secret = await side.cluster.admin
        .resource(Secrets)
        .get({ namespace: side.bindingNamespace, name: 'kubeconfig-test' });
      return Buffer.from(secret.data?.['kubeconfig'] ?? '', 'base64').toString() === renewed;
    }, soon);
    // Whoever has renewed it waits for this sign that it is in use.
    await eventually(async () => (await tenant.status())?.lastHeartbeatTime !== before, soon);
    const widgets = side.cluster.admin.resource(api.type);
    const namespace = (await side.namespace()).metadata.name;
    await widgets.create(widget(api, 'w', namespace, { size: 1 }));
    const service = await tenant.serviceNamespace(namespace);
    await eventually(
      () => clusters().controlPlane.admin.resource(api.type).find({ namespace: service, name: 'w' }),
      soon,
    );
    await side.condition(api, 'Ready', 'True');
    await konnector.stop();
    await tenant.close();
  });

  it('KON-55 does not carry a kubeconfig over one that somebody has stored since the control plane was asked', async () => {
    const { api, tenant, side } = await bound(clusters());
    const offer = `/api/v1/namespaces/${tenant.clusterNamespace}/secrets/${controlPlane.kubeconfigSecret}`;
    const stored = `/api/v1/namespaces/${side.bindingNamespace}/secrets/kubeconfig-test`;
    // There is something to carry from the start.
    await tenant.offer(await tenant.kubeconfig());
    const newest = await tenant.kubeconfig();
    const outcomes: number[] = [];
    let isRotated = false;
    const rotatesOnceAsked: Interceptor = (next) => async (request) => {
      const answer = await next(request);
      if (request.method === 'PATCH' && request.path.startsWith(stored)) outcomes.push(answer.status);
      if (request.method === 'GET' && request.path === offer && !isRotated) {
        isRotated = true;
        await tenant.offer(newest);
        await side.storeKubeconfig(newest);
      }
      return answer;
    };
    const konnector = await runKonnector(side, { apis: [api], interceptors: [rotatesOnceAsked] });

    await eventually(async () => outcomes.length > 0, soon);
    expect(outcomes[0]).toBe(409);
    await konnector.stop();
    await tenant.close();
  });

  it('KON-55 does not bring a kubeconfig Secret back that no binding uses any more', async () => {
    const { api, tenant, side } = await bound(clusters());
    const secret = { namespace: side.bindingNamespace, name: 'kubeconfig-test' };
    const path = `/api/v1/namespaces/${secret.namespace}/secrets`;
    const requests: string[] = [];
    const record: Interceptor = (next) => (request) => {
      if (request.path === path || request.path === `${path}/${secret.name}`) requests.push(request.method);
      return next(request);
    };
    const konnector = await runKonnector(side, { apis: [api], interceptors: [record] });
    await side.condition(api, 'Ready', 'True');
    const { admin } = side.cluster;
    const binding = { namespace: side.bindingNamespace, name: api.name };
    await admin.resource(APIServiceBindings).delete(binding);
    await eventually(async () => {
      const crd = await admin.resource(CustomResourceDefinitions).get({ name: api.name });
      return crd.metadata.annotations?.[annotations.released] !== undefined;
    }, soon);

    requests.length = 0;
    await admin.resource(Secrets).delete(secret);

    // It looks at once, and again: only then is it known what came of the first look.
    await eventually(async () => requests.includes('GET'), soon);
    await tenant.offer(await tenant.kubeconfig());
    await eventually(async () => requests.filter((method) => method === 'GET').length > 1, soon);
    expect(requests).not.toContain('POST');
    expect(await admin.resource(Secrets).find(secret)).toBeUndefined();
    await konnector.stop();
    await tenant.close();
  });

  it('KON-55 keeps the old kubeconfig when the new one does not work, and says so', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');
    const bad = renderKubeconfig({
      server: tenant.door.url,
      ca: clusters().controlPlane.caCertificate,
      namespace: tenant.clusterNamespace,
      user: { token: 'not-a-token' },
    });

    await tenant.offer(bad);
    await side.condition(api, 'SecretValid', 'False', 'KubeconfigSecretInvalid');

    const { conditions } = (await side.binding(api)).status ?? {};
    const valid = findCondition(conditions, 'SecretValid');
    expect(valid?.message).toMatch(/the one before stays in use/);
    expect(valid?.message).not.toContain('not-a-token');
    expect(isConditionTrue(conditions, 'Heartbeating')).toBe(true);
    await tenant.offer(await tenant.kubeconfig());
    await side.condition(api, 'Ready', 'True');
    await konnector.stop();
    await tenant.close();
  });

  it('KON-55 leaves one control plane wholly before it turns to another', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');
    const other = await createTenant(clusters().controlPlane);
    await other.publish(api);

    await tenant.offer(await other.kubeconfig());

    await eventually(async () => (await other.status())?.lastHeartbeatTime, soon);
    await konnector.stop();
    await tenant.close();
    await other.close();
  });

  it('KON-56 refuses a kubeconfig that runs, reads or redirects something', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');
    const good = await tenant.kubeconfig();

    for (const evil of ['exec: {command: /bin/true}', 'auth-provider: {name: x}', 'tokenFile: /etc/hostname']) {
      const text = `apiVersion: v1
kind: Config
current-context: x
clusters: [{name: x, cluster: {server: "${tenant.door.url}", insecure-skip-tls-verify: true}}]
contexts: [{name: x, context: {cluster: x, user: x, namespace: ${tenant.clusterNamespace}}}]
users: [{name: x, user: {${evil}}}]
`;
      await tenant.offer(text);
      await eventually(async () => {
        const valid = findCondition((await tenant.status())?.conditions, 'SecretValid');
        return valid?.reason === 'ProviderSecretInvalid' && valid.message?.includes('comes from elsewhere');
      }, soon);
      await tenant.offer(good);
      await eventually(async () => isConditionTrue((await tenant.status())?.conditions, 'SecretValid'), soon);
      await side.storeKubeconfig(text);
      // The control plane wins: what was put there by hand is replaced before it is ever used.
      await side.condition(api, 'Ready', 'True');
    }
    await konnector.stop();
    await tenant.close();
  });
});
