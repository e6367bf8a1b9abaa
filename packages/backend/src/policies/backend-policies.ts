import type { KubeObject } from '@klutch/kube';
import { backendPolicy, type BackendPolicyGrounds } from './backend-policy.ts';
import { markPolicy } from './mark-policy.ts';
import { tenantPolicy, type TenantPolicyGrounds } from './tenant-policy.ts';

/** What the policies of a backend depend on. */
export interface PolicyGrounds extends Omit<BackendPolicyGrounds, 'name'>, Pick<TenantPolicyGrounds, 'offers'> {
  /** Common beginning of the names of the policies; default `klutch-backend`. */
  readonly name?: string;
}

/** The policies that come with the rights of a backend, each followed by its binding. See decision 19. */
export function backendPolicies({ name, ...grounds }: PolicyGrounds): readonly KubeObject[] {
  const names = policyNames(name);
  return [
    // The mark is protected before anything relies on it.
    ...markPolicy({ ...grounds, name: names.mark }),
    ...backendPolicy({ ...grounds, name: names.writes }),
    ...tenantPolicy({ ...grounds, name: names.tenants }),
  ];
}

/** Names of the policies and of their bindings. */
export function policyNames(name = 'klutch-backend'): Readonly<Record<'mark' | 'writes' | 'tenants', string>> {
  return { mark: `${name}-mark`, writes: `${name}-writes`, tenants: `${name}-tenants` };
}
