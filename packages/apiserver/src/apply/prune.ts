import type { Json } from '../objects/api-object.ts';
import { difference, type FieldSet, intersection, NO_FIELDS, union } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import type { Owner, Owners } from './owner.ts';
import { removeFields } from './remove.ts';
import { withNamedFields } from './typed-field-set.ts';
import type { ValueType } from './value-type.ts';
import type { Versions } from './versions.ts';

/**
 * The merged object without what the applier applied last time, does not apply now, and nobody else owns.
 *
 * @param last what the applier owned before
 * @param owners everyone, the applier with what it applies now
 */
export function removeNoLongerApplied(versions: Versions, merged: Json, last: Owner, owners: Owners): Json {
  if (last.fields.size === 0) return merged;
  const { current } = versions;
  versions.requireConvertible(
    merged,
    last.apiVersion,
    `${PRUNING}failed to convert merged object to last applied version: `,
  );
  const type = versions.typeOf(last.apiVersion);
  const applied = withNamedFields(last.fields, type);
  const pruned = addBackOwned(versions, merged, removeFields(type, merged, applied), last.apiVersion, owners);
  // Only what the applier had may go: the steps above may also have removed what nobody owns.
  const gone = difference(allFields(type, merged), allFields(type, pruned));
  const result = removeFields(type, merged, intersection(gone, applied));
  versions.requireConvertible(result, current, PRUNING, last.apiVersion);
  return result;
}

const PRUNING = 'failed to prune fields: ';

/** The pruned object with everything the owners claim put back, version by version, that of the pruning first. */
function addBackOwned(versions: Versions, merged: Json, pruned: Json, first: string, owners: Owners): Json {
  const owned = new Map<string, FieldSet>([[first, NO_FIELDS]]);
  for (const { apiVersion, fields } of owners.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? NO_FIELDS, fields));
  }
  let result = pruned;
  let version = first;
  for (const [apiVersion, fields] of owned) {
    if (apiVersion === first && fields.size === 0) continue;
    const doing = (what: string) => {
      return `${PRUNING}failed add back owned items: failed to convert ${what} object at version ${apiVersion}: `;
    };
    versions.requireConvertible(merged, apiVersion, doing('merged'), version);
    versions.requireConvertible(result, apiVersion, doing('pruned'), version);
    const type = versions.typeOf(apiVersion);
    const kept = union(allFields(type, result), withNamedFields(fields, type));
    result = removeFields(type, merged, difference(allFields(type, merged), kept));
    version = apiVersion;
  }
  const back = `${PRUNING}failed add back dangling items: failed to convert pruned object to last applied version: `;
  versions.requireConvertible(result, first, back, version);
  return result;
}

function allFields(type: ValueType, value: Json): FieldSet {
  return withNamedFields(fieldSetOf(type, value), type);
}
