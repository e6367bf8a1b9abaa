import { annotations, type APIServiceBinding, CustomResourceDefinitions, finalizers, KlutchError } from '@klutch/api';
import { isKubeError, type KubeClient, type ResourceType } from '@klutch/kube';
import { waitUntil } from '../cluster/wait-until.ts';
import type { Policy } from './decide.ts';

export interface UnbindOptions {
  readonly type: ResourceType<APIServiceBinding>;
  readonly withinMs: number;
  /** Told what is still in the way. */
  readonly say: (text: string) => void;
  /** Called when the konnector is prepared, right before the binding is deleted: from then on unbinding has to be finished. */
  readonly beforeDeletion: () => Promise<void>;
  readonly signal?: AbortSignal;
}

/**
 * Ends a binding: the konnector is told what to do with the objects, then the binding is deleted, then the konnector deletes the CRD.
 * When the konnector does not react, nothing is deleted. A binding that an earlier run has deleted is waited for. Throws
 * `KLUTCH_BINDING_NOT_READY` when time is up.
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

  if (await found(() => say(policy))) {
    if (!(await isNoted(client, name, ref, policy, options))) {
      await found(() => say(before));
      const message = `Cannot unbind ${name}: the konnector does not react, so nothing was removed. Check with \`klutch status\` that it runs, then try again.`;
      throw new KlutchError('KLUTCH_BINDING_NOT_READY', message);
    }
    await options.beforeDeletion();
    await found(() => bindings.delete(ref, { preconditions: { uid }, signal }));
  }
  await untilUnbound(client, ref, options);
}

/**
 * Waits until a binding that was deleted is gone, and its CRD with it. Throws `KLUTCH_BINDING_NOT_READY` when time is up.
 */
export async function untilUnbound(
  client: KubeClient,
  ref: { readonly name: string; readonly namespace?: string },
  options: Omit<UnbindOptions, 'beforeDeletion'>,
): Promise<void> {
  if (await isGone(client, ref, options)) return;
  const message = `Unbinding ${ref.name} is not finished yet. Run \`klutch status\` to see what it waits for, and this command again.`;
  throw new KlutchError('KLUTCH_BINDING_NOT_READY', message);
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
      const binding = await found(() => client.resource(type).find(ref, { signal }));
      return binding === undefined || binding.metadata.finalizers?.includes(finalizers.unbind) || undefined;
    },
    { withinMs: Math.min(withinMs, 30_000), signal },
  );
  return noted ?? false;
}

async function isGone(
  client: KubeClient,
  ref: { readonly name: string; readonly namespace?: string },
  { type, withinMs, say, signal }: Omit<UnbindOptions, 'beforeDeletion'>,
): Promise<boolean> {
  const gone = await waitUntil(
    async () => {
      const binding = await found(() => client.resource(type).find(ref, { signal }));
      const crd = await client.resource(CustomResourceDefinitions).find({ name: ref.name }, { signal });
      const waitsFor = binding?.status?.conditions?.find(({ status }) => status === 'False')?.message;
      if (waitsFor) say(`Unbinding ${ref.name}: ${waitsFor}`);
      return binding === undefined && crd === undefined ? true : undefined;
    },
    { withinMs, signal },
  );
  return gone ?? false;
}

/** The outcome of a request; undefined when the object, or its type, is gone. */
async function found<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (isKubeError(error, 'KUBE_NOT_FOUND')) return undefined;
    throw error;
  }
}
