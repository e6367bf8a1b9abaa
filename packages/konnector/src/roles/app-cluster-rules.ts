import { apiName, apiServiceBindingCrd, group } from '@klutch/api';

/** An RBAC rule. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** What a konnector may do in an app cluster. */
export interface AppClusterRules {
  /** For a ClusterRole, bound in the whole cluster. */
  readonly cluster: readonly Rule[];
  /** For a Role in the namespace of the konnector, with its lease and the kubeconfig Secrets. */
  readonly namespace: readonly Rule[];
}

/** An API that is, or is to be, bound. */
export interface RoleApi {
  readonly group: string;
  readonly plural: string;
}

/** A type of objects that is claimed, and by whom they are owned; either side when absent. Also a claim as it is. */
export interface RoleClaim {
  readonly group?: string;
  readonly resource: string;
  readonly owner?: 'Provider' | 'Consumer';
  readonly selector?: { readonly owner?: 'Provider' | 'Consumer' };
}

/**
 * The least rights with which a konnector in an app cluster can serve these APIs and claims. Nothing in them is a
 * wildcard. CRDs are limited by name, except for creating and listing them. A claim that is accepted no more has to stay
 * among them until its copies are gone.
 */
export function appClusterRules(apis: readonly RoleApi[], claims: readonly RoleClaim[] = []): AppClusterRules {
  const crdNames = apis.map(({ group: apiGroup, plural }) => apiName({ group: apiGroup, resource: plural }));
  return {
    cluster: [
      rule(group, ['apiservicebindings'], [...reading, 'patch']),
      rule(group, ['apiservicebindings/status'], ['get', 'patch', 'update']),
      // What bindings left behind is found by looking through all CRDs.
      rule(crdGroup, ['customresourcedefinitions'], ['create', 'list']),
      {
        ...rule(crdGroup, ['customresourcedefinitions'], ['get', 'watch', 'patch', 'update', 'delete']),
        resourceNames: [apiServiceBindingCrd.metadata.name ?? '', ...crdNames].sort(),
      },
      rule('', ['namespaces'], reading),
      rule('', ['events'], ['create', 'patch']),
      ...byGroup(apis.map((api) => ({ group: api.group, resources: [api.plural], verbs: everything }))),
      ...byGroup(apis.map((api) => ({ group: api.group, resources: [`${api.plural}/status`], verbs: statusVerbs }))),
      ...byGroup(
        claims.map((claim) => ({ group: claim.group ?? '', resources: [claim.resource], verbs: verbsFor(claim) })),
      ),
    ],
    namespace: [
      rule('coordination.k8s.io', ['leases'], ['get', 'create', 'update']),
      rule('', ['secrets'], [...reading, 'create', 'patch']),
    ],
  };
}

const crdGroup = 'apiextensions.k8s.io';
const reading = ['get', 'list', 'watch'];
const everything = [...reading, 'create', 'update', 'patch', 'delete'];
const statusVerbs = ['get', 'patch', 'update'];

/** Objects of the user are read and marked, never made or deleted. */
function verbsFor({ owner, selector }: RoleClaim): readonly string[] {
  return (owner ?? selector?.owner) === 'Consumer' ? [...reading, 'patch'] : everything;
}

/** One rule for each group and set of verbs, with the resources in order. */
function byGroup(
  wanted: readonly {
    readonly group: string;
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[],
): Rule[] {
  const rules = new Map<string, { group: string; resources: Set<string>; verbs: readonly string[] }>();
  for (const { group: apiGroup, resources, verbs } of wanted) {
    const key = JSON.stringify([apiGroup, verbs]);
    const found = rules.get(key) ?? { group: apiGroup, resources: new Set<string>(), verbs };
    for (const resource of resources) found.resources.add(resource);
    rules.set(key, found);
  }
  return [...rules.values()].map((entry) => rule(entry.group, [...entry.resources].sort(), entry.verbs));
}

function rule(apiGroup: string, resources: readonly string[], verbs: readonly string[]): Rule {
  return { apiGroups: [apiGroup], resources: [...resources], verbs: [...verbs] };
}
