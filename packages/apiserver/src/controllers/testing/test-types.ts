import { compileType } from '../../apply/index.ts';
import { cleanupFinalizer, type Crd, crdGroup, withCondition } from '../../crd/crd.ts';
import { pathSegmentProblems } from '../../metadata/name-rules.ts';
import type { ApiObject } from '../../objects/api-object.ts';
import {
  allVerbs,
  apiVersionOf,
  bucketOf,
  type ServedResource,
  type Strategy,
} from '../../registry/served-resource.ts';
import { kubeTime } from '../../operations/kube-time.ts';

const PLAIN: Strategy = { unconditionalUpdate: true, tracksGeneration: false };

/** For tests: a resource type that takes any fields. */
export function testType(
  group: string,
  resource: string,
  kind: string,
  more: Partial<ServedResource> = {},
): ServedResource {
  const { version = 'v1' } = more;
  const apiVersion = apiVersionOf({ group, version });
  const types = new Map([[apiVersion, compileType({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })]]);
  return {
    group,
    version,
    resource,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: allVerbs,
    bucket: bucketOf({ group, resource }),
    storageApiVersion: apiVersion,
    hasStatus: false,
    columns: [],
    selectableFields: {},
    strategy: PLAIN,
    ownership: (subresource) => ({ apiVersion, kind, subresource, types }),
    builtIn: true,
    ...more,
  };
}

const namespaceStrategy: Strategy = {
  ...PLAIN,
  returnsDeleted: true,
  prepareCreate: (object) => {
    object['spec'] = { finalizers: ['kubernetes'] };
    object['status'] = { phase: 'Active' };
  },
  prepareUpdate: (object, old) => {
    object['spec'] = old['spec'];
  },
  holdsDeletion: ({ spec }) => ((spec as { finalizers?: string[] } | undefined)?.finalizers?.length ?? 0) > 0,
  beginDeletion: (object) => {
    object['status'] = { ...(object['status'] as object), phase: 'Terminating' };
  },
};

/** Takes names that are no subdomains, such as `system:admin` and `v1.`. */
const anyNameStrategy: Strategy = { ...PLAIN, nameProblems: pathSegmentProblems };

const crdStrategy: Strategy = {
  unconditionalUpdate: false,
  tracksGeneration: true,
  prepareCreate: (object) => {
    const crd = object as Crd;
    crd.status = { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: [] };
  },
  deletionFinalizers: () => [cleanupFinalizer],
  beginDeletion: (object) => {
    const crd = object as Crd;
    const pending = {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'soon',
    } as const;
    crd.status = {
      ...crd.status,
      conditions: withCondition(crd.status?.conditions ?? [], pending, kubeTime(new Date())),
    };
  },
};

/** For tests: the types of a small cluster. */
export const TEST_TYPES: readonly ServedResource[] = [
  testType('', 'namespaces', 'Namespace', { namespaced: false, hasStatus: true, strategy: namespaceStrategy }),
  testType('', 'pods', 'Pod'),
  testType('', 'configmaps', 'ConfigMap'),
  testType('', 'secrets', 'Secret'),
  testType('', 'serviceaccounts', 'ServiceAccount'),
  testType('', 'events', 'Event'),
  testType('authentication.k8s.io', 'tokenreviews', 'TokenReview', { namespaced: false, verbs: ['create'] }),
  testType('example.org', 'zones', 'Zone', { namespaced: false }),
  testType('rbac.authorization.k8s.io', 'clusterroles', 'ClusterRole', {
    namespaced: false,
    strategy: anyNameStrategy,
  }),
  testType('rbac.authorization.k8s.io', 'clusterrolebindings', 'ClusterRoleBinding', {
    namespaced: false,
    strategy: anyNameStrategy,
  }),
  testType('apiregistration.k8s.io', 'apiservices', 'APIService', { namespaced: false, strategy: anyNameStrategy }),
  testType(crdGroup, 'customresourcedefinitions', 'CustomResourceDefinition', {
    namespaced: false,
    hasStatus: true,
    strategy: crdStrategy,
    // Among built-in kinds only this one has finalizers without a domain.
    builtIn: false,
  }),
];

/** For tests: types of a CustomResourceDefinition whose schemas take any fields. */
export function testTypesOfCrd({ spec, status }: Crd): readonly ServedResource[] {
  const { plural, kind } = status?.acceptedNames ?? spec.names;
  return spec.versions
    .filter(({ served }) => served)
    .map(({ name }) =>
      testType(spec.group, plural, kind, {
        version: name,
        namespaced: spec.scope === 'Namespaced',
        storageApiVersion: `${spec.group}/${spec.versions.find(({ storage }) => storage)?.name}`,
        builtIn: false,
        strategy: { unconditionalUpdate: false, tracksGeneration: true },
      }),
    );
}

/** For tests: a CustomResourceDefinition of one version. */
export function testCrd(group: string, names: Crd['spec']['names'], more: Partial<Crd['spec']> = {}): Crd {
  return {
    apiVersion: `${crdGroup}/v1`,
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { singular: names.kind.toLowerCase(), listKind: `${names.kind}List`, ...names },
      versions: [{ name: 'v1', served: true, storage: true }],
      ...more,
    },
  };
}

/** For tests: an object of a type. */
export function testObject(
  type: Pick<ServedResource, 'group' | 'version' | 'kind'>,
  metadata: ApiObject['metadata'],
  fields: object = {},
): ApiObject {
  return { apiVersion: apiVersionOf(type), kind: type.kind, metadata, ...fields };
}
