import { annotations, type ClusterBinding, ClusterBindings, findCondition } from '@klutch/api';
import { isKubeError, Namespaces } from '@klutch/kube';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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
  unique,
} from './tenants-world.ts';

vi.setConfig({ testTimeout: 240_000 });

const day = 86_400;
const expirySeconds = 20 * day;

onOwnPlane('an app cluster from which nothing is heard', (plane) => {
  let clock: ReturnType<typeof shiftableClock>;
  let backend: TestBackend;
  let leader: Leader;
  let tenant: ReturnType<typeof team>;
  let cluster: { readonly id: string };

  beforeEach(async () => {
    clock = shiftableClock();
    tenant = team(unique('quiet'));
    cluster = { id: unique('silent') };
    backend = await openBackend(plane(), { clock, expirySeconds, clustersPerTenant: 1 });
    leader = await backend.lead();
  });
  afterEach(() => backend.close());

  const bind = (id = cluster.id) => backend.tenants.provision({ id }, tenant, person('ann'));
  const marks = async (name: string) =>
    (await plane().admin.resource(Namespaces).get({ name })).metadata.annotations ?? {};
  const credential = async (namespace: string) => {
    const binding: ClusterBinding = await plane().admin.resource(ClusterBindings).get({ namespace, name: 'cluster' });
    return findCondition(binding.status?.conditions, 'CredentialValid');
  };

  /** Waits for what the leader does once so many days have passed for it. */
  async function after(days: number, namespace: string, look: () => Promise<boolean>): Promise<void> {
    clock.shift(days * day * 1000);
    await soon(async () => {
      if (await look()) return true;
      leader.look(namespace);
      return false;
    });
  }

  it('S-9 is warned, loses its access but not its data, leaves its place, and comes back by another bind', async () => {
    const { namespace } = await bind();
    const service = await addServiceNamespace(plane(), namespace, 'prod');
    await soon(async () => (await marks(namespace))[annotations.lastContact]);
    const before = backend.writes.length;
    // The clock of the konnector is a year ahead, which does not matter.
    const its = (days: number) => new Date(Date.now() + (365 + days) * day * 1000);
    await heartbeat(await readKubeconfig(plane(), namespace), namespace, its(0));
    await stayQuiet(500);
    const written = backend.writes
      .slice(before)
      .filter(({ path }) => path.startsWith(`/api/v1/namespaces/${namespace}`));
    expect(written.filter(({ path }) => /namespaces\/[^/]+(\?|$)/.test(path))).toEqual([]);

    // It is recorded once a day that there was a heartbeat.
    const first = (await marks(namespace))[annotations.lastContact];
    await after(2, namespace, async () => (await marks(namespace))[annotations.lastContact] !== first);

    await after(16, namespace, async () => (await credential(namespace))?.reason === 'AppClusterSilent');
    const token = await soon(async () => {
      const offered = await readKubeconfig(plane(), namespace);
      return (await isRefused(offered, namespace)) ? undefined : offered;
    });
    await expect(bind(unique('other'))).rejects.toMatchObject({ code: 'KLUTCH_QUOTA_EXCEEDED' });

    await after(4, namespace, async () => (await credential(namespace))?.reason === 'AccessExpired');
    await soon(() => isRefused(token, namespace));
    expect(backend.audited).toContainEqual(expect.objectContaining({ action: 'Expire', clusterNamespace: namespace }));
    expect(await plane().admin.resource(Namespaces).find({ name: service })).toBeDefined();

    const other = await bind(unique('other'));
    await expect(bind()).rejects.toMatchObject({ code: 'KLUTCH_QUOTA_EXCEEDED' });
    expect((await marks(namespace))[annotations.access]).toBe('Expired');
    await plane().admin.resource(Namespaces).delete({ name: other.namespace });
    const again = await soon(() => bind().catch(() => undefined));
    expect(again.namespace).toBe(namespace);
    expect(await isRefused(again.kubeconfig, namespace)).toBe(false);
    await soon(async () => (await credential(namespace))?.status === 'True');
    await stayQuiet(1_000);
    expect(await isRefused(again.kubeconfig, namespace)).toBe(false);
  });

  it('S-9 is heard again in time', async () => {
    const { namespace, kubeconfig } = await bind();
    await soon(async () => (await marks(namespace))[annotations.lastContact]);
    await heartbeat(kubeconfig, namespace, new Date());
    await after(2, namespace, async () => (await marks(namespace))[annotations.lastHeartbeat] !== '');
    await after(17, namespace, async () => (await marks(namespace))[annotations.silentUntil] !== undefined);

    // The credential is being renewed, too, since so much time has passed.
    await soon(async () => {
      const offered = await readKubeconfig(plane(), namespace);
      return await heartbeat(offered, namespace, new Date(Date.now() + 3_600_000)).then(
        () => true,
        (error: unknown) => {
          if (isKubeError(error, 'KUBE_UNAUTHORIZED')) return false;
          throw error;
        },
      );
    });

    await soon(async () => (await marks(namespace))[annotations.silentUntil] === undefined);
    await soon(async () => (await credential(namespace))?.status === 'True');
  });
});
