import type { KubeObject, ResourceClient } from '@klutch/kube';

/** Merges into the status of an object, unless the object has changed or is another one by now: that is a conflict. */
export function patchStatus<T extends KubeObject>(
  client: ResourceClient<T>,
  { metadata: { name = '', namespace, uid, resourceVersion } }: KubeObject,
  status: object,
  signal: AbortSignal,
): Promise<T> {
  const patch = { metadata: { uid, resourceVersion }, status };
  return client.patch({ name, namespace }, { type: 'merge', patch }, { subresource: 'status', signal });
}
