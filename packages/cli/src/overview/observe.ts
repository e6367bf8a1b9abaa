import { annotations, APIServiceExports, ClusterBindings, labels } from '@klutch/api';
import {
  isKubeError,
  type KubeClient,
  type KubeObject,
  Leases,
  type ListOptions,
  Namespaces,
  type ResourceType,
  Secrets,
} from '@klutch/kube';
import type { Observed } from './app-cluster.ts';

/** Reads what a control plane has of all app clusters, or of one. */
export async function observe(client: KubeClient, signal: AbortSignal, namespace?: string): Promise<Observed> {
  const all = async <T extends KubeObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<readonly T[]> => {
    const items: T[] = [];
    for await (const page of client.resource(type).pages({ signal, ...options })) items.push(...page.items);
    return items;
  };
  const credentials = { namespace, labelSelector: `${labels.credential}=token`, metadataOnly: true };
  const [namespaces, bindings, exports, secrets] = await Promise.all([
    all(Namespaces, { metadataOnly: true }),
    all(ClusterBindings, { namespace }),
    all(APIServiceExports, { namespace }),
    all(Secrets, credentials).catch((error: unknown) => {
      if (isKubeError(error, 'KUBE_FORBIDDEN')) return undefined;
      throw error;
    }),
  ]);
  return { namespaces, bindings, exports, credentials: secrets };
}

/** A backend of the control plane, as its lease shows it. */
export interface BackendOverview {
  readonly namespace: string;
  /** The replica that runs the controllers. */
  readonly leader?: string;
  readonly lastRenewed?: string;
  /** Whether its admission policy is in force; undefined when nobody has said. */
  readonly policyInForce?: boolean;
}

/** Backends whose leases have this name. */
export async function observeBackends(
  client: KubeClient,
  leaseName: string,
  signal: AbortSignal,
): Promise<readonly BackendOverview[]> {
  const { items } = await client.resource(Leases).list({ fieldSelector: `metadata.name=${leaseName}`, signal });
  return items.map(({ metadata, spec }) => {
    const said = metadata.annotations?.[annotations.policyInForce];
    return {
      namespace: metadata.namespace ?? '',
      leader: spec?.holderIdentity,
      lastRenewed: spec?.renewTime,
      ...(said === undefined ? {} : { policyInForce: said === 'true' }),
    };
  });
}
