import { type APIServiceBinding, apiVersion, appCluster as names } from '@klutch/api';
import { ConfigMaps, isKubeError, type KubeClient } from '@klutch/kube';

/**
 * Bindings on their way from cluster scope into their namespace. They are kept in a ConfigMap of the app cluster until the upgrade is
 * complete, so that the next run finishes an upgrade that was killed.
 */
export type SavedBinding = Pick<APIServiceBinding, 'spec'> & {
  readonly metadata: Pick<APIServiceBinding['metadata'], 'name' | 'labels' | 'annotations'>;
};

const ref = { namespace: names.namespace, name: 'klutch-upgrade' };
const key = 'bindings.json';

/** The bindings that an unfinished upgrade has yet to create; empty when it has created all of them; undefined when no upgrade is unfinished. */
export async function savedBindings(
  client: KubeClient,
  signal?: AbortSignal,
): Promise<readonly SavedBinding[] | undefined> {
  const found = await client.resource(ConfigMaps).find(ref, { signal });
  if (found === undefined) return undefined;
  return JSON.parse(found.data?.[key] ?? '[]') as SavedBinding[];
}

/** Saves bindings, next to those that were saved before, and yields all of them. */
export async function saveBindings(
  client: KubeClient,
  bindings: readonly APIServiceBinding[],
  signal?: AbortSignal,
): Promise<readonly SavedBinding[]> {
  const all = merged((await savedBindings(client, signal)) ?? [], bindings);
  await write(client, all, signal);
  return all;
}

/** Notes that all bindings are created. The upgrade stays unfinished until {@link forgetUpgrade}. */
export async function markCreated(client: KubeClient, signal?: AbortSignal): Promise<void> {
  await write(client, [], signal);
}

/** Notes that the upgrade is finished. */
export async function forgetUpgrade(client: KubeClient, signal?: AbortSignal): Promise<void> {
  try {
    await client.resource(ConfigMaps).delete(ref, { signal });
  } catch (error) {
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  }
}

async function write(client: KubeClient, bindings: readonly SavedBinding[], signal?: AbortSignal): Promise<void> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref, data: { [key]: JSON.stringify(bindings) } };
  await client.resource(ConfigMaps).apply(object, { fieldManager: 'klutch-upgrade', force: true, signal });
}

/** Pure: what is live counts more than what was saved of it. */
export function merged(saved: readonly SavedBinding[], live: readonly APIServiceBinding[]): readonly SavedBinding[] {
  const byName = new Map(saved.map((binding) => [binding.metadata.name, binding]));
  for (const { metadata, spec } of live) {
    const { name, labels, annotations } = metadata;
    byName.set(name, { metadata: { name, labels, annotations }, spec });
  }
  return [...byName.values()];
}

/** Pure: a saved binding in its namespaced form. */
export function namespacedBinding({ metadata, spec }: SavedBinding): APIServiceBinding {
  return { apiVersion, kind: 'APIServiceBinding', metadata: { ...metadata, namespace: names.namespace }, spec };
}
