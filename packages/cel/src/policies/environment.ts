import { AUTHORIZER_TYPE, RESOURCE_CHECK_TYPE } from '../library/authorizer.ts';
import { BOOL, type CelType, DYN, INT, listOf, mapOf, STRING, TIMESTAMP } from '../types/cel-type.ts';

/** What an expression may refer to besides the request and its objects. */
export interface PolicyScope {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** Types of the variables before it; undefined where there are none to refer to. */
  readonly variables: ReadonlyMap<string, CelType> | undefined;
}

/** The types of what an expression may refer to. */
export function policyVariables(scope: PolicyScope): Readonly<Record<string, CelType>> {
  const { hasParams, hasAuthorizer, variables } = scope;
  return {
    object: DYN,
    oldObject: DYN,
    namespaceObject: NAMESPACE,
    request: REQUEST,
    ...(variables && { variables: { kind: 'object', name: 'kubernetes.variables', fields: variables } }),
    ...(hasParams && { params: DYN }),
    ...(hasAuthorizer && { authorizer: AUTHORIZER_TYPE, 'authorizer.requestResource': RESOURCE_CHECK_TYPE }),
  };
}

/** The type of a variable that has an expression of this type: only what consists of basic types is kept. */
export function variableType(type: CelType): CelType {
  switch (type.kind) {
    case 'list':
      return listOf(variableType(type.of));
    case 'map':
      return mapOf(variableType(type.key), variableType(type.of));
    case 'object':
    case 'opaque':
    case 'type':
    case 'param':
    case 'error':
      return DYN;
    default:
      return type;
  }
}

function declared(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  return { kind: 'object', name: `kubernetes.${name}`, fields: new Map(Object.entries(fields)) };
}

const KIND = declared('GroupVersionKind', { group: STRING, version: STRING, kind: STRING });
const RESOURCE = declared('GroupVersionResource', { group: STRING, version: STRING, resource: STRING });

const REQUEST = declared('AdmissionRequest', {
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: declared('UserInfo', {
    username: STRING,
    uid: STRING,
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
  }),
  dryRun: BOOL,
  options: DYN,
});

const NAMESPACE = declared('Namespace', {
  metadata: declared('NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    // Kubernetes declares it like this, so that expressions cannot read the field `uid` that is there.
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  }),
  spec: declared('NamespaceSpec', { finalizers: listOf(STRING) }),
  status: declared('NamespaceStatus', {
    conditions: listOf(
      declared('NamespaceCondition', {
        status: STRING,
        type: STRING,
        lastTransitionTime: TIMESTAMP,
        message: STRING,
        reason: STRING,
      }),
    ),
    phase: STRING,
  }),
});
