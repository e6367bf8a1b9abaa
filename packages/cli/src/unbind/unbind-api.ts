import { annotations, type APIServiceBinding, CustomResourceDefinitions, finalizers, KlutchError } from '@klutch/api';
import { isKubeError, type KubeClient, type ResourceType } from '@klutch/kube';
import { waitUntil } from '../cluster/wait-until.ts';
import type { Policy } from './decide.ts';

export interface UnbindOptions {
  readonly type: ResourceType<APIServiceBinding>;
  readonly withinMs: number;
  /** Told what is still in the way. */
  readonly say: (text: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Ends a binding: the konnector is told what to do with the objects, then the binding goes, then its CRD. A konnector that
 * does not take note leaves everything as it was. Throws `KLUTCH_BINDING_NOT_READY` when time is up.
 */
export async function unbindApi(
  client: KubeClient,
  binding: APIServiceBinding,
  policy: Policy,
  options: UnbindOptions,
): Promise<void> {
  const { type, signal } = options;
  const bindings = client.resource(type);
  const { name = '', namespace, uid } = binding.metadata;
  const ref = { name, namespace };
  const before = binding.metadata.annotations?.[annotations.onUnbind] ?? null;
  const say = (value: string | null) =>
    bindings.patch(
      ref,
      { type: 'merge', patch: { metadata: { uid, annotations: { [annotations.onUnbind]: value } } } },
      { signal },
    );

  await say(policy);
  if (!(await isNoted(client, name, ref, policy, options))) {
    await say(before);
    const message = `The konnector does not react to unbinding ${name}, so nothing was removed. See that it runs (klutch status), then try again.`;
    throw new KlutchError('KLUTCH_BINDING_NOT_READY', message);
  }
  await bindings.delete(ref, { preconditions: { uid }, signal });
  if (!(await isGone(client, ref, options))) {
    const message = `${name} is being unbound, but that is not finished; klutch status shows what it waits for.`;
    throw new KlutchError('KLUTCH_BINDING_NOT_READY', message);
  }
}

/** Whether the konnector knows what to do: the CRD or, for deletion, the binding shows it. */
async function isNoted(
  client: KubeClient,
  name: string,
  ref: { readonly name: string; readonly namespace?: string },
  policy: Policy,
  { type, withinMs, signal }: UnbindOptions,
): Promise<boolean> {
  const noted = await waitUntil(
    async () => {
      const crd = await client.resource(CustomResourceDefinitions).find({ name }, { signal });
      if (crd === undefined) return true;
      if (policy === 'Remove') return crd.metadata.annotations?.[annotations.onUnbind] === policy || undefined;
      const { metadata } = await client.resource(type).get(ref, { signal });
      return metadata.finalizers?.includes(finalizers.unbind) || undefined;
    },
    { withinMs: Math.min(withinMs, 30_000), signal },
  );
  return noted ?? false;
}

async function isGone(
  client: KubeClient,
  ref: { readonly name: string; readonly namespace?: string },
  { type, withinMs, say, signal }: UnbindOptions,
): Promise<boolean> {
  const gone = await waitUntil(
    async () => {
      const binding = await find(() => client.resource(type).find(ref, { signal }));
      const crd = await client.resource(CustomResourceDefinitions).find({ name: ref.name }, { signal });
      const waitsFor = binding?.status?.conditions?.find(({ status }) => status === 'False')?.message;
      if (waitsFor) say(`Unbinding ${ref.name}: ${waitsFor}`);
      return binding === undefined && crd === undefined ? true : undefined;
    },
    { withinMs, signal },
  );
  return gone ?? false;
}

/** Undefined, too, once the type itself is gone. */
async function find<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (isKubeError(error, 'KUBE_NOT_FOUND')) return undefined;
    throw error;
  }
}
