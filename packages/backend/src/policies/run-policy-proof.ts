import { annotations, labels } from '@klutch/api';
import {
  type Clock,
  isKubeError,
  type KubeClient,
  type KubeObject,
  Leases,
  type Logger,
  type ObjectRef,
  pause,
} from '@klutch/kube';
import { Gauge, type Registry } from 'prom-client';
import type { OwnRights } from '../grants/own-rights.ts';
import { AdmissionPolicyBindings } from './admission-policy.ts';
import { judgeProof, type PolicyVerdict } from './judge-proof.ts';

export interface PolicyProofDeps {
  readonly client: KubeClient;
  readonly rights: Pick<OwnRights, 'bind'>;
  /** Namespace of the backend. */
  readonly namespace: string;
  /** The lease of the backend, which tells operators what was found. */
  readonly lease: ObjectRef;
  readonly registry?: Registry;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const proofMs = 10 * 60_000;
/** Policies that were just applied are in force a moment later, so a failure is confirmed before anybody is alarmed. */
const confirmMs = 10_000;

/**
 * Proves now and every ten minutes that the admission policies of the backend are in force, by trying what they deny as a dry
 * run. While they are not, an error is logged every ten minutes, and metric and lease say so. Resolves when the signal aborts.
 */
export async function runPolicyProof(deps: PolicyProofDeps): Promise<void> {
  const { clock, log, signal } = deps;
  const gauge = gaugeOf(deps.registry);
  let failures = 0;
  let complained = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    let waitMs = confirmMs;
    try {
      const { isInForce, problem } = await prove(deps);
      gauge?.set(isInForce ? 1 : 0);
      failures = isInForce ? 0 : failures + 1;
      if (isInForce) waitMs = proofMs;
      if (failures > 1 && clock.now() - complained >= proofMs) {
        complained = clock.now();
        log.error({ problem }, 'admission policies are not in force');
      }
      await noteOnLease(deps, isInForce);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'could not find out whether admission policies are in force');
    }
    await pause(clock, waitMs, signal);
  }
}

async function prove({ client, rights, namespace, signal }: PolicyProofDeps): Promise<PolicyVerdict> {
  const [isRefused, bindings] = await Promise.all([
    isRefusedElsewhere(rights, signal),
    policyBindings(client, namespace, signal),
  ]);
  return judgeProof({ isRefused, bindings });
}

/** The one step by which a backend could give itself rights in a namespace that is not its own. */
async function isRefusedElsewhere(rights: Pick<OwnRights, 'bind'>, signal: AbortSignal): Promise<boolean> {
  try {
    await rights.bind('kube-system', { signal, dryRun: true });
    return false;
  } catch (error) {
    if (isKubeError(error, 'KUBE_FORBIDDEN')) return true;
    throw error;
  }
}

async function policyBindings(
  client: KubeClient,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  try {
    const labelSelector = `${labels.backend}=${namespace}`;
    return (await client.resource(AdmissionPolicyBindings).list({ labelSelector, signal })).items;
  } catch (error) {
    // Kubernetes before 1.30, or roles that were made before there were policies.
    if (isKubeError(error, 'KUBE_NOT_FOUND', 'KUBE_FORBIDDEN')) return [];
    throw error;
  }
}

async function noteOnLease({ client, lease, signal }: PolicyProofDeps, isInForce: boolean): Promise<void> {
  const leases = client.resource(Leases);
  const note = String(isInForce);
  const { metadata } = await leases.get(lease, { signal });
  if (metadata.annotations?.[annotations.policyInForce] === note) return;
  const patch = { metadata: { annotations: { [annotations.policyInForce]: note } } };
  await leases.patch(lease, { type: 'merge', patch }, { signal });
}

function gaugeOf(registry: Registry | undefined): Gauge | undefined {
  if (registry === undefined) return undefined;
  const name = 'klutch_backend_policy_in_force';
  const known = registry.getSingleMetric(name);
  if (known instanceof Gauge) return known;
  const help = '1 while admission policies hold the backend and app clusters to what is theirs, 0 while they do not.';
  return new Gauge({ name, help, registers: [registry] });
}
