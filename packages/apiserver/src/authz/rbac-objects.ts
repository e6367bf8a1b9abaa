import type { Metadata } from '../objects/api-object.ts';
import type { LabelSelectorObject } from '../select/label-selector.ts';

/** The API group of roles and bindings. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** Their `apiVersion`. */
export const RBAC_VERSION = `${RBAC_GROUP}/v1`;

/** What may be done. A rule is about resources or about paths, never both. */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Whom a binding speaks about. */
export interface Subject {
  /** `User`, `Group` or `ServiceAccount`. */
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  /** Of a service account. */
  readonly namespace?: string;
}

/** The role a binding grants. */
export interface RoleRef {
  readonly apiGroup: string;
  /** `Role` or `ClusterRole`. */
  readonly kind: string;
  readonly name: string;
}

/** Selects cluster roles by their labels. */
export type LabelSelector = LabelSelectorObject;

/** One condition of a selector. */
export type LabelRequirement = NonNullable<LabelSelector['matchExpressions']>[number];

interface RbacObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Metadata>;
}

/** Rights in one namespace. */
export interface Role extends RbacObject {
  /** Null when there are none. */
  readonly rules?: readonly PolicyRule[] | null;
}

/** Rights anywhere, depending on where they are granted. */
export interface ClusterRole extends Role {
  /** Makes the rules those of other cluster roles. */
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] };
}

/** A binding in a namespace, or for the whole cluster when it has none. */
export interface RoleBinding extends RbacObject {
  readonly subjects?: readonly Subject[];
  readonly roleRef: RoleRef;
}

/** A binding without a namespace. */
export type ClusterRoleBinding = RoleBinding;
