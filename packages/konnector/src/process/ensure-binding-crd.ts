import {
  type APIServiceBinding,
  apiServiceBindingCrd,
  APIServiceBindings,
  ClusterScopedAPIServiceBindings,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  KlutchError,
} from '@klutch/api';
import {
  backoffDelay,
  type Clock,
  isKubeError,
  type KubeClient,
  type KubeErrorCode,
  pause,
  type ResourceType,
} from '@klutch/kube';

export interface EnsureOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds until it is given up. Default 2 minutes. */
  readonly withinMs?: number;
}

/**
 * Makes sure that bindings can be stored, and says how: in a namespace, or cluster-scoped where components up to v1.5.0
 * have installed it so. What is there is never changed; only a missing CRD is created.
 */
export async function ensureBindingCrd(
  client: KubeClient,
  { clock, signal, withinMs = 120_000 }: EnsureOptions,
): Promise<ResourceType<APIServiceBinding>> {
  const crds = client.resource(CustomResourceDefinitions);
  const name = apiServiceBindingCrd.metadata.name ?? '';
  const until = clock.now() + withinMs;
  let last: unknown;
  for (let attempt = 1; clock.now() < until; attempt++) {
    signal.throwIfAborted();
    try {
      const found = (await crds.find({ name }, { signal })) ?? (await crds.create(apiServiceBindingCrd, { signal }));
      const verdict = judge(found);
      if (verdict !== 'wait') return verdict;
      last = new Error('the API server has not established it');
    } catch (error) {
      signal.throwIfAborted();
      if (!isKubeError(error, ...passing)) throw error;
      last = error;
    }
    await pause(clock, backoffDelay(attempt, { baseMs: 50, capMs: 2_000 }, Math.random), signal);
  }
  signal.throwIfAborted();
  throw new KlutchError('KLUTCH_CRD_REJECTED', `The CRD ${name} could not be put in place within ${withinMs} ms.`, {
    cause: last,
  });
}

/** The form in which bindings can be stored now. */
function judge(crd: CustomResourceDefinition): ResourceType<APIServiceBinding> | 'wait' {
  const isServed = crd.spec.versions.some(({ name, served }) => name === APIServiceBindings.version && served);
  if (!isServed) {
    const message = `The CRD ${crd.metadata.name} does not serve version ${APIServiceBindings.version}. It is of another make; remove it, or run the konnector it belongs to.`;
    throw new KlutchError('KLUTCH_CRD_FOREIGN', message);
  }
  const isEstablished = crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
  if (!isEstablished) return 'wait';
  return crd.spec.scope === 'Cluster' ? ClusterScopedAPIServiceBindings : APIServiceBindings;
}

const passing: KubeErrorCode[] = [
  'KUBE_UNREACHABLE',
  'KUBE_TIMEOUT',
  'KUBE_TOO_MANY_REQUESTS',
  'KUBE_SERVER_ERROR',
  'KUBE_CONFLICT',
  'KUBE_ALREADY_EXISTS',
];
