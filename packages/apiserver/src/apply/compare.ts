import { deepEqual } from '@klutch/cel';
import type { Json, JsonObject } from '../objects/api-object.ts';
import { isObject, ownValue } from '../patch/json-value.ts';
import { type FieldNode, type FieldSet, NO_FIELDS, OWNED_LEAF, unionOfNodes } from './field-set.ts';
import { listItemElement } from './list-item.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { type Facet, facetOf, fieldType, type ListType, type MapType, type ValueType } from './value-type.ts';

/** What a value has become; no path is in more than one of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Compares two values of a type; both must have its shape. */
export function compare(type: ValueType, left: Json, right: Json): Comparison {
  const change = changeOf(type, left, right);
  const belowOf = (node: FieldNode | undefined) => node?.below ?? NO_FIELDS;
  return { removed: belowOf(change.removed), modified: belowOf(change.modified), added: belowOf(change.added) };
}

interface Change {
  readonly removed?: FieldNode;
  readonly modified?: FieldNode;
  readonly added?: FieldNode;
}

const SAME: Change = {};

function changeOf(type: ValueType, left: Json | undefined, right: Json | undefined): Change {
  if (left === right) return SAME;
  if (left === undefined) return { added: wholeNode(type, right as Json) };
  if (right === undefined) return { removed: wholeNode(type, left) };
  const leftFacet = facetOf(type, left);
  const rightFacet = facetOf(type, right);
  const change = facetChange(rightFacet, left, right);
  return leftFacet === rightFacet ? change : unionOfChanges(facetChange(leftFacet, left, right), change);
}

function facetChange(facet: Facet, left: Json, right: Json): Change {
  if (facet.kind === 'scalar') return leafChange(left, right);
  if (facet.kind === 'list') {
    const before = Array.isArray(left) ? left : [];
    const after = Array.isArray(right) ? right : [];
    const isLeaf = facet.relation === 'atomic' || (before.length === 0 && after.length === 0);
    return isLeaf ? leafChange(left, right) : listChange(facet, before, after);
  }
  const before = isObject(left) ? left : {};
  const after = isObject(right) ? right : {};
  const isLeaf = facet.atomic || (isEmptyObject(before) && isEmptyObject(after));
  return isLeaf ? leafChange(left, right) : mapChange(facet, before, after);
}

function leafChange(left: Json, right: Json): Change {
  return deepEqual(left, right) ? SAME : { modified: OWNED_LEAF };
}

function mapChange(map: MapType, left: JsonObject, right: JsonObject): Change {
  const changes = new Changes();
  for (const name of Object.keys(left)) {
    const type = fieldType(map, name);
    if (type !== undefined) {
      changes.add(fieldElement(name), changeOf(type, left[name], ownValue(right, name)));
    }
  }
  for (const name of Object.keys(right)) {
    const type = fieldType(map, name);
    if (type !== undefined && !Object.hasOwn(left, name)) {
      changes.add(fieldElement(name), { added: wholeNode(type, right[name] as Json) });
    }
  }
  return changes.result();
}

function listChange(list: ListType, left: readonly Json[], right: readonly Json[]): Change {
  const before = itemsByElement(list, left);
  const after = itemsByElement(list, right);
  const changes = new Changes();
  for (const element of new Set([...before.keys(), ...after.keys()])) {
    changes.add(element, itemChange(list, before.get(element) ?? [], after.get(element) ?? []));
  }
  return changes.result();
}

/** Items with the same step count as one leaf, which is there, changes or goes as a whole. */
function itemChange({ items }: ListType, before: readonly Json[], after: readonly Json[]): Change {
  if (before.length <= 1 && after.length <= 1) return changeOf(items, before[0], after[0]);
  if (before.length > 1 && after.length > 1) return leafChange([...before], [...after]);
  const single = before.length > 1 ? changeOf(items, undefined, after[0]) : changeOf(items, before[0], undefined);
  return unionOfChanges(single, before.length > 1 ? { removed: OWNED_LEAF } : { added: OWNED_LEAF });
}

function itemsByElement(list: ListType, items: readonly Json[]): Map<PathElement, Json[]> {
  const found = new Map<PathElement, Json[]>();
  for (const item of items) {
    const element = listItemElement(list, item);
    const others = found.get(element);
    if (others === undefined) found.set(element, [item]);
    else others.push(item);
  }
  return found;
}

/** Everything in a value that appears or disappears as a whole. */
function wholeNode(type: ValueType, value: Json): FieldNode {
  const facet = facetOf(type, value);
  if (facet.kind === 'map' && !facet.atomic && isObject(value)) return wholeMap(facet, value);
  if (facet.kind === 'list' && facet.relation !== 'atomic' && Array.isArray(value)) return wholeList(facet, value);
  return OWNED_LEAF;
}

function wholeMap(map: MapType, value: JsonObject): FieldNode {
  const below = new Map<PathElement, FieldNode>();
  for (const name of Object.keys(value)) {
    const type = fieldType(map, name);
    if (type !== undefined) below.set(fieldElement(name), wholeNode(type, value[name] as Json));
  }
  return below.size === 0 ? OWNED_LEAF : { owned: true, below };
}

function wholeList(list: ListType, value: readonly Json[]): FieldNode {
  const below = new Map<PathElement, FieldNode>();
  for (const item of value) {
    const element = listItemElement(list, item);
    below.set(element, below.has(element) ? OWNED_LEAF : wholeNode(list.items, item));
  }
  return below.size === 0 ? OWNED_LEAF : { owned: true, below };
}

function isEmptyObject(object: JsonObject): boolean {
  for (const key in object) if (Object.hasOwn(object, key)) return false;
  return true;
}

/** Collects the changes of fields or items into the change of what holds them. */
class Changes {
  readonly #removed = new Map<PathElement, FieldNode>();
  readonly #modified = new Map<PathElement, FieldNode>();
  readonly #added = new Map<PathElement, FieldNode>();

  add(element: PathElement, change: Change): void {
    if (change.removed !== undefined) this.#removed.set(element, change.removed);
    if (change.modified !== undefined) this.#modified.set(element, change.modified);
    if (change.added !== undefined) this.#added.set(element, change.added);
  }

  result(): Change {
    return { removed: holding(this.#removed), modified: holding(this.#modified), added: holding(this.#added) };
  }
}

function holding(below: FieldSet): FieldNode | undefined {
  return below.size === 0 ? undefined : { owned: false, below };
}

function unionOfChanges(first: Change, second: Change): Change {
  return {
    removed: eitherNode(first.removed, second.removed),
    modified: eitherNode(first.modified, second.modified),
    added: eitherNode(first.added, second.added),
  };
}

function eitherNode(first: FieldNode | undefined, second: FieldNode | undefined): FieldNode | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return unionOfNodes(first, second);
}
