import { anyninesTemplateGroup, group, type InformerScope, type OfferedApi, templateGroup } from '@klutch/api';
import { connectorRules } from '../appclusterbindings/root-objects.ts';
import { grantedRules } from '../grants/granted-rules.ts';
import { rbacGroup, type Role, type Rule } from '../objects/rbac.ts';
import { quotaRights } from '../quotas/rights.ts';
import { tenantRights } from '../tenants/rights.ts';
import { mergeRules } from './merge-rules.ts';

/** What the rights of a backend depend on. */
export interface RuleGrounds {
  /** What templates offer. The backend has to have all rights that it hands out, so that it can hand out no others. */
  readonly offers: readonly OfferedApi[];
  readonly consumerScope: InformerScope;
  readonly controlPlaneMode: boolean;
}

/** What a backend may do. */
export interface BackendRules {
  /** For a ClusterRole, bound in the whole cluster. */
  readonly cluster: readonly Rule[];
  /** For a Role in the namespace of the backend, with its lease and the marks of used tickets. */
  readonly namespace: readonly Rule[];
}

/** The least rights with which a backend can serve these offers. No wildcard, no `escalate`, no `bind`, no `impersonate`. */
export function backendRules({ offers, consumerScope, controlPlaneMode }: RuleGrounds): BackendRules {
  const granted = grantedRules(
    offers.map(({ group, resource, permissionClaims }) => ({
      group,
      names: { plural: resource, kind: '' },
      permissionClaims: [...permissionClaims],
    })),
  );
  return {
    cluster: mergeRules([
      ...tenantRights(consumerScope),
      ...exportRights,
      ...quotaRights.cluster,
      ...quotaRights.tenant,
      ...(controlPlaneMode ? appClusterBindingRights : []),
      ...granted,
    ]),
    namespace: [
      rule('coordination.k8s.io', ['leases'], ['get', 'list', 'create', 'update', 'delete']),
      ...quotaRights.namespace,
    ],
  };
}

/** The rules as objects. */
export function backendRoles(
  grounds: RuleGrounds,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): { readonly clusterRole: Role; readonly role: Role } {
  const rules = backendRules(grounds);
  const apiVersion = `${rbacGroup}/v1`;
  return {
    clusterRole: { apiVersion, kind: 'ClusterRole', metadata: { name }, rules: rules.cluster },
    role: { apiVersion, kind: 'Role', metadata: { name, namespace }, rules: rules.namespace },
  };
}

const watched = ['get', 'list', 'watch'];
const status = ['get', 'patch'];

/** For catalogue, exports, requests for them, and service namespaces. */
const exportRights: readonly Rule[] = [
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], watched),
  rule(templateGroup, ['apiserviceexporttemplates'], watched),
  rule(anyninesTemplateGroup, ['apiserviceexporttemplates'], watched),
  rule('', ['namespaces'], [...watched, 'create', 'patch', 'delete']),
  rule(rbacGroup, ['rolebindings'], [...watched, 'create', 'patch', 'delete']),
  rule(group, ['apiserviceexports'], [...watched, 'create', 'patch', 'delete']),
  rule(group, ['apiserviceexports/status'], status),
  rule(group, ['apiserviceexportrequests'], [...watched, 'delete']),
  rule(group, ['apiserviceexportrequests/status'], status),
  rule(group, ['apiservicenamespaces'], [...watched, 'patch']),
  rule(group, ['apiservicenamespaces/status'], status),
];

/** For AppClusterBindings: to deploy konnectors, and to let them do their work. */
const appClusterBindingRights: readonly Rule[] = [
  rule(group, ['appclusterbindings'], [...watched, 'patch']),
  rule(group, ['appclusterbindings/status'], status),
  rule(group, ['clusterbindings'], [...watched, 'create', 'patch']),
  rule(group, ['apiserviceexportrequests'], ['create']),
  rule(group, ['apiservicenamespaces'], ['delete']),
  rule('', ['serviceaccounts'], [...watched, 'create', 'patch', 'delete']),
  rule('', ['secrets'], [...watched, 'create', 'patch']),
  rule(rbacGroup, ['roles'], [...watched, 'create', 'patch']),
  rule(rbacGroup, ['clusterroles', 'clusterrolebindings'], ['get', 'delete']),
  rule('apps', ['deployments'], [...watched, 'create', 'patch', 'delete']),
  ...connectorRules,
];

function rule(apiGroup: string, resources: readonly string[], verbs: readonly string[]): Rule {
  return { apiGroups: [apiGroup], resources, verbs };
}
