export { aggregatedRules, staleAggregations } from './aggregation.ts';
export type { Attributes, PathAttributes, ResourceAttributes, Verdict } from './attributes.ts';
export { AUTO_UPDATE, BOOTSTRAP_POLICY, type BootstrapPolicy } from './bootstrap/policy.ts';
export { type ExistingPolicy, type PolicyChange, reconcilePolicy } from './bootstrap/reconcile.ts';
export { checkEscalation, type RbacWrite } from './escalation.ts';
export { forbiddenRequest } from './forbidden.ts';
export { pathSegmentProblems } from './path-segment.ts';
export {
  type Authorizer,
  createAuthorizer,
  type MissingRole,
  PRIVILEGED_GROUP,
  type UserRules,
} from './rbac-authorizer.ts';
export { applyRbacDefaults } from './rbac-defaults.ts';
export {
  type ClusterRole,
  type ClusterRoleBinding,
  type PolicyRule,
  RBAC_GROUP,
  RBAC_VERSION,
  type Role,
  type RoleBinding,
  type RoleRef,
  type Subject,
} from './rbac-objects.ts';
export { clusterRoleBindingCauses, clusterRoleCauses, roleBindingCauses, roleCauses } from './rbac-validation.ts';
export type { RoleSource } from './role-source.ts';
export { openStoreRoles, RBAC_BUCKETS } from './store-roles.ts';
