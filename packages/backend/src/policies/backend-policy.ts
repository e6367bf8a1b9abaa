import { annotations, binderRoleName, controlPlane, group, type InformerScope, labels } from '@klutch/api';
import { rbacGroup } from '../objects/rbac.ts';
import { type AdmissionPolicy, type AdmissionPolicyBinding, enforced, type Validation } from './admission-policy.ts';
import { all, any, entryOf, fieldOr, text } from './cel.ts';
import { credentialTypes } from './credential-types.ts';

export interface BackendPolicyGrounds {
  /** Name of the policy. */
  readonly name: string;
  /** User name of the backend's account. */
  readonly account: string;
  /** Namespace of the backend, by which namespaces are marked. */
  readonly namespace: string;
  readonly consumerScope: InformerScope;
  readonly controlPlaneMode: boolean;
}

/**
 * What roles cannot say: a backend writes in its own namespace and in namespaces with its mark, makes namespaces with its
 * mark only, and changes and deletes no others.
 */
export function backendPolicy(grounds: BackendPolicyGrounds): readonly [AdmissionPolicy, AdmissionPolicyBinding] {
  return enforced(grounds.name, {
    matchConstraints: {
      resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }],
    },
    matchConditions: [
      { name: 'is-the-backend', expression: `request.userInfo.username == ${text(grounds.account)}` },
      // They change nothing.
      {
        name: 'is-no-review',
        expression: '!(request.resource.group in ["authentication.k8s.io", "authorization.k8s.io"])',
      },
    ],
    variables: [
      { name: 'isNamespace', expression: isResource('', 'namespaces') },
      {
        name: 'isNamespaced',
        expression: all('has(request.namespace) && request.namespace != ""', `!${isResource('', 'namespaces')}`),
      },
      {
        name: 'isInOwnNamespace',
        expression: `variables.isNamespaced && request.namespace == ${text(grounds.namespace)}`,
      },
      {
        name: 'isInMarkedNamespace',
        expression: `variables.isNamespaced && ${isMarked('namespaceObject', grounds.namespace)}`,
      },
    ],
    validations: [
      inNamespaces(grounds),
      ofNamespaces(grounds),
      inTheCluster(grounds),
      ...withinNamespaces,
      ...(grounds.controlPlaneMode ? ofPods : []),
    ],
  });
}

const podSecurity = 'pod-security.kubernetes.io/enforce';

function inNamespaces({ namespace, controlPlaneMode }: BackendPolicyGrounds): Validation {
  // Where it may write those is said by roles that operators bind namespace by namespace.
  const bindings = controlPlaneMode ? [isResource(group, 'appclusterbindings')] : [];
  return {
    expression: any(
      '!variables.isNamespaced',
      'variables.isInOwnNamespace',
      'variables.isInMarkedNamespace',
      ...bindings,
    ),
    message: `The backend may write only in namespaces that have the label ${labels.backend}=${namespace}, by which it marks those it has made.`,
    reason: 'Forbidden',
  };
}

function ofNamespaces({ namespace }: BackendPolicyGrounds): Validation {
  return {
    expression: any(
      '!variables.isNamespace',
      all('request.operation == "CREATE"', isMarked('object', namespace)),
      all(
        'request.operation == "UPDATE"',
        isMarked('object', namespace),
        any(isMarked('oldObject', namespace), isOfAnEarlierBackend('oldObject')),
        any(
          `${entryOf('object', 'labels', podSecurity)} == ${entryOf('oldObject', 'labels', podSecurity)}`,
          `${entryOf('object', 'labels', podSecurity)} == "restricted"`,
        ),
      ),
      all('request.operation == "DELETE"', isMarked('oldObject', namespace)),
    ),
    message: `The backend may make, change and delete only namespaces with the label ${labels.backend}=${namespace}. If this one is to be served by it, have an administrator set the label.`,
    reason: 'Forbidden',
  };
}

/** Something an earlier backend of Klutch says on the namespaces it made; the backend itself cannot add it to others. */
function isOfAnEarlierBackend(object: string): string {
  const notes = [annotations.identity, annotations.tenantIdentity, annotations.apiServiceNamespace];
  return all(
    `${entryOf(object, 'labels', labels.backend)} == ""`,
    any(
      ...notes.map((note) => `${entryOf(object, 'annotations', note)} != ""`),
      `${entryOf(object, 'labels', labels.appClusterBindingName)} != ""`,
    ),
  );
}

