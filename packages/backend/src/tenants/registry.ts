import { annotations, KlutchError, labels } from '@klutch/api';
import { type KubeClient, type Namespace, Namespaces, type SharedInformers } from '@klutch/kube';
import { excusing } from '../objects/excusing.ts';
import type { Caller } from '../policy/caller.ts';
import type { Tenant } from '../policy/tenant.ts';
import type { PresentedCluster } from './app-cluster.ts';
import { accessEnd, appClusterDigest, checkPresented, clusterNamespaceName } from './cluster-namespace.ts';
import { createPlaces } from './places.ts';
import { earlierIdentity, judgeRegistration, missing, type Registration, registrationMeta } from './registration.ts';

export interface RegistryDeps {
  readonly client: KubeClient;
  /** Of the same cluster. */
  readonly informers: SharedInformers;
  /** Labels of every namespace that this backend has made or adopted. */
  readonly mark: Readonly<Record<string, string>>;
  readonly prefix: string;
  readonly clustersPerTenant: number;
}

/** Which app cluster belongs to whom, kept in namespaces of the control plane. */
export interface Registry {
  /** Whose the cluster is, from the view of a caller who acts for these tenants. */
  look(cluster: PresentedCluster, tenants: readonly Tenant[], caller: Caller): Promise<Registration>;
  /** The namespace of the cluster, which is the tenant's afterwards; throws why it cannot be. */
  register(cluster: PresentedCluster, tenant: Tenant, caller: Caller): Promise<Namespace>;
}

const byIdentity = 'identity';

/** Others may register, adopt or remove at the same moment; each such collision costs one more look. */
const maxLooks = 10;

