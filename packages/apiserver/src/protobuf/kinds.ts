import { type Field, many, type Message, message, one, partial } from './message.ts';

/** Field numbers are part of the API of Kubernetes and never change. Only what clients send is here: no status. */

const ownerReference = message({
  1: one('kind', 'string'),
  3: one('name', 'string'),
  4: one('uid', 'string'),
  5: one('apiVersion', 'string'),
  6: one('controller', 'bool'),
  7: one('blockOwnerDeletion', 'bool'),
});

const objectMeta = message({
  1: one('name', 'string'),
  2: one('generateName', 'string'),
  3: one('namespace', 'string'),
  5: one('uid', 'string'),
  6: one('resourceVersion', 'string'),
  8: one('creationTimestamp', 'time'),
  11: one('labels', 'stringMap'),
  12: one('annotations', 'stringMap'),
  13: many('ownerReferences', ownerReference),
  14: many('finalizers', 'string'),
});

const labelSelectorRequirement = message({
  1: one('key', 'string'),
  2: one('operator', 'string'),
  3: many('values', 'string'),
});
const labelSelector = message({
  1: one('matchLabels', 'stringMap'),
  2: many('matchExpressions', labelSelectorRequirement),
});

const objectReference = message({
  1: one('kind', 'string'),
  2: one('namespace', 'string'),
  3: one('name', 'string'),
  4: one('uid', 'string'),
  5: one('apiVersion', 'string'),
  6: one('resourceVersion', 'string'),
  7: one('fieldPath', 'string'),
});

const policyRule = message({
  1: many('verbs', 'string'),
  2: many('apiGroups', 'string'),
  3: many('resources', 'string'),
  4: many('resourceNames', 'string'),
  5: many('nonResourceURLs', 'string'),
});

const subject = message({
  1: one('kind', 'string'),
  2: one('apiGroup', 'string'),
  3: one('name', 'string'),
  4: one('namespace', 'string'),
});
const roleRef = message({ 1: one('apiGroup', 'string'), 2: one('kind', 'string'), 3: one('name', 'string') });

const selectorAttributes = message({
  1: one('rawSelector', 'string'),
  2: many('requirements', labelSelectorRequirement),
});
const resourceAttributes = message({
  1: one('namespace', 'string'),
  2: one('verb', 'string'),
  3: one('group', 'string'),
  4: one('version', 'string'),
  5: one('resource', 'string'),
  6: one('subresource', 'string'),
  7: one('name', 'string'),
  8: one('fieldSelector', selectorAttributes),
  9: one('labelSelector', selectorAttributes),
});
const nonResourceAttributes = message({ 1: one('path', 'string'), 2: one('verb', 'string') });
const accessReviewSpec = message({
  1: one('resourceAttributes', resourceAttributes),
  2: one('nonResourceAttributes', nonResourceAttributes),
  3: one('user', 'string'),
  4: many('groups', 'string'),
  5: one('extra', 'listMap'),
  6: one('uid', 'string'),
});

const leaseSpec = message({
  1: one('holderIdentity', 'string'),
  2: one('leaseDurationSeconds', 'int'),
  3: one('acquireTime', 'microTime'),
  4: one('renewTime', 'microTime'),
  5: one('leaseTransitions', 'int'),
  6: one('strategy', 'string'),
  7: one('preferredHolder', 'string'),
});

const boundObjectReference = message({
  1: one('kind', 'string'),
  2: one('apiVersion', 'string'),
  3: one('name', 'string'),
  4: one('uid', 'string'),
});
const tokenRequestSpec = message({
  1: many('audiences', 'string'),
  3: one('boundObjectRef', boundObjectReference),
  4: one('expirationSeconds', 'int'),
});

const containerPort = message({
  1: one('name', 'string'),
  2: one('hostPort', 'int'),
  3: one('containerPort', 'int'),
  4: one('protocol', 'string'),
  5: one('hostIP', 'string'),
});
const container = partial({
  1: one('name', 'string'),
  2: one('image', 'string'),
  3: many('command', 'string'),
  4: many('args', 'string'),
  5: one('workingDir', 'string'),
  6: many('ports', containerPort),
  8: one('resources', partial({})),
  14: one('imagePullPolicy', 'string'),
});
const podSpec = partial({
  2: many('containers', container),
  3: one('restartPolicy', 'string'),
  8: one('serviceAccountName', 'string'),
});
const deploymentSpec = partial({
  1: one('replicas', 'int'),
  2: one('selector', labelSelector),
  3: one('template', message({ 1: one('metadata', objectMeta), 2: one('spec', podSpec) })),
  4: one('strategy', partial({ 1: one('type', 'string') })),
});

