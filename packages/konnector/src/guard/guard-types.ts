import type { KubeObject, ResourceType } from '@klutch/kube';

const group = 'admissionregistration.k8s.io';

/** What a guard consists of; only their metadata matters here. */
export const guardTypes: readonly ResourceType<KubeObject>[] = [
  { group, version: 'v1', plural: 'validatingadmissionpolicies', kind: 'ValidatingAdmissionPolicy', namespaced: false },
  {
    group,
    version: 'v1',
    plural: 'validatingadmissionpolicybindings',
    kind: 'ValidatingAdmissionPolicyBinding',
    namespaced: false,
  },
];
