import type { Json, JsonObject } from '../objects/api-object.ts';
import { isObject } from '../patch/json-value.ts';
import { type FieldNode, type FieldSet, NO_FIELDS, OWNED_LEAF } from './field-set.ts';
import { parsePathElement, type PathElement, sortPathElements } from './path-element.ts';

/**
 * Reads `fieldsV1` of a managedFields entry. Steps of unknown kinds are left out, as a newer server may have written
 * them. Throws an Error when it is not FieldsV1 at all.
 */
export function parseFieldsV1(fields: Json | undefined): FieldSet {
  return fields === undefined ? NO_FIELDS : parseNode(fields).below;
}

/** Writes a set as `fieldsV1`, steps in the order in which Kubernetes writes them. */
export function toFieldsV1(set: FieldSet): JsonObject {
  return writeInto({}, set);
}

function parseNode(value: Json): FieldNode {
  if (value === null) return OWNED_LEAF;
  if (!isObject(value)) throw new Error(`expected an object, got ${JSON.stringify(value)}`);
  let owned = false;
  const below = new Map<PathElement, FieldNode>();
  for (const key of Object.keys(value)) {
    if (key === '.') {
      owned = true;
      continue;
    }
    const element = parsePathElement(key);
    if (element !== undefined) below.set(element, parseNode(value[key] as Json));
  }
  return below.size === 0 ? OWNED_LEAF : { owned, below };
}

function writeInto(target: JsonObject, set: FieldSet): JsonObject {
  for (const element of sortPathElements([...set.keys()])) {
    const { owned, below } = set.get(element) as FieldNode;
    target[element] = writeInto(owned && below.size > 0 ? { '.': {} } : {}, below);
  }
  return target;
}
