import {
  anyninesTemplateGroup,
  controlPlane,
  group,
  type InformerScope,
  type OfferedApi,
  templateGroup,
} from '@klutch/api';
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
  /** Name of the role for namespaces of tenants; default `klutch-backend-tenant`. */
  readonly tenantRole?: string;
}

/** What a backend may do. */
export interface BackendRules {
  /** For a ClusterRole, bound in the whole cluster: reads no Secrets; writes are narrowed by an admission policy. */
  readonly cluster: readonly Rule[];
  /** For a ClusterRole that the backend binds to itself in each namespace that it makes or adopts. */
  readonly tenant: readonly Rule[];
  /** For a Role in the namespace of the backend, with its lease and the marks of used tickets. */
  readonly namespace: readonly Rule[];
  /** For a ClusterRole that operators bind in each namespace whose AppClusterBindings are served. */
  readonly appClusterBindings: readonly Rule[];
}

/** Name of the ClusterRole that the backend binds to itself in namespaces of tenants, unless told otherwise. */
export const defaultTenantRole = `${controlPlane.backend}-tenant`;

/** Name of the ClusterRole that operators bind to the backend in namespaces with AppClusterBindings. */
export const appClusterBindingsRole = `${controlPlane.backend}-app-cluster-bindings`;

/**
 * The least rights with which a backend can serve these offers. No wildcard, no `escalate`, no `impersonate`, and `bind`
 * for the one role it binds to itself.
 */
export function backendRules(grounds: RuleGrounds): BackendRules {
  const { offers, consumerScope, controlPlaneMode, tenantRole = defaultTenantRole } = grounds;
  const isClusterWide = consumerScope === 'Cluster';
  const granted = grantedRules(
    offers.map(({ group, resource, permissionClaims }) => ({
      group,
      names: { plural: resource, kind: '' },
      permissionClaims: isClusterWide ? [] : [...permissionClaims],
    })),
  );
  const tenants = tenantRights(consumerScope, tenantRole);
  return {
    cluster: mergeRules([
      ...tenants.cluster,
      ...exportRights.cluster,
      ...quotaRights.cluster,
      ...(controlPlaneMode ? appClusterBindingRights.cluster : []),
      ...(isClusterWide ? granted : []),
    ]),
    tenant: mergeRules([
      ...tenants.tenant,
      ...exportRights.tenant,
      ...quotaRights.tenant,
      ...(controlPlaneMode ? appClusterBindingRights.tenant : []),
      ...granted,
    ]),
    namespace: [
      rule('coordination.k8s.io', ['leases'], ['get', 'list', 'create', 'update', 'patch', 'delete']),
      ...quotaRights.namespace,
    ],
    appClusterBindings: [rule('', ['secrets'], watched), rule(group, ['appclusterbindings'], ['patch'])],
  };
}

/** The rules as objects; `clusterRoles` in the order cluster, tenants, and if they are served AppClusterBindings. */
export function backendRoles(
  grounds: RuleGrounds,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): { readonly clusterRoles: readonly Role[]; readonly role: Role } {
  const { tenantRole = defaultTenantRole, controlPlaneMode } = grounds;
  const rules = backendRules(grounds);
  const apiVersion = `${rbacGroup}/v1`;
  const clusterRole = (name: string, rules: readonly Rule[]) => ({
    apiVersion,
    kind: 'ClusterRole',
    metadata: { name },
    rules,
  });
  return {
    clusterRoles: [
      clusterRole(name, rules.cluster),
      clusterRole(tenantRole, rules.tenant),
      ...(controlPlaneMode ? [clusterRole(appClusterBindingsRole, rules.appClusterBindings)] : []),
    ],
    role: { apiVersion, kind: 'Role', metadata: { name, namespace }, rules: rules.namespace },
  };
}

const watched = ['get', 'list', 'watch'];
const status = ['get', 'patch'];

/** For catalogue, exports, requests for them, service namespaces, and to see whether policies are bound. */
const exportRights = {
  cluster: [
    rule('admissionregistration.k8s.io', ['validatingadmissionpolicybindings'], ['list']),
    rule('apiextensions.k8s.io', ['customresourcedefinitions'], watched),
    rule(templateGroup, ['apiserviceexporttemplates'], watched),
    rule(anyninesTemplateGroup, ['apiserviceexporttemplates'], watched),
    rule(group, ['apiserviceexports', 'apiserviceexportrequests', 'apiservicenamespaces'], watched),
    // A namespace that is deleted loses its RoleBindings first, and then has to be let go.
    rule(group, ['apiservicenamespaces', 'apiservicenamespaces/status'], ['patch']),
  ],
  tenant: [
    rule(group, ['apiserviceexports'], ['create', 'patch', 'delete']),
    rule(group, ['apiserviceexports/status'], status),
    rule(group, ['apiserviceexportrequests'], ['delete']),
    rule(group, ['apiserviceexportrequests/status'], status),
    rule(group, ['apiservicenamespaces/status'], status),
  ],
};

/** For AppClusterBindings: to deploy konnectors, and to let them do their work. */
const appClusterBindingRights = {
  cluster: [
    rule(group, ['appclusterbindings', 'apiservicebindings'], watched),
    // Says why a binding is not served, also where nobody has let the backend in.
    rule(group, ['appclusterbindings/status'], ['patch']),
    rule(rbacGroup, ['clusterroles', 'clusterrolebindings'], ['get', 'delete']),
  ],
  tenant: [
    rule(group, ['clusterbindings'], ['create', 'patch']),
    rule(group, ['apiserviceexportrequests'], ['create']),
    rule(group, ['apiservicenamespaces'], ['delete']),
    rule('', ['serviceaccounts'], ['create', 'patch', 'delete']),
    rule('', ['secrets'], [...watched, 'create', 'patch']),
    rule(rbacGroup, ['roles'], ['create', 'patch']),
    rule('apps', ['deployments'], [...watched, 'create', 'patch', 'delete']),
    ...connectorRules,
  ],
};

function rule(apiGroup: string, resources: readonly string[], verbs: readonly string[]): Rule {
  return { apiGroups: [apiGroup], resources, verbs };
}
