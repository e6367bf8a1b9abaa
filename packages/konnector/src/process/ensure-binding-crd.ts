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
  type Logger,
  pause,
  type ResourceType,
  silentLogger,
} from '@klutch/kube';
import { bindingCrdOf, renewedBindingCrd } from '../bindings/binding-crd.ts';

export interface EnsureOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Of the konnector. */
  readonly version: string;
  readonly log?: Logger;
  /** Milliseconds until it is given up. Default 2 minutes. */
  readonly withinMs?: number;
}

/**
 * Makes sure that bindings can be stored, and says how: in a namespace, or cluster-scoped where components up to v1.5.0
 * have installed it so. A missing CRD is created, and one that an older konnector made is brought to the schema of this
 * one; whatever others made is never changed.
 */
export async function ensureBindingCrd(
  client: KubeClient,
  { clock, signal, version, log = silentLogger, withinMs = 120_000 }: EnsureOptions,
): Promise<ResourceType<APIServiceBinding>> {
  const crds = client.resource(CustomResourceDefinitions);
  const name = apiServiceBindingCrd.metadata.name ?? '';
  const until = clock.now() + withinMs;
  let last: unknown;
  for (let attempt = 1; clock.now() < until; attempt++) {
    signal.throwIfAborted();
    try {
      const found = (await crds.find({ name }, { signal })) ?? (await crds.create(bindingCrdOf(version), { signal }));
      const verdict = judge(await renew(found));
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

  async function renew(found: CustomResourceDefinition): Promise<CustomResourceDefinition> {
    const renewed = renewedBindingCrd(found, version);
    if (renewed === undefined) return found;
    try {
      return await crds.replace(renewed, { signal });
    } catch (error) {
      if (!isKubeError(error, 'KUBE_INVALID', 'KUBE_FORBIDDEN')) throw error;
      // Bindings can be stored in the old form as well, so this is no reason to stop.
      log.warn({ crd: name, err: error }, 'the kind of bindings could not be brought to the schema of this version');
      return found;
    }
  }
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
