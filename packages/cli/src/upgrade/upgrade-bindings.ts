import {
  annotations,
  apiServiceBindingCrd,
  APIServiceBindings,
  bindingOwnerReference,
  ClusterScopedAPIServiceBindings,
  CustomResourceDefinitions,
  KlutchError,
} from '@klutch/api';
import { isKubeError, type KubeClient } from '@klutch/kube';
import { waitUntil } from '../cluster/wait-until.ts';
import { allBindings, bindingType } from '../manifests/served-by-konnector.ts';
import { cutLoose, handOver } from './owner-references.ts';
import { scaleToZero } from './scale-konnector.ts';
import { markCreated, namespacedBinding, type SavedBinding, saveBindings, savedBindings } from './saved-bindings.ts';

const withinMs = 60_000;
const crdName = apiServiceBindingCrd.metadata.name ?? '';

/**
 * Moves cluster-scoped bindings, as components up to v1.5.0 keep them, into namespace `klutch-bind`. Objects of bound APIs are
 * not touched. Killed at any point, the next call finishes it. Yields how many bindings were moved; undefined when no
 * upgrade was needed. The konnector is scaled to zero afterwards, and the upgrade is noted as unfinished until `forgetUpgrade`.
 */
export async function upgradeBindings(
  client: KubeClient,
  say: (text: string) => void,
  signal?: AbortSignal,
): Promise<number | undefined> {
  if ((await bindingType(client, signal)) === ClusterScopedAPIServiceBindings) {
    await refuseDoomed(client, signal);
    say('Stopping the konnector');
    await scaleToZero(client, signal);
    const saved = await saveBindings(client, await allBindings(client, signal), signal);
    say('Replacing the CRD of bindings');
    await cutLoose(client, saved.map(nameOf), signal);
    await removeOldCrd(client, signal);
  }
  const saved = await savedBindings(client, signal);
  if (saved === undefined) return undefined;
  await installNewCrd(client, signal);
  say(`Creating ${saved.length} bindings`);
  for (const binding of saved) {
    const owner = bindingOwnerReference(await createBinding(client, namespacedBinding(binding), signal));
    await handOver(client, nameOf(binding), owner, signal);
  }
  await markCreated(client, signal);
  return saved.length;
}

/** Deleting such a binding, which replacing the CRD amounts to, deletes its data on the control plane. */
async function refuseDoomed(client: KubeClient, signal: AbortSignal | undefined): Promise<void> {
  const bindings = await allBindings(client, signal);
  const doomed = bindings.find(({ metadata }) => metadata.annotations?.[annotations.onUnbind] === 'Delete');
  if (doomed === undefined) return;
  const message = `Cannot upgrade binding ${doomed.metadata.name}: it is marked to delete its data when it goes (${annotations.onUnbind}=Delete). Remove that annotation, then upgrade.`;
  throw new KlutchError('KLUTCH_BINDING_IN_USE', message);
}

function nameOf({ metadata }: SavedBinding): string {
  return metadata.name ?? '';
}

async function removeOldCrd(client: KubeClient, signal: AbortSignal | undefined): Promise<void> {
  const definitions = client.resource(CustomResourceDefinitions);
  try {
    await definitions.delete({ name: crdName }, { signal });
  } catch (error) {
    // An earlier run has deleted it, and it went meanwhile.
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  }
  const isGone = await waitUntil(
    async () => ((await definitions.find({ name: crdName }, { signal })) ? undefined : true),
    { withinMs, signal },
  );
  if (isGone) return;
  const message = `CRD ${crdName} is being deleted but does not go; look for a finalizer on a binding. Then run this command again; nothing is lost.`;
  throw new KlutchError('KLUTCH_BINDING_NOT_READY', message);
}

async function installNewCrd(client: KubeClient, signal: AbortSignal | undefined): Promise<void> {
  const definitions = client.resource(CustomResourceDefinitions);
  if ((await definitions.find({ name: crdName }, { signal })) === undefined) {
    await definitions.create(apiServiceBindingCrd, { signal });
  }
  const isServed = await waitUntil(
    async () => {
      const conditions = (await definitions.get({ name: crdName }, { signal })).status?.conditions ?? [];
      return conditions.some(({ type, status }) => type === 'Established' && status === 'True') || undefined;
    },
    { withinMs, signal },
  );
  if (!isServed) throw new KlutchError('KLUTCH_CRD_REJECTED', `${crdName} is not established; run this command again.`);
}

async function createBinding(
  client: KubeClient,
  binding: ReturnType<typeof namespacedBinding>,
  signal: AbortSignal | undefined,
) {
  const bindings = client.resource(APIServiceBindings);
  // kube-apiserver may answer 404 for a moment after a CRD is established.
  const created = await waitUntil(
    async () => {
      try {
        return await bindings.create(binding, { signal });
      } catch (error) {
        if (isKubeError(error, 'KUBE_ALREADY_EXISTS')) {
          return bindings.get({ namespace: binding.metadata.namespace, name: binding.metadata.name ?? '' }, { signal });
        }
        if (isKubeError(error, 'KUBE_NOT_FOUND')) return undefined;
        throw error;
      }
    },
    { withinMs, signal },
  );
  if (created) return created;
  throw new KlutchError('KLUTCH_CRD_REJECTED', `${crdName} is not served yet; run this command again.`);
}