export function createRegistry({ client, informers, mark, prefix, clustersPerTenant }: RegistryDeps): Registry {
  const namespaces = client.resource(Namespaces);
  const places = createPlaces(namespaces, clustersPerTenant);
  const { informer } = informers.acquire({
    type: Namespaces,
    metadataOnly: true,
    indexes: {
      [byIdentity]: identityOf,
    },
  });
  return { look, register };

  async function look(cluster: PresentedCluster, tenants: readonly Tenant[], caller: Caller): Promise<Registration> {
    checkPresented(cluster);
    const labelSelector = `${labels.appCluster}=${appClusterDigest(cluster.id)}`;
    const { items: registered } = await namespaces.list({ labelSelector });
    if (registered.length > 0) return judgeRegistration(cluster, tenants, { registered, earlier: [] });
    const namesake = await namespaces.find({ name: clusterNamespaceName(prefix, cluster.id) });
    // Registered since the list was made.
    if (namesake?.metadata.labels?.[labels.appCluster] === appClusterDigest(cluster.id)) {
      return judgeRegistration(cluster, tenants, { registered: [namesake], earlier: [] });
    }
    return judgeRegistration(cluster, tenants, { registered, namesake, earlier: await earlier(cluster, caller) });
  }

  /** What a Go backend made is not made any more, so the cache knows all of it; who has adopted it since, the server knows. */
  async function earlier(cluster: PresentedCluster, caller: Caller): Promise<readonly Namespace[]> {
    const identity = earlierIdentity(caller, cluster);
    if (identity === undefined) return [];
    await informer.synced;
    const known = informer.cache.byIndex(byIdentity, identity);
    const found = await Promise.all(known.map(({ metadata }) => namespaces.find({ name: metadata.name ?? '' })));
    return found.filter((one) => one !== undefined).filter((one) => identityOf(one).includes(identity));
  }

  async function register(cluster: PresentedCluster, tenant: Tenant, caller: Caller): Promise<Namespace> {
    for (let looks = 0; looks < maxLooks; looks += 1) {
      const registration = await look(cluster, [tenant], caller);
      if (registration.is === 'refused') throw registration.error;
      const namespace =
        registration.is === 'free'
          ? await create(cluster, tenant, caller)
          : await complete(registration.namespace, cluster, tenant, caller);
      if (namespace) return namespace;
    }
    throw new KlutchError(
      'KLUTCH_BACKEND_UNAVAILABLE',
      'Too many others bind this app cluster. Try again in a moment.',
    );
  }

  /** Undefined when somebody else was faster. */
  async function create(cluster: PresentedCluster, tenant: Tenant, caller: Caller): Promise<Namespace | undefined> {
    await places.requireFree(tenant);
    const meta = registrationMeta(cluster, tenant, caller, mark);
    const identity = earlierIdentity(caller, cluster);
    const made = await unlessCollided(
      namespaces.create({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name: clusterNamespaceName(prefix, cluster.id),
          labels: meta.labels,
          annotations: { ...meta.annotations, ...(identity === undefined ? {} : { [annotations.identity]: identity }) },
        },
      }),
    );
    // Several clusters may have come at once, each of which found a place.
    if (made && !(await places.has(tenant, made))) {
      await remove(made);
      throw places.full(tenant);
    }
    return made;
  }

  /** Brings labels and annotations up to date. Undefined when somebody else changed the namespace meanwhile. */
  async function complete(
    found: Namespace,
    cluster: PresentedCluster,
    tenant: Tenant,
    caller: Caller,
  ): Promise<Namespace | undefined> {
    const meta = registrationMeta(cluster, tenant, caller, mark);
    if (accessEnd(found) === 'Expired') return revive(found, meta, tenant);
    const lacks = missing(found, meta);
    if (lacks.length === 0) return found;
    const { name = '', uid, resourceVersion } = found.metadata;
    // Who came last is told by who writes last; all else must not have changed since it was judged.
    const isOnlyRecord = lacks.every((key) => key === annotations.boundBy);
    const patch = { metadata: { ...meta, uid, ...(isOnlyRecord ? {} : { resourceVersion }) } };
    return unlessCollided(namespaces.patch({ name }, { type: 'merge', patch }));
  }

  /** Gives an app cluster whose access has expired its place back. Undefined when somebody else was faster. */
  async function revive(
    { metadata: { name = '', uid, resourceVersion, annotations: before } }: Namespace,
    meta: ReturnType<typeof registrationMeta>,
    tenant: Tenant,
  ): Promise<Namespace | undefined> {
    await places.requireFree(tenant);
    const marks = { ...meta.annotations, ...alive };
    const patch = { metadata: { labels: meta.labels, annotations: marks, uid, resourceVersion } };
    const revived = await unlessCollided(namespaces.patch({ name }, { type: 'merge', patch }));
    if (!revived || (await places.has(tenant, revived))) return revived;
    const marksBefore = Object.fromEntries(Object.keys(alive).map((key) => [key, before?.[key] ?? null]));
    const undo = { metadata: { annotations: marksBefore, uid, resourceVersion: revived.metadata.resourceVersion } };
    await unlessCollided(namespaces.patch({ name }, { type: 'merge', patch: undo }));
    throw places.full(tenant);
  }

  async function remove({ metadata: { name = '', uid } }: Namespace): Promise<void> {
    await unlessCollided(namespaces.delete({ name }, { preconditions: { uid } }));
  }
}

/** What a Go backend takes for the identity of an app cluster. */
function identityOf({ metadata }: Namespace): readonly string[] {
  const identity = metadata.annotations?.[annotations.identity];
  return identity === undefined ? [] : [identity];
}

/** Ends the expiry of an app cluster; the leader counts from now on. */
const alive = {
  [annotations.access]: null,
  [annotations.lastContact]: null,
  [annotations.lastHeartbeat]: null,
  [annotations.silentUntil]: null,
} as const;

/** Undefined when somebody else was faster. */
function unlessCollided<T>(write: Promise<T>): Promise<T | undefined> {
  return excusing(write, 'KUBE_ALREADY_EXISTS', 'KUBE_CONFLICT', 'KUBE_NOT_FOUND');
}
