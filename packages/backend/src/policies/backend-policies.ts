import { controlPlane, labels } from '@klutch/api';
import type { KubeObject } from '@klutch/kube';
import { backendPolicy, type BackendPolicyGrounds } from './backend-policy.ts';
import { markPolicy } from './mark-policy.ts';
import { tenantPolicy, type TenantPolicyGrounds } from './tenant-policy.ts';

/** What the policies of a backend depend on. */
export interface PolicyGrounds extends Omit<BackendPolicyGrounds, 'name'>, Pick<TenantPolicyGrounds, 'offers'> {
  /** Common beginning of the names of the policies; default `klutch-backend`. */
  readonly name?: string;
}

/** What each policy is for. */
export const policyPurposes = ['mark', 'writes', 'tenants'] as const;

/** The policies that come with the rights of a backend, each followed by its binding; see decision 24. */
export function backendPolicies({ name = controlPlane.backend, ...grounds }: PolicyGrounds): readonly KubeObject[] {
  const policies = {
    mark: markPolicy,
    writes: backendPolicy,
    tenants: tenantPolicy,
  };
  // In this order the mark is protected before anything relies on it.
  return policyPurposes.flatMap((purpose) =>
    policies[purpose]({ ...grounds, name: `${name}-${purpose}` }).map((object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        labels: { [labels.backend]: grounds.namespace, [labels.policy]: purpose },
      },
    })),
  );
}
