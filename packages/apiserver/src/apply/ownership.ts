import { deepEqual } from '@klutch/cel';
import type { Json } from '../objects/api-object.ts';
import { compare, type Comparison } from './compare.ts';
import { difference, type FieldSet, intersection, listPaths, NO_FIELDS, union } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { ListItemProblem } from './list-item.ts';
import { merge } from './merge.ts';
import type { Owner, Owners } from './owner.ts';
import type { PathElement } from './path-element.ts';
import { removeNoLongerApplied } from './prune.ts';
import { reconcileWithType } from './typed-field-set.ts';
import type { ValueType } from './value-type.ts';
import { OwnershipProblem, type Versions } from './versions.ts';

/** A field someone else owns with another value than the one applied. */
export interface Conflict {
  /** Who; its id in the owners. */
  readonly ownerId: string;
  readonly owner: Owner;
  readonly path: readonly PathElement[];
}

/** Who owns what after an update; `changed` are the fields the update itself set. */
export interface UpdatedOwnership {
  readonly owners: Owners;
  readonly changed: FieldSet;
}

/** Takes the fields that an update changes away from whoever had them. */
export function ownershipAfterUpdate(versions: Versions, live: Json, updated: Json, owners: Owners): UpdatedOwnership {
  const comparisonOf = comparisons(versions, live, updated);
  const { modified, added } = comparisonOf(versions.current);
  const others = takeFrom(reconciled(versions, live, owners), comparisonOf, undefined);
  return { owners: others.owners, changed: union(modified, added) };
}

/** What applying leads to: an object, undefined when it stays as it is, or conflicts. */
export type AppliedOwnership =
  | { readonly object: Json | undefined; readonly owners: Owners }
  | { readonly conflicts: readonly Conflict[] };

/** Merges an applied configuration into a live object, and says who owns what then. */
export function ownershipAfterApply(
  versions: Versions,
  { live, applied, owners, applier, force }: ApplyInput,
): AppliedOwnership {
  const type = versions.typeOf(versions.current);
  const known = new Map(reconciled(versions, live, owners));
  const last = known.get(applier.id);
  const claimed = versions.withoutReset(fieldSetOf(type, applied), versions.current);
  const applierNow = { ...applier.owner, time: last?.time, fields: claimed };
  known.set(applier.id, applierNow);
  const merged = merge(type, live, applied);
  const repeats = last === undefined || holdsAllOf(applierNow, last, applied);
  const object = repeats ? merged : removeNoLongerApplied(versions, merged, last, known);
  const result = takeFrom(known, comparisons(versions, live, object), applier.id);
  if (!force && result.conflicts.length > 0) return { conflicts: result.conflicts };
  return { object: deepEqual(live, object) ? undefined : object, owners: result.owners };
}

/**
 * Whether nothing can go because the applier still applies all that it did: the usual case, and much less work. An empty
 * value may stand for something that has content by now; what becomes of that needs the full look.
 */
function holdsAllOf(applier: Owner, last: Owner, applied: Json): boolean {
  if (last.apiVersion !== applier.apiVersion || difference(last.fields, applier.fields).size > 0) return false;
  return !holdsEmptyValue(applied);
}

function holdsEmptyValue(value: Json): boolean {
  if (typeof value !== 'object') return false;
  const values = value === null ? [] : Object.values(value);
  return values.length === 0 || values.some(holdsEmptyValue);
}

export interface ApplyInput {
  readonly live: Json;
  readonly applied: Json;
  readonly owners: Owners;
  /** Who applies; its fields are those of the applied configuration. */
  readonly applier: { readonly id: string; readonly owner: Omit<Owner, 'fields' | 'fieldsV1' | 'time'> };
  readonly force: boolean;
}

type ComparisonOf = (apiVersion: string) => Comparison;

/** How an object has changed, seen in any version; each is worked out once. */
function comparisons(versions: Versions, before: Json, after: Json): ComparisonOf {
  const known = new Map<string, Comparison>();
  return (apiVersion) => {
    const found = known.get(apiVersion);
    if (found !== undefined) return found;
    versions.requireConvertible(before, apiVersion, 'failed to convert old object: ');
    versions.requireConvertible(after, apiVersion, 'failed to convert new object: ');
    const { removed, modified, added } = compareOrRefuse(versions.typeOf(apiVersion), before, after);
    const comparison = {
      removed: versions.withoutReset(removed, apiVersion),
      modified: versions.withoutReset(modified, apiVersion),
      added: versions.withoutReset(added, apiVersion),
    };
    known.set(apiVersion, comparison);
    return comparison;
  };
}

/** Removing fields may have left items that cannot be told apart. */
function compareOrRefuse(type: ValueType, before: Json, after: Json): Comparison {
  try {
    return compare(type, before, after);
  } catch (error) {
    if (!(error instanceof ListItemProblem)) throw error;
    throw new OwnershipProblem(`failed to compare objects: ${error.message}`);
  }
}

function takeFrom(owners: Owners, comparisonOf: ComparisonOf, takerId: string | undefined) {
  const result = new Map<string, Owner>();
  const conflicts: Conflict[] = [];
  for (const [id, owner] of owners) {
    const { removed, modified, added } = id === takerId ? UNCHANGED : comparisonOf(owner.apiVersion);
    const contested = intersection(owner.fields, union(modified, added));
    for (const path of listPaths(contested)) conflicts.push({ ownerId: id, owner, path });
    const fields = difference(difference(owner.fields, contested), removed);
    if (fields.size > 0) result.set(id, withFields(owner, fields));
  }
  return { owners: result, conflicts };
}

const UNCHANGED: Comparison = { removed: NO_FIELDS, modified: NO_FIELDS, added: NO_FIELDS };

/** Owners with sets that fit the schemas of today. */
function reconciled(versions: Versions, live: Json, owners: Owners): Owners {
  const result = new Map<string, Owner>();
  for (const [id, owner] of owners) {
    if (versions.isDropped(owner.apiVersion)) continue;
    versions.requireConvertible(live, owner.apiVersion);
    result.set(id, withFields(owner, reconcileWithType(owner.fields, versions.typeOf(owner.apiVersion))));
  }
  return result;
}

function withFields(owner: Owner, fields: FieldSet): Owner {
  return fields === owner.fields ? owner : { ...owner, fields, fieldsV1: undefined };
}
