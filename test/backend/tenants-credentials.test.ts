import { annotations, apiVersion, ClusterBindings, findCondition, labels } from '@klutch/api';
import { ConfigMaps, type Interceptor, KubeError, Namespaces, Secrets } from '@klutch/kube';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ServiceAccounts } from '../../packages/backend/src/objects/service-account.ts';
import {
  addServiceNamespace,
  heartbeat,
  isRefused,
  type Leader,
  onOwnPlane,
  openBackend,
  person,
  readKubeconfig,
  shiftableClock,
  soon,
  stayQuiet,
  team,
  type TestBackend,
  type TestCluster,
  tokenOf,
  unique,
} from './tenants-world.ts';

vi.setConfig({ testTimeout: 240_000 });

const lifetimeSeconds = 600;
const graceSeconds = 60;

onOwnPlane('credentials of app clusters', (plane) => {
  let clock: ReturnType<typeof shiftableClock>;
  let backend: TestBackend;
  let leader: Leader;
  let cluster: { id: string };
  beforeEach(async () => {
    clock = shiftableClock();
    cluster = { id: unique('cluster') };
    backend = await openBackend(plane(), { clock, lifetimeSeconds, graceSeconds });
    leader = await backend.lead();
  });
  afterEach(() => backend.close());

  const provision = () => backend.tenants.provision(cluster, team('red'), person('ann'));

  /** Lets time pass for the backend alone. */
  function later(seconds: number, namespace: string): void {
    clock.shift(seconds * 1000);
    leader.look(namespace);
  }

  /** Waits for what the leader does once it has heard of something. */
  function onceSeen(namespace: string, look: () => Promise<boolean>): Promise<boolean> {
    return soon(async () => {
      if (await look()) return true;
      leader.look(namespace);
      return false;
    });
  }

  it('BE-58 S-9 renews a credential at half of its life, and ends the old one when the konnector has the new one', async () => {
    const { namespace, kubeconfig: old } = await provision();
    await soon(() => isValid(plane(), namespace));
    expect(await anchorsIn(plane(), namespace)).toHaveLength(1);

    later(lifetimeSeconds / 2 + 1, namespace);
    const renewed = await soon(async () => {
      const offered = await readKubeconfig(plane(), namespace);
      return offered === old ? undefined : offered;
    });
    expect(renewed.replace(/token: .*/, '')).toBe(old.replace(/token: .*/, ''));
    await soon(async () => (await anchorsIn(plane(), namespace)).some(({ retireAt }) => retireAt));
    expect(await isRefused(old, namespace)).toBe(false);

    // The grace is over, but the konnector may not have seen the new one yet.
    later(graceSeconds + 1, namespace);
    await stayQuiet(1_000);
    expect(await anchorsIn(plane(), namespace)).toHaveLength(2);
    await heartbeat(renewed, namespace, new Date(clock.date().getTime() + 2_000));
    later(graceSeconds + 1, namespace);

    await onceSeen(namespace, async () => (await anchorsIn(plane(), namespace)).length === 1);
    await soon(() => isRefused(old, namespace));
    expect(await isRefused(renewed, namespace)).toBe(false);
    expect(await readKubeconfig(plane(), namespace)).toBe(renewed);
  });

  it('ends what nobody uses when it is worth nothing any more, though no konnector was ever heard', async () => {
    const { namespace } = await provision();
    await backend.tenants.rotate(namespace);
    await soon(async () => (await anchorsIn(plane(), namespace)).some(({ retireAt }) => retireAt));

    later(lifetimeSeconds + 1, namespace);

    await soon(async () => (await anchorsIn(plane(), namespace)).every(({ retireAt }) => !retireAt));
    await soon(async () => (await anchorsIn(plane(), namespace)).length === 1);
    expect(await isRefused(await readKubeconfig(plane(), namespace), namespace)).toBe(false);
  });

  it('writes nothing while nothing is due', async () => {
    const { namespace } = await provision();
    await soon(() => isValid(plane(), namespace));
    const before = backend.writes.length;
    for (let looks = 0; looks < 5; looks += 1) {
      leader.look(namespace);
      await stayQuiet(200);
    }

    expect(backend.writes.slice(before)).toEqual([]);
  });

  it('S-9 replaces the token of a Go backend that never expires, and removes it', async () => {
    const { namespace, legacy, kubeconfig } = await goTenant(plane());
    const renewed = await soon(async () => {
      const offered = await readKubeconfig(plane(), namespace);
      return offered === kubeconfig ? undefined : offered;
    });
    expect(renewed).toContain(`namespace: ${namespace}`);
    await soon(async () => (await legacy())?.metadata.annotations?.[annotations.retireAt]);

    await heartbeat(renewed, namespace, new Date(clock.date().getTime() + 120_000));
    later(graceSeconds + 1, namespace);

    await onceSeen(namespace, async () => (await legacy()) === undefined);
    expect(await isRefused(renewed, namespace)).toBe(false);
  });

  it('BE-59 S-9 ends all access when an operator revokes it, keeps the data, and purges it on request only', async () => {
    const { admin } = plane();
    const { namespace, kubeconfig } = await provision();
    const other = await backend.tenants.provision({ id: unique('other') }, team('red'), person('ann'));
    const service = await addServiceNamespace(plane(), namespace, 'prod');
    const foreign = unique('foreign');
    await admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: foreign } });
    const data = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'data', namespace: service } };
    await admin.resource(ConfigMaps).create(data);

    await annotate(plane(), namespace, { [annotations.access]: 'Revoked' });
    await soon(() => isRefused(kubeconfig, namespace));

    await soon(async () => (await anchorsIn(plane(), namespace)).length === 0);
    const binding = await soon(async () => {
      const { status } = await admin.resource(ClusterBindings).get({ namespace, name: 'cluster' });
      const condition = findCondition(status?.conditions, 'CredentialValid');
      return condition?.status === 'False' && condition;
    });
    expect(binding).toMatchObject({ reason: 'AccessRevoked', severity: 'Error' });
    expect(await admin.resource(ConfigMaps).get({ namespace: service, name: 'data' })).toBeDefined();
    const revoked = { code: 'KLUTCH_ACCESS_REVOKED' };
    await expect(provision()).rejects.toMatchObject(revoked);
    await expect(backend.tenants.rotate(namespace)).rejects.toMatchObject(revoked);

    await annotate(plane(), namespace, { [annotations.access]: null });
    const again = await provision();
    expect(again.namespace).toBe(namespace);
    expect(await isRefused(again.kubeconfig, namespace)).toBe(false);
    expect(await isRefused(kubeconfig, namespace)).toBe(true);

    // Neither alone is enough.
    await annotate(plane(), namespace, { [annotations.purge]: namespace });
    leader.look(namespace);
    await stayQuiet(500);
    expect((await admin.resource(Namespaces).get({ name: service })).metadata.deletionTimestamp).toBeUndefined();
    await annotate(plane(), namespace, { [annotations.access]: 'Revoked', [annotations.purge]: 'all' });
    await soon(() => isRefused(again.kubeconfig, namespace));
    expect((await admin.resource(Namespaces).get({ name: service })).metadata.deletionTimestamp).toBeUndefined();

    await annotate(plane(), namespace, { [annotations.purge]: namespace });
    const isGone = (name: string) => async () => (await admin.resource(Namespaces).find({ name })) === undefined;
    await soon(isGone(service));
    await soon(isGone(namespace));
    for (const name of [foreign, other.namespace]) {
      expect((await admin.resource(Namespaces).get({ name })).metadata.deletionTimestamp).toBeUndefined();
    }
    expect(await isRefused(other.kubeconfig, other.namespace)).toBe(false);
  });

  it('tells when no new credential can be issued, leaves nothing behind, and tries again', async () => {
    let isBroken = true;
    const refuse: Interceptor = (next) => (request) =>
      isBroken && request.path.split('?')[0]?.endsWith('/token')
        ? Promise.reject(new KubeError('KUBE_FORBIDDEN', 'The backend may not issue tokens.'))
        : next(request);
    const other = await openBackend(plane(), { clock, lifetimeSeconds, graceSeconds, interceptors: [refuse] });
    const { namespace } = await provision();
    await leader.stop();
    const { admin } = plane();
    // Before anybody leads: no watch shows the Secrets of all tenants, a leader finds this at its next look.
    await admin.resource(Secrets).delete({ namespace, name: 'kubeconfig' });
    leader = await other.lead();

    const credentialValid = async () => {
      const { status } = await admin.resource(ClusterBindings).get({ namespace, name: 'cluster' });
      return findCondition(status?.conditions, 'CredentialValid');
    };
    await soon(async () => (await credentialValid())?.reason === 'CredentialRenewalFailed');
    expect((await credentialValid())?.message).toContain('may not issue tokens');
    isBroken = false;

    await onceSeen(namespace, async () => (await credentialValid())?.status === 'True');
    expect(await isRefused(await readKubeconfig(plane(), namespace), namespace)).toBe(false);
    expect((await anchorsIn(plane(), namespace)).length).toBeLessThanOrEqual(2);
    await other.close();
  });

  it('offers a kubeconfig with the new address when the control plane has moved, and keeps the token', async () => {
    const { namespace, kubeconfig } = await provision();
    await leader.stop();
    const moved = await openBackend(plane(), { clock, lifetimeSeconds, graceSeconds, serverName: 'localhost' });
    leader = await moved.lead();

    const offered = await soon(async () => {
      const text = await readKubeconfig(plane(), namespace);
      return text.includes('tls-server-name: localhost') && text;
    });
    expect(tokenOf(offered)).toBe(tokenOf(kubeconfig));
    await moved.close();
  });

  it('purges also what was never completed', async () => {
    const { admin } = plane();
    const name = unique('half');
    const values = { [annotations.tenantIdentity]: 'x', [annotations.access]: 'Revoked', [annotations.purge]: name };
    const metadata = { name, annotations: values };
    await admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata });

    await soon(async () => (await admin.resource(Namespaces).find({ name })) === undefined);
  });

  it('takes access away again when a bind was under way as it was revoked', async () => {
    const { admin } = plane();
    const { namespace } = await provision();
    await annotate(plane(), namespace, { [annotations.access]: 'Revoked' });
    const account = { namespace, name: 'klutch-binder' };
    await soon(async () => (await admin.resource(ServiceAccounts).find(account)) === undefined);

    await admin.resource(ServiceAccounts).create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });

    await soon(async () => (await admin.resource(ServiceAccounts).find(account)) === undefined);
  });
});

