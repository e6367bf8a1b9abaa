import {
  annotations,
  type APIServiceBinding,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  finalizers,
} from '@klutch/api';
import { isKubeError, type KubeClient, keyOf, type ResourceClient } from '@klutch/kube';
import { refOfBinding } from '../bindings/binding-ref.ts';
import { clearing } from './decide.ts';
import type { ObjectsLeft } from './objects-left.ts';
import { forEachObject, typeOf } from './objects-of.ts';

export interface ClearOptions {
  readonly app: KubeClient;
  readonly bindings: ResourceClient<APIServiceBinding>;
  readonly signal: AbortSignal;
  readonly wrote: (verb: string) => void;
}

/**
 * Holds a binding with the policy `Delete` until all objects of its API are gone. Deleting an object in the app cluster
 * deletes its copy, as ever, so nothing here touches the control plane. Returns what is still to go.
 */
export async function clearBinding(
  binding: APIServiceBinding,
  crd: CustomResourceDefinition | undefined,
  { app, bindings, signal, wrote }: ClearOptions,
): Promise<ObjectsLeft> {
  const next = clearing(binding, crd);
  if (next.type === 'nothing') return nothing;
  if (next.type === 'hold') {
    await setFinalizers([...(binding.metadata.finalizers ?? []), finalizers.unbind]);
    return nothing;
  }
  const left = next.type === 'clear' && crd !== undefined ? await deleteObjects(crd) : nothing;
  if (left.count > 0) return left;
  if (next.type === 'letGo' && next.mark) await mark(next.mark.onUnbind);
  await setFinalizers((binding.metadata.finalizers ?? []).filter((finalizer) => finalizer !== finalizers.unbind));
  return nothing;

  async function deleteObjects(owned: CustomResourceDefinition): Promise<ObjectsLeft> {
    const type = typeOf(owned);
    if (type === undefined) return nothing;
    const client = app.resource(type);
    let first: string | undefined;
    const count = await forEachObject(
      client,
      async ({ metadata: { name = '', namespace, uid, deletionTimestamp } }) => {
        first ??= keyOf({ name, namespace });
        if (deletionTimestamp !== undefined) return;
        wrote('delete');
        const ref = namespace ? { name, namespace } : { name };
        await client
          .delete(ref, { preconditions: { uid }, propagation: 'Background', signal })
          .catch(unless('KUBE_NOT_FOUND', 'KUBE_CONFLICT'));
      },
      { signal },
    );
    return { count, first };
  }

  async function mark(onUnbind: string | null): Promise<void> {
    const { name = '', uid } = crd?.metadata ?? {};
    wrote('patch');
    await app
      .resource(CustomResourceDefinitions)
      .patch(
        { name },
        { type: 'merge', patch: { metadata: { uid, annotations: { [annotations.onUnbind]: onUnbind } } } },
        { signal },
      );
  }

  async function setFinalizers(wanted: readonly string[]): Promise<void> {
    const { uid, resourceVersion } = binding.metadata;
    wrote('patch');
    await bindings
      .patch(
        refOfBinding(binding),
        { type: 'merge', patch: { metadata: { uid, resourceVersion, finalizers: wanted.length > 0 ? wanted : null } } },
        { signal },
      )
      .catch(unless('KUBE_NOT_FOUND'));
  }
}

const nothing: ObjectsLeft = { count: 0 };

function unless(...codes: Parameters<typeof isKubeError> extends [unknown, ...infer C] ? C : never) {
  return (error: unknown): void => {
    if (!isKubeError(error, ...codes)) throw error;
  };
}
