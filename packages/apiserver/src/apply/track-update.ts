import type { ApiObject, Json, ManagedFieldsEntry } from '../objects/api-object.ts';
import { content, withManagedFields } from './managed-fields.ts';
import { type Owners, readOwners, writeOwners } from './owner.ts';
import { blankObject, type OwnershipScope } from './scope.ts';
import { updateOwners } from './update-owners.ts';
import { typeProblems } from './validate.ts';
import { OwnershipProblem, Versions } from './versions.ts';

export interface TrackUpdateOptions {
  readonly scope: OwnershipScope;
  /** The stored object; absent when it is being created. */
  readonly live?: ApiObject;
  /** The object as it is to be stored: decoded, patched, defaulted, in the version of the scope. */
  readonly updated: ApiObject;
  /** Who writes; the user agent's name by default, which is up to the caller. Empty: `unknown`. */
  readonly manager: string;
  readonly now: Date;
}

/**
 * The object to store with its managedFields, after a create, replace or patch that was no apply. The writer owns what it
 * changed, and whoever owned that before does not any more. The result shares everything else with `updated`.
 *
 * A client may write managedFields too; a list of one empty entry makes the object one whose fields nobody tracks until
 * someone applies. Ownership never makes a write fail: when it cannot be worked out, there are no
 * managedFields.
 */
export function trackUpdate({ scope, live, updated, manager, now }: TrackUpdateOptions): ApiObject {
  const owners = currentOwners(scope, live, updated);
  const isUntracked = owners.size === 0 && Boolean(live?.metadata.uid);
  if (isUntracked) return withManagedFields(updated, undefined);
  const before = live === undefined ? blankObject(scope) : content(live);
  const after = content(updated);
  const versions = new Versions(scope);
  try {
    requireShape(versions, before, after);
    const next = updateOwners({ scope, versions, live: before, updated: after, owners, manager, now });
    return withManagedFields(updated, writeOwners(next));
  } catch (error) {
    if (error instanceof OwnershipProblem) return withManagedFields(updated, undefined);
    throw error;
  }
}

function requireShape(versions: Versions, ...objects: readonly Json[]): void {
  for (const object of objects) {
    const problems = typeProblems(versions.typeOf(versions.current), object, { allowDuplicates: true });
    if (problems.length > 0) throw new OwnershipProblem(problems.join(', '));
  }
}

function currentOwners(scope: OwnershipScope, live: ApiObject | undefined, updated: ApiObject): Owners {
  const sent = scope.subresource === undefined ? updated.metadata.managedFields : undefined;
  if (Array.isArray(sent)) {
    if (isReset(sent, scope)) return new Map();
    const owners = readOrNone(sent);
    if (owners.size > 0) return canonical(owners);
  }
  return readOrNone(live?.metadata.managedFields);
}

function isReset(entries: readonly ManagedFieldsEntry[], { builtIn }: OwnershipScope): boolean {
  const [only] = entries;
  if (only === undefined) return builtIn !== undefined;
  return entries.length === 1 && Object.values(only).every((value) => !value);
}

function readOrNone(entries: readonly ManagedFieldsEntry[] | undefined): Owners {
  try {
    return readOwners(entries);
  } catch {
    // Garbage, whoever wrote it, is as good as nothing.
    return new Map();
  }
}

/** Owners whose sets will be written anew: a client may have written them in any form. */
function canonical(owners: Owners): Owners {
  return new Map([...owners].map(([id, owner]) => [id, { ...owner, fieldsV1: undefined }]));
}
