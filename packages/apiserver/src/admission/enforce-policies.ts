import { type CelValue, evaluatePolicy, jsonValue, type PolicyInput } from '@klutch/cel';
import type { Authorizer } from '../authz/index.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { Call } from '../operations/call.ts';
import type { Registry } from '../registry/registry.ts';
import { bucketOf, keyOf, type ServedResource } from '../registry/served-resource.ts';
import { notFound } from '../status/status-error.ts';
import type { Store } from '../storage/types.ts';
import { type AdmissionAttributes, attributesOf, type Change } from './admission-attributes.ts';
import { asVersion } from './as-version.ts';
import { collectParams } from './collect-params.ts';
import { type Denial, denied, warningText } from './denial.ts';
import { matchRequest } from './match-request.ts';
import { requireParamAccess } from './param-access.ts';
import { ADMISSION_GROUP, type ParamKind, type PolicyBinding } from './policy-objects.ts';
import { type BoundPolicy, createPolicySource } from './policy-source.ts';
import { authorizerValues, namespaceValue, requestValue } from './policy-values.ts';

/** What policies are read from and judged by. */
export interface PolicyWorld {
  readonly store: Store;
  readonly registry: Registry;
  readonly authorizer: Authorizer;
}

/**
 * Throws the refusal of Kubernetes when a ValidatingAdmissionPolicy that is in force denies a change, or when the change
 * is one of a policy that its author may not make.
 */
export type EnforcePolicies = (call: Call, change: Change) => void;

export function createPolicyEnforcement(world: PolicyWorld): EnforcePolicies {
  const policies = createPolicySource(world.store);
  return (call, change) => {
    requireParamAccess(world, call, change);
    const bound = policies();
    if (bound.length === 0 || isExempt(call.resource)) return;
    const attributes = attributesOf(call, change);
    const denials = bound.flatMap((policy) => denialsOf(policy, attributes, world, call.warn));
    const [first] = denials;
    if (first) throw denied(attributes, first);
  };
}

/**
 * Questions about identity and permission are never kept from being answered, and policies do not keep people from
 * changing policies.
 */
const exemptGroups: ReadonlySet<string> = new Set(['authentication.k8s.io', 'authorization.k8s.io', ADMISSION_GROUP]);

const isExempt = ({ group }: ServedResource) => exemptGroups.has(group);

function denialsOf(
  bound: BoundPolicy,
  attributes: AdmissionAttributes,
  world: PolicyWorld,
  warn: (text: string) => void,
): readonly Denial[] {
  const { policy, bindings } = bound;
  const { spec } = policy;
  const isFailureIgnored = spec.failurePolicy === 'Ignore';
  /** Policies and bindings that cannot be used count as failures, too. */
  const configured = <T>(work: () => T, binding?: PolicyBinding): T | readonly Denial[] => {
    try {
      return work();
    } catch (error) {
      if (isFailureIgnored) return [];
      const problem = error instanceof Error ? error.message : String(error);
      const message = `failed to configure ${binding ? 'binding' : 'policy'}: ${problem}`;
      return [{ policy, binding, message, reason: undefined }];
    }
  };
  const context = { registry: world.registry, namespaceLabels: (name: string) => labelsOf(world.store, name) };
  const matched = configured(() => {
    const resource = matchRequest(spec.matchConstraints ?? {}, attributes, context);
    return resource && { resource, paramKind: spec.paramKind && requireKind(world.registry, spec.paramKind) };
  });
  if (!matched) return [];
  if (!('resource' in matched)) return matched;

  const inputs = inputFactory(attributes, matched.resource, world);
  return bindings.flatMap((binding) => {
    const { matchResources, paramRef, validationActions = [] } = binding.spec;
    const params = configured(() => {
      if (matchResources && !matchRequest(matchResources, attributes, context)) return { list: [] };
      return { list: collectParams(world.store, matched.paramKind, paramRef, attributes.namespace) };
    }, binding);
    if (!('list' in params)) return params;
    return params.list
      .flatMap((param) => evaluatePolicy(bound.compiled(), inputs(param), isFailureIgnored))
      .flatMap(({ message, reason, isSubjectToActions }) => {
        const denial = { policy, binding, message, reason };
        if (!isSubjectToActions || validationActions.includes('Deny')) return [denial];
        if (validationActions.includes('Warn')) warn(warningText(denial));
        return [];
      });
  });
}

/** What a policy sees, for any parameter. What does not depend on the parameter is put together once. */
function inputFactory(
  attributes: AdmissionAttributes,
  matched: ServedResource,
  { store, authorizer }: PolicyWorld,
): (param: ApiObject | undefined) => PolicyInput {
  let common: Omit<PolicyInput, 'params'> | undefined;
  const shown = (object: object | undefined): CelValue => jsonValue(object && asVersion(object, attributes, matched));
  const isSame = matched === attributes.resource || attributes.kind.kind !== attributes.resource.kind;
  const kind = isSame ? attributes.kind : { group: matched.group, version: matched.version, kind: matched.kind };
  return (param) => {
    common ??= {
      object: shown(attributes.object),
      oldObject: shown(attributes.old),
      namespaceObject: namespaceValue(namespaceOf(attributes, store)),
      request: requestValue(attributes, { kind, resource: matched }),
      unmatchedRequest: requestValue(attributes, { kind, resource: attributes.resource }),
      authorizer: authorizerValues(attributes, authorizer),
    };
    return { ...common, params: jsonValue(param) };
  };
}

const namespaces = { group: '', resource: 'namespaces' };

function namespaceOf({ kind, namespace }: AdmissionAttributes, store: Store): ApiObject | undefined {
  if (namespace === '' || (kind.group === '' && kind.kind === 'Namespace')) return undefined;
  return store.get(bucketOf(namespaces), keyOf(undefined, namespace))?.object();
}

function labelsOf(store: Store, name: string): Readonly<Record<string, string>> {
  const entry = store.get(bucketOf(namespaces), keyOf(undefined, name));
  if (!entry) throw notFound(namespaces, name);
  return entry.labels ?? {};
}

function requireKind(registry: Registry, { apiVersion = '', kind = '' }: ParamKind): ServedResource {
  const served = registry.forKind(apiVersion, kind);
  if (served) return served;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  throw new Error(`failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind}'`);
}
