import { group, type InformerScope } from '@klutch/api';
import { binderRules } from '../grants/binder-rules.ts';
import { rbacGroup, type Rule } from '../objects/rbac.ts';

/**
 * What a backend must be allowed to do in all namespaces to register app clusters, issue and end their credentials, and
 * grant them rights. Besides, it must itself have all that it grants: the rules of `klutch-binder`, which are in here, and
 * those that follow from exports and claims, which are not.
 */
export function tenantRights(scope: InformerScope): readonly Rule[] {
  const watched = ['get', 'list', 'watch'];
  return [
    { apiGroups: [''], resources: ['namespaces'], verbs: [...watched, 'create', 'patch', 'delete'] },
    { apiGroups: [''], resources: ['serviceaccounts'], verbs: [...watched, 'create', 'delete'] },
    { apiGroups: [''], resources: ['serviceaccounts/token'], verbs: ['create'] },
    { apiGroups: [''], resources: ['secrets'], verbs: [...watched, 'create', 'patch', 'delete'] },
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: [rbacGroup], resources: ['clusterroles'], verbs: [...watched, 'create', 'patch'] },
    { apiGroups: [rbacGroup], resources: ['rolebindings'], verbs: [...watched, 'create', 'patch', 'delete'] },
    {
      apiGroups: [rbacGroup],
      resources: ['clusterrolebindings'],
      verbs: ['list', 'watch', 'delete', ...(scope === 'Cluster' ? ['get', 'create', 'patch'] : [])],
    },
    { apiGroups: [group], resources: ['clusterbindings'], verbs: [...watched, 'create'] },
    { apiGroups: [group], resources: ['clusterbindings/status'], verbs: ['patch'] },
    { apiGroups: [group], resources: ['apiserviceexports'], verbs: ['list', 'watch', 'delete'] },
    { apiGroups: [group], resources: ['apiservicenamespaces'], verbs: ['list', 'delete'] },
    { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
    ...binderRules,
  ];
}
