import { controlPlane as names, group, type InformerScope } from '@klutch/api';
import { binderRules } from '../grants/binder-rules.ts';
import { rbacGroup, type Rule } from '../objects/rbac.ts';

/** Rules of a backend, by where they count. */
export interface PlacedRules {
  /** In the whole cluster. Writes among these are narrowed to the backend's own namespaces by an admission policy. */
  readonly cluster: readonly Rule[];
  /** In each namespace that the backend has made or adopted. */
  readonly tenant: readonly Rule[];
}

const watched = ['get', 'list', 'watch'];

/**
 * What a backend must be allowed to do to register app clusters, issue and end their credentials, and grant them rights.
 * Besides, it must itself have all that it grants: the rules that every app cluster has in its cluster namespace, which are
 * in here, and those that follow from exports and permission claims, which are not.
 */
export function tenantRights(scope: InformerScope, tenantRole: string): PlacedRules {
  return {
    cluster: [
      { apiGroups: [''], resources: ['namespaces'], verbs: [...watched, 'create', 'patch', 'delete'] },
      { apiGroups: [''], resources: ['serviceaccounts'], verbs: watched },
      { apiGroups: [rbacGroup], resources: ['roles', 'rolebindings'], verbs: watched },
      { apiGroups: [group], resources: ['clusterbindings'], verbs: watched },
      { apiGroups: [group], resources: ['apiserviceexports', 'apiservicenamespaces'], verbs: ['list', 'watch'] },
      { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
      ...ownGrantRights(tenantRole),
      ...(scope === 'Cluster' ? clusterScopeRights : [strayRights]),
    ],
    tenant: [
      { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['create', 'delete'] },
      { apiGroups: [''], resources: ['serviceaccounts/token'], verbs: ['create'], resourceNames: [names.binder] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'create', 'patch', 'delete'] },
      { apiGroups: [rbacGroup], resources: ['roles'], verbs: ['create', 'patch'] },
      { apiGroups: [rbacGroup], resources: ['rolebindings'], verbs: ['create', 'patch', 'delete'] },
      { apiGroups: [group], resources: ['clusterbindings'], verbs: ['create'] },
      { apiGroups: [group], resources: ['clusterbindings/status'], verbs: ['patch'] },
      { apiGroups: [group], resources: ['apiserviceexports', 'apiservicenamespaces'], verbs: ['delete'] },
      { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
      ...binderRules,
    ],
  };
}

/** By these the backend gives itself the rules for tenants in a namespace it made, and can give nobody anything else. */
function ownGrantRights(tenantRole: string): readonly Rule[] {
  return [
    { apiGroups: [rbacGroup], resources: ['rolebindings'], verbs: ['create'] },
    { apiGroups: [rbacGroup], resources: ['rolebindings'], verbs: ['patch', 'delete'], resourceNames: [names.backend] },
    { apiGroups: [rbacGroup], resources: ['clusterroles'], verbs: ['bind'], resourceNames: [tenantRole] },
  ];
}

/** To remove what gives app clusters rights in all namespaces. */
const strayRights: Rule = {
  apiGroups: [rbacGroup],
  resources: ['clusterrolebindings'],
  verbs: ['list', 'watch', 'delete'],
};

const clusterScopeRights: readonly Rule[] = [
  { apiGroups: [rbacGroup], resources: ['clusterroles'], verbs: [...watched, 'create', 'patch'] },
  { apiGroups: [rbacGroup], resources: ['clusterrolebindings'], verbs: [...watched, 'create', 'patch', 'delete'] },
];
