import { apiVersion, type CustomResourceDefinition, CustomResourceDefinitions } from '@klutch/api';
import type { KubeClient, OwnerReference } from '@klutch/kube';

/** Pure: the references without those to bindings. */
export function withoutBindings(references: readonly OwnerReference[] | undefined): readonly OwnerReference[] {
  return (references ?? []).filter(
    ({ kind, apiVersion: version }) => kind !== 'APIServiceBinding' || version !== apiVersion,
  );
}

/**
 * Removes the owner references from the CRDs of bound APIs to their bindings. With them, the garbage collector deletes the
 * CRDs, and all their objects, together with the cluster-scoped bindings.
 */
export async function cutLoose(client: KubeClient, apis: readonly string[], signal?: AbortSignal): Promise<void> {
  for (const name of apis) await change(client, name, (crd) => withoutBindings(crd.metadata.ownerReferences), signal);
}

/** Makes a binding the owner of a CRD. */
export async function handOver(
  client: KubeClient,
  name: string,
  owner: OwnerReference,
  signal?: AbortSignal,
): Promise<void> {
  await change(client, name, (crd) => [...withoutBindings(crd.metadata.ownerReferences), owner], signal);
}

async function change(
  client: KubeClient,
  name: string,
  references: (crd: CustomResourceDefinition) => readonly OwnerReference[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const definitions = client.resource(CustomResourceDefinitions);
  const crd = await definitions.find({ name }, { signal });
  if (crd === undefined) return;
  const { uid, resourceVersion } = crd.metadata;
  const patch = { metadata: { uid, resourceVersion, ownerReferences: references(crd) } };
  await definitions.patch({ name }, { type: 'merge', patch }, { signal });
}
