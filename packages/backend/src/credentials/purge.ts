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
  const { name = '', uid } = namespace.metadata;
  const requests = client.resource(APIServiceNamespaces);
  // First of all, lest anybody makes the namespaces anew.
  for await (const { items } of requests.pages({ namespace: name, ...call })) {
    for (const { metadata } of items) {
      if (metadata.deletionTimestamp) continue;
      await unlessGone(requests.delete({ namespace: name, name: metadata.name ?? '' }, call));
    }
  }
  const namespaces = client.resource(Namespaces);
  const own = serviceNamespaces.filter((one) => clusterNamespaceOf(one) === name);
  for (const { metadata } of own) {
    if (metadata.deletionTimestamp) continue;
    const preconditions = { uid: metadata.uid };
    await unlessGone(namespaces.delete({ name: metadata.name ?? '' }, { ...call, preconditions }));
  }
  if (own.length === 0) await unlessGone(namespaces.delete({ name }, { ...call, preconditions: { uid } }));
}

function unlessGone(deletion: Promise<void>): Promise<void> {
  return excusing(deletion, 'KUBE_NOT_FOUND', 'KUBE_CONFLICT');
}
