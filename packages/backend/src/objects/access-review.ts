import type { KubeObject, ResourceType } from '@klutch/kube';

/** Whether the asking account may do something. */
export interface SelfSubjectAccessReview extends KubeObject {
  readonly spec: { readonly resourceAttributes: ResourceAttributes };
  readonly status?: { readonly allowed: boolean };
}

export interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly name?: string;
}

export const SelfSubjectAccessReviews: ResourceType<SelfSubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
};

/** Who is asking. */
export interface SelfSubjectReview extends KubeObject {
  readonly status?: { readonly userInfo?: { readonly username?: string } };
}

export const SelfSubjectReviews: ResourceType<SelfSubjectReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'selfsubjectreviews',
  kind: 'SelfSubjectReview',
  namespaced: false,
};
