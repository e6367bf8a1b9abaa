import { deepEqual } from '@klutch/cel';
import type { User } from '../authn/user.ts';
import { type Authorizer, PRIVILEGED_GROUP } from '../authz/index.ts';
import type { Call } from '../operations/call.ts';
import type { Registry } from '../registry/registry.ts';
import { keyOf } from '../registry/served-resource.ts';
import { forbidden } from '../schema/fields/field-error.ts';
import { invalid } from '../status/status-error.ts';
import type { Store } from '../storage/types.ts';
import type { Change } from './admission-attributes.ts';
import { ADMISSION_GROUP, type ParamKind, type Policy, POLICY_BUCKET, type PolicyBinding } from './policy-objects.ts';

/** What the check reads. */
export interface ParamAccessWorld {
  readonly store: Store;
  readonly registry: Registry;
  readonly authorizer: Authorizer;
}

/**
 * Throws when somebody makes a policy read parameters that they may not read themselves: its verdicts would tell them
 * what is in there.
 */
export function requireParamAccess(world: ParamAccessWorld, call: Call, { object, old }: Change): void {
  const { resource, subresource, user } = call;
  if (resource.group !== ADMISSION_GROUP || subresource !== undefined || !object) return;
  if (user.groups.includes(PRIVILEGED_GROUP)) return;
  const isPolicy = resource.kind === 'ValidatingAdmissionPolicy';
  const problem = isPolicy
    ? policyProblem(world, user, object as Policy, old as Policy | undefined)
    : bindingProblem(world, user, object as PolicyBinding, old as PolicyBinding | undefined);
  if (problem === undefined) return;
  const cause = forbidden(isPolicy ? 'spec.paramKind' : 'spec.paramRef', problem);
  throw invalid(resource.group, resource.kind, object.metadata?.name ?? '', [cause]);
}

function policyProblem(
  world: ParamAccessWorld,
  user: User,
  policy: Policy,
  old: Policy | undefined,
): string | undefined {
  const { paramKind } = policy.spec;
  if (!paramKind || deepEqual(paramKind, old?.spec.paramKind)) return undefined;
  const asked = { ...resourceOf(world.registry, paramKind), namespace: '*', name: '*' };
  if (world.authorizer.authorize({ user, verb: 'get', ...asked }).allowed) return undefined;
  const kind = `(kind=${paramKind.kind}, apiVersion=${paramKind.apiVersion})`;
  return `user ${goUser(user)} must have "get" permission on all objects of the referenced paramKind ${kind}`;
}

function bindingProblem(
  { store, registry, authorizer }: ParamAccessWorld,
  user: User,
  { spec }: PolicyBinding,
  old: PolicyBinding | undefined,
): string | undefined {
  const { paramRef, policyName = '' } = spec;
  if (!paramRef) return undefined;
  if (deepEqual(paramRef, old?.spec.paramRef) && old?.spec.policyName === policyName) return undefined;
  const policy = store.get(POLICY_BUCKET, keyOf(undefined, policyName))?.object() as Policy | undefined;
  const paramKind = policy?.spec.paramKind;
  const verb = paramRef.name ? 'get' : 'list';
  const asked = paramKind ? resourceOf(registry, paramKind) : anyResource;
  const { name, namespace } = paramRef;
  if (authorizer.authorize({ user, verb, ...asked, namespace, name }).allowed) return undefined;
  const lacking = `user ${goUser(user)} does not have "${verb}" permission`;
  const everything = `to determine minimum required permissions and ${lacking} for all groups, versions and resources`;
  if (!policy) return `unable to get policy ${policyName} ${everything}`;
  if (paramKind && !isKnown(registry, paramKind)) {
    const shown = `&ParamKind{APIVersion:${paramKind.apiVersion},Kind:${paramKind.kind},}`;
    return `unable to resolve paramKind ${shown} ${everything}`;
  }
  return `${lacking} on the object referenced by paramRef`;
}

const anyResource = { group: '*', version: '*', resource: '*' };

const isKnown = (registry: Registry, { apiVersion = '', kind = '' }: ParamKind) =>
  registry.forKind(apiVersion, kind) !== undefined;

/** What one must be allowed to read; all resources of the group while nobody knows the kind. */
function resourceOf(registry: Registry, { apiVersion = '', kind = '' }: ParamKind) {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version, resource: registry.forKind(apiVersion, kind)?.resource ?? '*' };
}

/** A user as Go prints the struct. */
function goUser({ name, uid = '', groups, extra = {} }: User): string {
  const entries = Object.keys(extra)
    .sort()
    .map((key) => `${key}:[${(extra[key] ?? []).join(' ')}]`);
  return `&{${name} ${uid} [${groups.join(' ')}] map[${entries.join(' ')}]}`;
}
