import { finalizers } from '@klutch/api';
import { isKubeError, type KubeObject, type ObjectRef, type ResourceClient } from '@klutch/kube';
import { forEachObject } from './objects-of.ts';

/**
 * Takes the konnector's finalizer off every object, terminating ones included, so that users can delete them. Objects
 * stay as they are otherwise. Returns from how many it was taken; carrying on after an interruption is calling it again.
 */
export async function releaseObjects<T extends KubeObject>(
  client: ResourceClient<T>,
  { signal, wrote }: { readonly signal: AbortSignal; readonly wrote: () => void },
): Promise<number> {
  let released = 0;
  const release = async (seen: T) => {
    const { name = '', namespace } = seen.metadata;
    const ref: ObjectRef = namespace ? { name, namespace } : { name };
    for (let object: T | undefined = seen; object && isHeld(object); object = await client.find(ref, { signal })) {
      // Another object by now, which is nobody's leftover.
      if (object.metadata.uid !== seen.metadata.uid) return;
      const { uid, resourceVersion } = object.metadata;
      const rest = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== finalizers.syncer);
      try {
        wrote();
        await client.patch(
          ref,
          { type: 'merge', patch: { metadata: { uid, resourceVersion, finalizers: rest.length > 0 ? rest : null } } },
          { signal },
        );
        released += 1;
        return;
      } catch (error) {
        if (isKubeError(error, 'KUBE_NOT_FOUND')) return;
        if (!isKubeError(error, 'KUBE_CONFLICT')) throw error;
      }
    }
  };
  await forEachObject(client, release, { signal });
  return released;
}

function isHeld({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(finalizers.syncer) ?? false;
}
