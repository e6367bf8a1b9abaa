import type { KubeObject, UnknownObject } from '@klutch/kube';
import type { AcceptedClaim } from './accepted-claim.ts';
import type { CopySources } from './copy-marks.ts';
import { type Rule, ruleOf } from './rule.ts';

export const sources: CopySources = { Provider: 'tenant-uid', Consumer: 'app-cluster' };

/** A claim that the user accepted, on Secrets unless told otherwise. */
export function claimWith(claim: Partial<AcceptedClaim['claim']> = {}, uid = 'binding-1'): AcceptedClaim {
  return {
    binding: { name: 'widgets.example.org', namespace: 'klutch-bind', uid },
    api: 'widgets.example.org',
    claim: { group: '', resource: 'secrets', version: 'v1', state: 'Accepted', ...claim },
  };
}

/** The rule of a claim that can be served. */
export function ruleWith(claim: Partial<AcceptedClaim['claim']> = {}): Rule {
  const rule = ruleOf(claimWith(claim));
  if ('refused' in rule) throw new Error(rule.refused);
  return rule;
}

export function secretOf(metadata: KubeObject['metadata'], data: Readonly<Record<string, string>> = {}): UnknownObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data };
}
