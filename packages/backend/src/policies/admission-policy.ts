import type { KubeObject, ResourceType } from '@klutch/kube';

/** `ValidatingAdmissionPolicy` of Kubernetes 1.30 and later, as far as this backend writes it. */
export interface AdmissionPolicy extends KubeObject {
  readonly spec: {
    readonly failurePolicy: 'Fail';
    readonly matchConstraints: {
      readonly namespaceSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
      readonly resourceRules: readonly MatchedResources[];
    };
    readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
    readonly variables?: readonly { readonly name: string; readonly expression: string }[];
    readonly validations: readonly Validation[];
  };
}

export interface MatchedResources {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
}

export interface Validation {
  /** CEL; the request is denied unless it is true. */
  readonly expression: string;
  /** Told to whoever is denied. */
  readonly message: string;
  readonly reason: 'Forbidden';
}

/** Puts a policy in force. */
export interface AdmissionPolicyBinding extends KubeObject {
  readonly spec: { readonly policyName: string; readonly validationActions: readonly ['Deny'] };
}

const admissionGroup = 'admissionregistration.k8s.io';

export const AdmissionPolicies: ResourceType<AdmissionPolicy> = {
  group: admissionGroup,
  version: 'v1',
  plural: 'validatingadmissionpolicies',
  kind: 'ValidatingAdmissionPolicy',
  namespaced: false,
};

export const AdmissionPolicyBindings: ResourceType<AdmissionPolicyBinding> = {
  group: admissionGroup,
  version: 'v1',
  plural: 'validatingadmissionpolicybindings',
  kind: 'ValidatingAdmissionPolicyBinding',
  namespaced: false,
};

/** A policy together with the binding that puts it in force everywhere. */
export function enforced(
  name: string,
  spec: Omit<AdmissionPolicy['spec'], 'failurePolicy'>,
): readonly [AdmissionPolicy, AdmissionPolicyBinding] {
  const apiVersion = `${admissionGroup}/v1`;
  return [
    {
      apiVersion,
      kind: AdmissionPolicies.kind,
      metadata: { name },
      spec: { failurePolicy: 'Fail', ...spec },
    },
    {
      apiVersion,
      kind: AdmissionPolicyBindings.kind,
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}
