import type { KubeObject } from '@klutch/kube';

/** kubectl keeps a second copy of the whole object here, which nobody needs who has the object. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** What caches keep of an object: not who set which field, nor kubectl's copy of it. Neither ever travels. */
export function trimmed<T extends KubeObject>(object: T): T {
  const { managedFields: _, annotations, ...metadata } = object.metadata;
  if (annotations === undefined) return { ...object, metadata };
  const { [lastApplied]: __, ...kept } = annotations;
  return { ...object, metadata: { ...metadata, annotations: kept } };
}