const scopeRequirement = message({
  1: one('scopeName', 'string'),
  2: one('operator', 'string'),
  3: many('values', 'string'),
});
const resourceQuotaSpec = message({
  1: one('hard', 'quantityMap'),
  2: many('scopes', 'string'),
  3: one('scopeSelector', message({ 1: many('matchExpressions', scopeRequirement) })),
});

/** An object: metadata, and what else it has. */
function kind(fields: Readonly<Record<number, Field>>): Message {
  return message({ 1: one('metadata', objectMeta), ...fields });
}

const rbac = 'rbac.authorization.k8s.io/v1';
const authentication = 'authentication.k8s.io/v1';
const authorization = 'authorization.k8s.io/v1';

/** The kinds that clients may send as protobuf, by `apiVersion kind`: those kubectl creates without a manifest. */
export const protobufKinds: ReadonlyMap<string, Message> = new Map([
  ['v1 Namespace', kind({ 2: one('spec', message({ 1: many('finalizers', 'string') })) })],
  [
    'v1 ConfigMap',
    kind({ 2: one('data', 'stringMap'), 3: one('binaryData', 'bytesMap'), 4: one('immutable', 'bool') }),
  ],
  [
    'v1 Secret',
    kind({
      2: one('data', 'bytesMap'),
      3: one('type', 'string'),
      4: one('stringData', 'stringMap'),
      5: one('immutable', 'bool'),
    }),
  ],
  [
    'v1 ServiceAccount',
    kind({
      2: many('secrets', objectReference),
      3: many('imagePullSecrets', message({ 1: one('name', 'string') })),
      4: one('automountServiceAccountToken', 'bool'),
    }),
  ],
  ['v1 ResourceQuota', kind({ 2: one('spec', resourceQuotaSpec) })],
  ['apps/v1 Deployment', kind({ 2: one('spec', deploymentSpec) })],
  ['coordination.k8s.io/v1 Lease', kind({ 2: one('spec', leaseSpec) })],
  [`${rbac} Role`, kind({ 2: many('rules', policyRule) })],
  [`${rbac} RoleBinding`, kind({ 2: many('subjects', subject), 3: one('roleRef', roleRef) })],
  [
    `${rbac} ClusterRole`,
    kind({
      2: many('rules', policyRule),
      3: one('aggregationRule', message({ 1: many('clusterRoleSelectors', labelSelector) })),
    }),
  ],
  [`${rbac} ClusterRoleBinding`, kind({ 2: many('subjects', subject), 3: one('roleRef', roleRef) })],
  [`${authorization} SelfSubjectAccessReview`, kind({ 2: one('spec', accessReviewSpec) })],
  [`${authorization} SubjectAccessReview`, kind({ 2: one('spec', accessReviewSpec) })],
  [`${authorization} LocalSubjectAccessReview`, kind({ 2: one('spec', accessReviewSpec) })],
  [`${authorization} SelfSubjectRulesReview`, kind({ 2: one('spec', message({ 1: one('namespace', 'string') })) })],
  [`${authentication} SelfSubjectReview`, kind({})],
  [
    `${authentication} TokenReview`,
    kind({ 2: one('spec', message({ 1: one('token', 'string'), 2: many('audiences', 'string') })) }),
  ],
  [`${authentication} TokenRequest`, kind({ 2: one('spec', tokenRequestSpec) })],
  [
    'v1 DeleteOptions',
    message({
      1: one('gracePeriodSeconds', 'int'),
      2: one('preconditions', message({ 1: one('uid', 'string'), 2: one('resourceVersion', 'string') })),
      3: one('orphanDependents', 'bool'),
      4: one('propagationPolicy', 'string'),
      5: many('dryRun', 'string'),
    }),
  ],
]);
