import type { PolicyExpressions } from '@klutch/cel';
import type { ApiObject } from '../objects/api-object.ts';
import type { LabelSelectorObject } from '../select/index.ts';

export const ADMISSION_GROUP = 'admissionregistration.k8s.io';

/** Storage names of the two kinds. */
export const POLICY_BUCKET = `${ADMISSION_GROUP}/validatingadmissionpolicies`;
export const BINDING_BUCKET = `${ADMISSION_GROUP}/validatingadmissionpolicybindings`;

/** A rule for requests. Validation sees fields missing that are there in stored objects. */
export type Policy = ApiObject & { spec: PolicySpec };

export interface PolicySpec extends PolicyExpressions {
  matchConstraints?: MatchResources;
  failurePolicy?: string;
}

export type ParamKind = NonNullable<PolicyExpressions['paramKind']>;

/** Which requests are meant. */
export interface MatchResources {
  namespaceSelector?: LabelSelectorObject;
  objectSelector?: LabelSelectorObject;
  resourceRules?: ResourceRule[];
  excludeResourceRules?: ResourceRule[];
  matchPolicy?: string;
}

export interface ResourceRule {
  resourceNames?: string[];
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
}

/** Where a policy is in force, with which parameters, and what becomes of requests that break it. */
export type PolicyBinding = ApiObject & { spec: BindingSpec };

export interface BindingSpec {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
  validationActions?: string[];
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelectorObject;
  readonly parameterNotFoundAction?: string;
}

/** Fills in what is the same for policies and bindings, in place. */
export function fillInMatchResources(match: MatchResources | undefined): void {
  if (!match) return;
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])]) rule.scope ??= '*';
}