interface Anchor {
  readonly name: string;
  readonly retireAt: string | undefined;
}

async function anchorsIn({ admin }: TestCluster, namespace: string): Promise<readonly Anchor[]> {
  const { items } = await admin.resource(Secrets).list({ namespace, labelSelector: `${labels.credential}=token` });
  return items.map(({ metadata, data }) => {
    expect(data).toBeUndefined();
    return { name: metadata.name ?? '', retireAt: metadata.annotations?.[annotations.retireAt] };
  });
}

async function isValid({ admin }: TestCluster, namespace: string): Promise<boolean> {
  const { status } = await admin.resource(ClusterBindings).get({ namespace, name: 'cluster' });
  return ['CredentialValid', 'RightsGranted'].every(
    (type) => findCondition(status?.conditions, type)?.status === 'True',
  );
}

async function annotate(
  { admin }: TestCluster,
  name: string,
  values: Readonly<Record<string, string | null>>,
): Promise<void> {
  const patch = { metadata: { annotations: values } };
  await admin.resource(Namespaces).patch({ name }, { type: 'merge', patch });
}

/** An app cluster with all that a Go backend makes for it. */
async function goTenant({ admin }: TestCluster) {
  const kubeconfig = 'whatever was in it';
  const { metadata } = await admin.resource(Namespaces).create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { generateName: 'cluster-', annotations: { [annotations.identity]: 'ann#x' } },
  });
  const namespace = metadata.name ?? '';
  const named = (name: string) => ({ name, namespace });
  await admin
    .resource(ServiceAccounts)
    .create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: named('klutch-binder') });
  await admin.resource(Secrets).create({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/service-account-token',
    metadata: { ...named('klutch-binder'), annotations: { 'kubernetes.io/service-account.name': 'klutch-binder' } },
  });
  await admin.resource(Secrets).create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: named('kubeconfig'),
    data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
  });
  await admin.resource(ClusterBindings).create({
    apiVersion,
    kind: 'ClusterBinding',
    metadata: named('cluster'),
    spec: { kubeconfigSecretRef: { name: 'kubeconfig', key: 'kubeconfig' }, providerPrettyName: 'Go' },
  });
  const legacy = () => admin.resource(Secrets).find(named('klutch-binder'));
  return { namespace, kubeconfig, legacy };
}
