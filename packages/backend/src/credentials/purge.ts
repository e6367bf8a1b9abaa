import { annotations, APIServiceNamespaces } from '@klutch/api';
import { type CallOptions, type KubeClient, type Namespace, Namespaces } from '@klutch/kube';
import { excusing } from '../objects/excusing.ts';

/** The cluster namespace whose app cluster a service namespace belongs to; undefined for any other namespace. */
export function clusterNamespaceOf({ metadata }: Pick<Namespace, 'metadata'>): string | undefined {
  const owner = metadata.annotations?.[annotations.apiServiceNamespace];
  const slash = owner?.indexOf('/') ?? -1;
  return slash > 0 ? owner?.slice(0, slash) : undefined;
}

/** The same as a list, for an index. */
export function clustersOf(namespace: Pick<Namespace, 'metadata'>): readonly string[] {
  const cluster = clusterNamespaceOf(namespace);
  return cluster === undefined ? [] : [cluster];
}

/**
 * Takes one more step towards the end of an app cluster: its service namespaces with all data first, and its cluster
 * namespace when they are gone. Other namespaces are never touched.
 */
export async function purge(
  client: KubeClient,
  namespace: Namespace,
  serviceNamespaces: readonly Namespace[],
  call: CallOptions = {},
): Promise<void> {
  const { name = '' } = namespace.metadata;
  // First of all, lest anybody makes the namespaces anew.
  await deleteRequests(client, name, call);
  const namespaces = client.resource(Namespaces);
  const own = serviceNamespaces.filter((one) => clusterNamespaceOf(one) === name);
  for (const { metadata } of own) {
    if (metadata.deletionTimestamp) continue;
    const preconditions = { uid: metadata.uid };
    await unlessGone(namespaces.delete({ name: metadata.name ?? '' }, { ...call, preconditions }));
  }
  if (own.length === 0) await deleteClusterNamespace(client, namespace, call);
}

/**
 * Deletes the cluster namespace of an app cluster and its requests for service namespaces. These go as well, unless objects are left
 * in them: then they stay, and the cluster namespace waits for them.
 */
export async function endRegistration(client: KubeClient, namespace: Namespace, call: CallOptions = {}): Promise<void> {
  await deleteRequests(client, namespace.metadata.name ?? '', call);
  await deleteClusterNamespace(client, namespace, call);
}

async function deleteRequests(client: KubeClient, namespace: string, call: CallOptions): Promise<void> {
  const requests = client.resource(APIServiceNamespaces);
  for await (const { items } of requests.pages({ namespace, ...call })) {
    for (const { metadata } of items) {
      if (metadata.deletionTimestamp) continue;
      await unlessGone(requests.delete({ namespace, name: metadata.name ?? '' }, call));
    }
  }
}

function deleteClusterNamespace(
  client: KubeClient,
  { metadata: { name = '', uid } }: Namespace,
  call: CallOptions,
): Promise<void> {
  return unlessGone(client.resource(Namespaces).delete({ name }, { ...call, preconditions: { uid } }));
}

function unlessGone(deletion: Promise<void>): Promise<void> {
  return excusing(deletion, 'KUBE_NOT_FOUND', 'KUBE_CONFLICT');
}
