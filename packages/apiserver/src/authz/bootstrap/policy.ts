import { ALL_SERVICE_ACCOUNTS } from '../../authn/service-account-user.ts';
import { PRIVILEGED_GROUP } from '../rbac-authorizer.ts';
import {
  type ClusterRole,
  type ClusterRoleBinding,
  type PolicyRule,
  RBAC_GROUP,
  RBAC_VERSION,
} from '../rbac-objects.ts';
import { EDIT_RULES } from './edit-rules.ts';
import { onPaths, onResources, READ, WRITE } from './policy-rules.ts';
import { VIEW_RULES } from './view-rules.ts';

/** Roles and bindings that every cluster has. */
export interface BootstrapPolicy {
  readonly clusterRoles: readonly ClusterRole[];
  readonly clusterRoleBindings: readonly ClusterRoleBinding[];
}

/** An object with this annotation set to `false` is left alone when the server starts. */
export const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

const HEALTH_PATHS = ['/healthz', '/livez', '/readyz'];
const VERSION_PATHS = ['/version', '/version/'];

/** The roles and bindings of Kubernetes 1.35 that users and tools rely on; those of its own components are not among them. */
export const BOOTSTRAP_POLICY: BootstrapPolicy = {
  clusterRoles: [
    clusterRole('cluster-admin', [onResources(['*'], ['*'], '*'), onPaths(['*'], '*')]),
    clusterRole('system:discovery', [
      onPaths(
        ['get'],
        ...HEALTH_PATHS,
        ...VERSION_PATHS,
        '/api',
        '/api/*',
        '/apis',
        '/apis/*',
        '/openapi',
        '/openapi/*',
      ),
    ]),
    clusterRole('system:monitoring', [
      onPaths(['get'], '/metrics', '/metrics/slis', ...HEALTH_PATHS, ...HEALTH_PATHS.map((path) => `${path}/*`)),
      onResources(['get'], [''], 'nodes/metrics'),
    ]),
    clusterRole('system:basic-user', [
      onResources(['create'], ['authorization.k8s.io'], 'selfsubjectaccessreviews', 'selfsubjectrulesreviews'),
      onResources(['create'], ['authentication.k8s.io'], 'selfsubjectreviews'),
    ]),
    clusterRole('system:public-info-viewer', [onPaths(['get'], ...HEALTH_PATHS, ...VERSION_PATHS)]),
    collectingRole('admin'),
    collectingRole('edit', 'admin'),
    collectingRole('view', 'edit'),
    clusterRole(
      'system:aggregate-to-admin',
      [
        onResources(['create'], ['authorization.k8s.io'], 'localsubjectaccessreviews'),
        onResources([...READ, ...WRITE], [RBAC_GROUP], 'rolebindings', 'roles'),
      ],
      'admin',
    ),
    clusterRole('system:aggregate-to-edit', EDIT_RULES, 'edit'),
    clusterRole('system:aggregate-to-view', VIEW_RULES, 'view'),
    clusterRole('system:auth-delegator', [
      onResources(['create'], ['authentication.k8s.io'], 'tokenreviews'),
      onResources(['create'], ['authorization.k8s.io'], 'subjectaccessreviews'),
    ]),
    clusterRole('system:service-account-issuer-discovery', [
      onPaths(
        ['get'],
        '/.well-known/openid-configuration',
        '/.well-known/openid-configuration/',
        '/openid/v1/jwks',
        '/openid/v1/jwks/',
      ),
    ]),
  ],
  clusterRoleBindings: [
    groupBinding('cluster-admin', PRIVILEGED_GROUP),
    groupBinding('system:monitoring', 'system:monitoring'),
    groupBinding('system:discovery', 'system:authenticated'),
    groupBinding('system:basic-user', 'system:authenticated'),
    groupBinding('system:public-info-viewer', 'system:authenticated', 'system:unauthenticated'),
    groupBinding('system:service-account-issuer-discovery', ALL_SERVICE_ACCOUNTS),
  ],
};

function clusterRole(name: string, rules: readonly PolicyRule[], collectedBy?: string): ClusterRole {
  return { ...identity('ClusterRole', name, collectedBy), rules };
}

/** A role whose rules are those of all roles with the label for it. */
function collectingRole(name: string, collectedBy?: string): ClusterRole {
  const clusterRoleSelectors = [{ matchLabels: { [collectionLabel(name)]: 'true' } }];
  return { ...identity('ClusterRole', name, collectedBy), aggregationRule: { clusterRoleSelectors }, rules: null };
}

function groupBinding(name: string, ...groups: readonly string[]): ClusterRoleBinding {
  return {
    ...identity('ClusterRoleBinding', name),
    subjects: groups.map((group) => ({ kind: 'Group', apiGroup: RBAC_GROUP, name: group })),
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
  };
}

function identity(kind: string, name: string, collectedBy?: string) {
  const label = collectedBy === undefined ? {} : { [collectionLabel(collectedBy)]: 'true' };
  return {
    apiVersion: RBAC_VERSION,
    kind,
    metadata: {
      name,
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...label },
      annotations: { [AUTO_UPDATE]: 'true' },
    },
  };
}

function collectionLabel(role: string): string {
  return `rbac.authorization.k8s.io/aggregate-to-${role}`;
}
