import {
  type APIServiceBinding,
  appCluster as names,
  CustomResourceDefinitions,
  findCondition,
  isConditionTrue,
  KlutchError,
} from '@klutch/api';
import { type KubeClient, pause, type ResourceType, systemClock } from '@klutch/kube';

/**
 * Waits until a binding is Ready and its CRD is established. Throws `KLUTCH_BINDING_NOT_READY` with the condition that fails.
 */
export async function waitUntilReady(
  client: KubeClient,
  type: ResourceType<APIServiceBinding>,
  api: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const until = systemClock.now() + timeoutMs;
  for (;;) {
    const binding = await client.resource(type).find(refOf(type, api), { signal });
    const problem = problemOf(binding) ?? (await crdProblem(client, api, signal));
    if (problem === undefined) return;
    const left = until - systemClock.now();
    if (left <= 0) {
      const message = `The API ${api} is bound but not ready after ${timeoutMs / 1_000} s: ${problem} See \`klutch status\`.`;
      throw new KlutchError('KLUTCH_BINDING_NOT_READY', message);
    }
    await pause(systemClock, Math.min(pollMs, left), signal);
    signal.throwIfAborted();
  }
}

const pollMs = 500;

/** Where a binding is, in whichever form the app cluster keeps them. */
export function refOf(type: ResourceType<APIServiceBinding>, api: string) {
  return type.namespaced ? { name: api, namespace: names.namespace } : { name: api };
}

/** Pure: why a binding is not ready, in a sentence; undefined when it is. */
export function problemOf(binding: APIServiceBinding | undefined): string | undefined {
  if (binding === undefined) return 'the binding is gone.';
  const conditions = binding.status?.conditions ?? [];
  if (isConditionTrue(conditions, 'Ready')) return undefined;
  const failing = conditions.find(({ type, status }) => type !== 'Ready' && status === 'False');
  const shown = failing ?? findCondition(conditions, 'Ready');
  if (shown === undefined || shown.reason === 'Pending') {
    return `the konnector has not processed it yet. Check that it runs: kubectl -n ${names.namespace} get pods.`;
  }
  const { type, status, reason, message = '' } = shown;
  return `condition ${type} is ${status}${reason ? ` (${reason})` : ''}: ${message.replace(/[.\s]*$/, '')}.`;
}

async function crdProblem(client: KubeClient, api: string, signal: AbortSignal): Promise<string | undefined> {
  const crd = await client.resource(CustomResourceDefinitions).find({ name: api }, { signal });
  const isEstablished = crd?.status?.conditions?.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  return isEstablished ? undefined : `its CustomResourceDefinition is ${crd ? 'not established' : 'missing'}.`;
}