function inTheCluster({ consumerScope, controlPlaneMode }: BackendPolicyGrounds): Validation {
  return {
    expression: any(
      'variables.isNamespaced',
      'variables.isNamespace',
      endsStray,
      ...(controlPlaneMode ? [endsLegacyRole] : []),
      ...(consumerScope === 'Cluster' ? [isOfAnAppCluster] : []),
    ),
    message:
      'The backend may change nothing in the cluster but namespaces, and end rights that app clusters have everywhere.',
    reason: 'Forbidden',
  };
}

const binderPrefix = binderRoleName('');
const isBinder = `subject.kind == "ServiceAccount" && subject.name == ${text(controlPlane.binder)}`;

/** What `isStray` says of a ClusterRoleBinding. */
const endsStray = all(
  isResource(rbacGroup, 'clusterrolebindings'),
  'request.operation == "DELETE"',
  `oldObject.metadata.name.startsWith(${text(binderPrefix)})`,
  any(
    `${fieldOr('oldObject', 'subjects', '[]')}.exists(subject, ${isBinder})`,
    `oldObject.roleRef.name.startsWith(${text(controlPlane.binder)})`,
  ),
);

const endsLegacyRole = all(
  `request.resource.group == ${text(rbacGroup)}`,
  'request.resource.resource in ["clusterroles", "clusterrolebindings"]',
  'request.operation == "DELETE"',
  'oldObject.metadata.name.startsWith("klutch-konnector-")',
  `${fieldOr('oldObject', 'subjects', '[]')}.all(subject, subject.kind == "ServiceAccount")`,
);

/** In the scope of the cluster: the role of an app cluster, and its binding to the account of that app cluster. */
const isOfAnAppCluster = all(
  `request.resource.group == ${text(rbacGroup)}`,
  'request.operation in ["CREATE", "UPDATE"]',
  `object.metadata.name.startsWith(${text(binderPrefix)})`,
  any(
    'request.resource.resource == "clusterroles"',
    all(
      'request.resource.resource == "clusterrolebindings"',
      'object.roleRef.kind == "ClusterRole" && object.roleRef.name == object.metadata.name',
      `${fieldOr('object', 'subjects', '[]')}.all(subject, ${isBinder} && ${text(binderPrefix)} + subject.namespace == object.metadata.name)`,
    ),
  ),
);

/** What would make more of the rights in a namespace than they are meant for. */
const withinNamespaces: readonly Validation[] = [
  {
    expression: any(`request.resource.group != ${text(rbacGroup)}`, '!variables.isInOwnNamespace'),
    message: 'The backend may not change roles in its own namespace.',
    reason: 'Forbidden',
  },
  {
    expression: any(
      `!${isResource('', 'secrets')}`,
      // The type of a Secret never changes; those of a Go backend have to be annotated until they go.
      'request.operation != "CREATE"',
      '!has(object.type)',
      `!(object.type in [${credentialTypes.map(text).join(', ')}])`,
    ),
    message: 'The backend may not make Secrets in which Kubernetes puts tokens.',
    reason: 'Forbidden',
  },
];

/** Konnectors that the backend deploys run without privileges; a pod with privileges could take over its node. */
const ofPods: readonly Validation[] = [
  {
    expression: any(
      'request.resource.group != "apps"',
      'request.operation == "DELETE"',
      all(
        `${entryOf('namespaceObject', 'labels', podSecurity)} == "restricted"`,
        `${entryOf('namespaceObject', 'labels', `${podSecurity}-version`)} in ["", "latest"]`,
      ),
    ),
    message: `The backend may deploy konnectors only in namespaces with the label ${podSecurity}=restricted.`,
    reason: 'Forbidden',
  },
];

function isResource(apiGroup: string, plural: string): string {
  return `(request.resource.group == ${text(apiGroup)} && request.resource.resource == ${text(plural)})`;
}

function isMarked(object: string, namespace: string): string {
  return `${entryOf(object, 'labels', labels.backend)} == ${text(namespace)}`;
}
