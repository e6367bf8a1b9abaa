import { type APIServiceBinding, apiVersion, appCluster as names } from '@klutch/api';
import { ConfigMaps, isKubeError, type KubeClient } from '@klutch/kube';

/** Bindings while they are carried from one form into the other: kept in the cluster, so that an upgrade that was cut off can go on. */
export type SavedBinding = Pick<APIServiceBinding, 'spec'> & {
  readonly metadata: Pick<APIServiceBinding['metadata'], 'name' | 'labels' | 'annotations'>;
};

const ref = { namespace: names.namespace, name: 'klutch-upgrade' };
const key = 'bindings.json';

/** What an upgrade has saved; undefined when none is under way. */
export async function savedBindings(
  client: KubeClient,
  signal?: AbortSignal,
): Promise<readonly SavedBinding[] | undefined> {
  const found = await client.resource(ConfigMaps).find(ref, { signal });
  const text = found?.data?.[key];
  return text === undefined ? undefined : (JSON.parse(text) as SavedBinding[]);
}

/** Saves bindings, next to what was saved before. */
export async function saveBindings(
  client: KubeClient,
  bindings: readonly APIServiceBinding[],
  signal?: AbortSignal,
): Promise<readonly SavedBinding[]> {
  const all = merged((await savedBindings(client, signal)) ?? [], bindings);
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref, data: { [key]: JSON.stringify(all) } };
  await client.resource(ConfigMaps).apply(object, { fieldManager: 'klutch-upgrade', force: true, signal });
  return all;
}

/** Forgets what was saved. */
export async function forgetBindings(client: KubeClient, signal?: AbortSignal): Promise<void> {
  try {
    await client.resource(ConfigMaps).delete(ref, { signal });
  } catch (error) {
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  }
}

/** Pure: what is alive counts more than what was saved of it. */
export function merged(saved: readonly SavedBinding[], live: readonly APIServiceBinding[]): readonly SavedBinding[] {
  const byName = new Map(saved.map((binding) => [binding.metadata.name, binding]));
  for (const { metadata, spec } of live) {
    const { name, labels, annotations } = metadata;
    byName.set(name, { metadata: { name, labels, annotations }, spec });
  }
  return [...byName.values()];
}

/** Pure: a saved binding in the form that lives in a namespace. */
export function namespacedBinding({ metadata, spec }: SavedBinding): APIServiceBinding {
  return { apiVersion, kind: 'APIServiceBinding', metadata: { ...metadata, namespace: names.namespace }, spec };
}
