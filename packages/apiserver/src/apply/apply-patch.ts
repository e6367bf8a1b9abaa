import type { ApiObject, Json } from '../objects/api-object.ts';
import { copyJson, isObject } from '../patch/json-value.ts';
import { badRequest, StatusError } from '../status/status-error.ts';
import { difference, hasPath } from './field-set.ts';
import { KUBECTL, lastAppliedFields, refreshLastApplied } from './last-applied.ts';
import { content, withManagedFields } from './managed-fields.ts';
import { ownerId, type Owners, readOwners, writeOwners } from './owner.ts';
import { type AppliedOwnership, type Conflict, ownershipAfterApply } from './ownership.ts';
import { blankObject, type OwnershipScope } from './scope.ts';
import { managerName, NEVER_OWNED, timestamp, updateOwners } from './update-owners.ts';
import { joinProblems, typeProblems, type ValidateOptions } from './validate.ts';
import { OwnershipProblem, Versions } from './versions.ts';

export interface ApplyPatchOptions {
  readonly scope: OwnershipScope;
  /** The stored object; absent when there is none yet. */
  readonly live?: ApiObject;
  /** The configuration, as decoded from the request. */
  readonly applied: Json;
  readonly manager: string;
  /** Takes over fields that others own with other values. */
  readonly force: boolean;
  readonly now: Date;
}

export type ApplyPatchResult = { readonly object: ApiObject } | { readonly conflicts: readonly Conflict[] };

/**
 * Server-side apply: the object as it is to be stored, with its managedFields, or the conflicts that stand against it.
 * Defaults are the caller's business, and come after. Applying what is already so changes neither object nor times.
 * Throws a StatusError for a configuration that is none.
 */
export function applyPatch(options: ApplyPatchOptions): ApplyPatchResult {
  const applied = requireConfiguration(options.applied, options.scope);
  try {
    const result = attempt(options, applied);
    if ('conflicts' in result) return result;
    if (options.manager === KUBECTL) refreshLastApplied(result.object, applied);
    return result;
  } catch (error) {
    if (error instanceof OwnershipProblem) throw new StatusError(500, '', error.message);
    throw error;
  }
}

function attempt(options: ApplyPatchOptions, applied: ApiObject): ApplyPatchResult {
  const request = prepare(options, applied);
  const result = ownershipAfterApply(request.versions, request);
  if (!('conflicts' in result)) return { object: finish(request, result) };
  const remaining = standing(options, result.conflicts);
  if (remaining.length > 0) return { conflicts: remaining };
  return attempt({ ...options, force: true }, applied);
}

/** Conflicts that remain once `kubectl` has been granted what it applied on the client side before. */
function standing({ scope, live, manager }: ApplyPatchOptions, conflicts: readonly Conflict[]): readonly Conflict[] {
  const type = scope.types.get(scope.apiVersion);
  if (manager !== KUBECTL || live === undefined || type === undefined) return conflicts;
  const granted = lastAppliedFields(type, scope.apiVersion, live);
  return granted === undefined ? conflicts : conflicts.filter(({ path }) => !hasPath(granted, path));
}

function prepare(options: ApplyPatchOptions, applied: ApiObject) {
  const { scope, live, manager, force, now } = options;
  const versions = new Versions(scope);
  const before = live === undefined ? blankObject(scope) : content(live);
  const owners = ownersBefore(options, versions, before);
  requireShape('failed to create typed patch object', scope, applied as unknown as Json, { allowDuplicates: false });
  requireShape('failed to create typed live object', scope, before, { allowDuplicates: true });
  const owner = {
    manager: managerName(manager),
    operation: 'Apply',
    apiVersion: scope.apiVersion,
    subresource: scope.subresource ?? '',
  } as const;
  const applier = { id: ownerId(owner), owner };
  return { versions, live: before, applied: applied as unknown as Json, owners, applier, force, now };
}

/** The owners of the live object; fields of an object nobody has tracked so far belong to `before-first-apply`. */
function ownersBefore({ scope, live, now }: ApplyPatchOptions, versions: Versions, before: Json): Owners {
  const owners = readLiveOwners(live);
  if (owners.size > 0) return owners;
  const problem = 'failed to create manager for existing fields: failed to convert new object';
  requireShape(problem, scope, before, { allowDuplicates: true }, ' to smd typed');
  const manager = 'before-first-apply';
  return updateOwners({ scope, versions, live: blankObject(scope), updated: before, owners, manager, now });
}

function readLiveOwners(live: ApiObject | undefined): Owners {
  try {
    return readOwners(live?.metadata.managedFields);
  } catch (error) {
    throw new OwnershipProblem(`failed to decode managed fields: ${(error as Error).message}`);
  }
}

type Applied = Extract<AppliedOwnership, { readonly owners: Owners }>;

function finish({ live, applier, now }: ReturnType<typeof prepare>, { object, owners }: Applied): ApiObject {
  const result = new Map(owners);
  const applierNow = result.get(applier.id);
  const fields = applierNow === undefined ? undefined : difference(applierNow.fields, NEVER_OWNED);
  if (applierNow === undefined || fields === undefined || fields.size === 0) result.delete(applier.id);
  else result.set(applier.id, { ...applierNow, fields, time: object === undefined ? applierNow.time : timestamp(now) });
  const stored = (object ?? copyJson(live)) as unknown as ApiObject;
  return withManagedFields({ ...stored, metadata: stored.metadata ?? {} }, writeOwners(result));
}

function requireConfiguration(applied: Json, { apiVersion, kind }: OwnershipScope): ApiObject {
  const object = isObject(applied) ? applied : {};
  if (object.apiVersion !== apiVersion || object.kind !== kind) {
    throw badRequest(`invalid object type: ${describeKind(object.apiVersion, object.kind)}`);
  }
  if (isObject(object.metadata) && Array.isArray(object.metadata.managedFields)) {
    throw badRequest('metadata.managedFields must be nil');
  }
  return object as unknown as ApiObject;
}

function requireShape(
  doing: string,
  { types, apiVersion, kind }: OwnershipScope,
  object: Json,
  options: ValidateOptions,
  into = '',
): void {
  const type = types.get(apiVersion);
  const problems = type === undefined ? ['no type'] : typeProblems(type, object, options);
  if (problems.length === 0) return;
  const metadata = isObject(object) && isObject(object.metadata) ? object.metadata : {};
  const [namespace, name] = [metadata.namespace, metadata.name].map((part) => (typeof part === 'string' ? part : ''));
  const what = `${namespace}/${name}; ${describeKind(apiVersion, kind)}`;
  throw new OwnershipProblem(`${doing} (${what})${into}: ${joinProblems(problems)}`);
}

/** `group/version, Kind=kind`, as Kubernetes prints what an object says it is. */
function describeKind(apiVersion: Json | undefined, kind: Json | undefined): string {
  const parts = (typeof apiVersion === 'string' ? apiVersion : '').split('/');
  if (parts.length > 2) return '/, Kind=';
  const [version, group] = [parts.at(-1) ?? '', parts.length === 2 ? parts[0] : ''];
  return `${group}/${version}, Kind=${typeof kind === 'string' ? kind : ''}`;
}
