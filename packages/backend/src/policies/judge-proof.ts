import { labels } from '@klutch/api';
import type { KubeObject } from '@klutch/kube';
import { policyPurposes } from './backend-policies.ts';

/** What was found out about the policies of a backend. */
export interface PolicyEvidence {
  /** Whether a write that a policy must deny was refused. */
  readonly isRefused: boolean;
  /** Bindings of policies of this backend; empty where the API server knows no such policies. */
  readonly bindings: readonly KubeObject[];
}

/** Whether the policies of a backend are in force. */
export interface PolicyVerdict {
  readonly isInForce: boolean;
  /** What is wrong and what to do; only there when something is. */
  readonly problem?: string;
}

/** Pure: what the evidence says. */
export function judgeProof({ isRefused, bindings }: PolicyEvidence): PolicyVerdict {
  const bound = new Set(bindings.map(({ metadata }) => metadata.labels?.[labels.policy]));
  const missing = policyPurposes.filter((purpose) => !bound.has(purpose));
  if (isRefused && missing.length === 0) return { isInForce: true };
  const problem = isRefused
    ? `Admission policies of the backend are missing: ${missing.join(', ')}.`
    : 'No admission policy keeps the backend from writing in namespaces that are not its own, such as kube-system.';
  return { isInForce: false, problem: `${problem} ${advice}` };
}

const advice =
  'Whoever takes over the backend or an app cluster can do more than they should. Run Kubernetes 1.30 or later and apply what `klutch backend manifests` prints.';
