import { appCluster as names, KlutchError, lease } from '@klutch/api';
import { type KubeClient, Leases, type ResourceType } from '@klutch/kube';
import { waitUntil } from '../cluster/wait-until.ts';

const Deployments: ResourceType = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
};

const ref = { namespace: names.namespace, name: names.konnector };
const withinMs = 120_000;

/** How many replicas a Deployment had before it was put to rest. */
const replicasBefore = 'klutch.anynines.com/replicas-before';

/**
 * Stops the konnector and waits until no other one works either, which its lease tells. Throws `KLUTCH_KONNECTOR_RUNNING` when one
 * goes on.
 */
export async function restKonnector(client: KubeClient, signal?: AbortSignal): Promise<void> {
  const deployment = await client.resource(Deployments).find(ref, { signal });
  const { replicas = 1 } = (deployment?.['spec'] ?? {}) as { readonly replicas?: number };
  if (deployment && replicas > 0) {
    const patch = { metadata: { annotations: { [replicasBefore]: String(replicas) } }, spec: { replicas: 0 } };
    await client.resource(Deployments).patch(ref, { type: 'merge', patch }, { signal });
  }
  const isAtRest = await waitUntil(async () => ((await isHeld(client, signal)) ? undefined : true), {
    withinMs,
    signal,
  });
  if (isAtRest) return;
  const message = `A konnector still works: it renews Lease ${names.namespace}/${lease.name}. Stop it and run this command again; nothing is lost.`;
  throw new KlutchError('KLUTCH_KONNECTOR_RUNNING', message);
}

/** Lets a konnector work again that was put to rest, with as many replicas as before. */
export async function wakeKonnector(client: KubeClient, signal?: AbortSignal): Promise<void> {
  const deployment = await client.resource(Deployments).find(ref, { signal });
  const before = deployment?.metadata.annotations?.[replicasBefore];
  if (before === undefined) return;
  const patch = { metadata: { annotations: { [replicasBefore]: null } }, spec: { replicas: Number(before) } };
  await client.resource(Deployments).patch(ref, { type: 'merge', patch }, { signal });
}

/** A lease that nobody renews for as long as it says is free. */
async function isHeld(client: KubeClient, signal: AbortSignal | undefined): Promise<boolean> {
  const found = await client.resource(Leases).find({ namespace: names.namespace, name: lease.name }, { signal });
  const { holderIdentity, renewTime, leaseDurationSeconds = 15 } = found?.spec ?? {};
  if (!holderIdentity || renewTime === undefined) return false;
  return Date.now() - Date.parse(renewTime) < leaseDurationSeconds * 1_000;
}
