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
import { restKonnector } from './rest-konnector.ts';
import { forgetBindings, namespacedBinding, saveBindings, savedBindings } from './saved-bindings.ts';

const withinMs = 60_000;
const crdName = apiServiceBindingCrd.metadata.name ?? '';

/**
 * Carries cluster-scoped bindings, as components up to v1.5.0 keep them, into namespace `klutch-bind`. Objects of bound APIs are
 * not touched. Cut off at any point it goes on where it was when called again. Says how many bindings were carried; undefined when
 * there was nothing to do. The konnector rests afterwards.
 */
export async function upgradeBindings(
  client: KubeClient,
  say: (text: string) => void,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const type = await bindingType(client, signal);
  const isOld = type === ClusterScopedAPIServiceBindings;
  if (!isOld && (await savedBindings(client, signal)) === undefined) return undefined;

  if (isOld) {
    const bindings = await allBindings(client, signal);
    const doomed = bindings.find(({ metadata }) => metadata.annotations?.[annotations.onUnbind] === 'Delete');
    if (doomed) {
      const message = `Binding ${doomed.metadata.name} is marked to take its data with it (${annotations.onUnbind}=Delete). Remove that annotation, then upgrade.`;
      throw new KlutchError('KLUTCH_BINDING_IN_USE', message);
    }
    say('Stopping the konnector');
    await restKonnector(client, signal);
    await saveBindings(client, await allBindings(client, signal), signal);
  }
  const saved = (await savedBindings(client, signal)) ?? [];
  const apis = saved.map(({ metadata }) => metadata.name ?? '');
  if (isOld) {
    say('Replacing the definition of bindings');
    await cutLoose(client, apis, signal);
    await removeOldKind(client, signal);
  }
  await installNewKind(client, signal);
  say(`Carrying ${saved.length} bindings over`);
  for (const binding of saved) {
    const owner = bindingOwnerReference(await createBinding(client, namespacedBinding(binding), signal));
    await handOver(client, binding.metadata.name ?? '', owner, signal);
  }
  await forgetBindings(client, signal);
  return saved.length;
}

async function removeOldKind(client: KubeClient, signal: AbortSignal | undefined): Promise<void> {
  const definitions = client.resource(CustomResourceDefinitions);
  await definitions.delete({ name: crdName }, { signal });
  const isGone = await waitUntil(
    async () => ((await definitions.find({ name: crdName }, { signal })) ? undefined : true),
    {
      withinMs,
      signal,
    },
  );
  if (isGone) return;
  const message = `${crdName} does not go; a finalizer on a binding may be in the way. Run this command again; nothing is lost.`;
  throw new KlutchError('KLUTCH_BINDING_NOT_READY', message);
}

async function installNewKind(client: KubeClient, signal: AbortSignal | undefined): Promise<void> {
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
  // A kind that was just established is not served everywhere at once.
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
