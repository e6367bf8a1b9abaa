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

/** How many replicas the Deployment had before it was scaled to zero. */
const replicasBefore = 'klutch.anynines.com/replicas-before';

/**
 * Scales the konnector to zero and waits until no konnector renews the lease. Throws `KLUTCH_KONNECTOR_RUNNING` when one still does.
 */
export async function scaleToZero(client: KubeClient, signal?: AbortSignal): Promise<void> {
  const deployment = await client.resource(Deployments).find(ref, { signal });
  const { replicas = 1 } = (deployment?.['spec'] ?? {}) as { readonly replicas?: number };
  if (deployment && replicas > 0) {
    const patch = { metadata: { annotations: { [replicasBefore]: String(replicas) } }, spec: { replicas: 0 } };
    await client.resource(Deployments).patch(ref, { type: 'merge', patch }, { signal });
  }
  const isStopped = await waitUntil(async () => ((await isHeld(client, signal)) ? undefined : true), {
    withinMs,
    signal,
  });
  if (isStopped) return;
  const message = `A konnector is still running: it renews Lease ${names.namespace}/${lease.name}. Stop it and run this command again; nothing is lost.`;
  throw new KlutchError('KLUTCH_KONNECTOR_RUNNING', message);
}

/** Scales a konnector that was scaled to zero by {@link scaleToZero} back to as many replicas as it had. */
export async function scaleBack(client: KubeClient, signal?: AbortSignal): Promise<void> {
  const deployment = await client.resource(Deployments).find(ref, { signal });
  const before = deployment?.metadata.annotations?.[replicasBefore];
  if (before === undefined) return;
  const patch = { metadata: { annotations: { [replicasBefore]: null } }, spec: { replicas: Number(before) } };
  await client.resource(Deployments).patch(ref, { type: 'merge', patch }, { signal });
}

/** A lease that was not renewed within its duration has no holder any more. */
async function isHeld(client: KubeClient, signal: AbortSignal | undefined): Promise<boolean> {
  const found = await client.resource(Leases).find({ namespace: names.namespace, name: lease.name }, { signal });
  const { holderIdentity, renewTime, leaseDurationSeconds = 15 } = found?.spec ?? {};
  if (!holderIdentity || renewTime === undefined) return false;
  return Date.now() - Date.parse(renewTime) < leaseDurationSeconds * 1_000;
}
