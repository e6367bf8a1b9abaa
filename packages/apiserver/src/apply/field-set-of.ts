import type { Json } from '../objects/api-object.ts';
import { isObject } from '../patch/json-value.ts';
import { type FieldNode, type FieldSet, NO_FIELDS, OWNED_LEAF } from './field-set.ts';
import { listItemElementIfAny } from './list-item.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { facetOf, fieldType, type ListType, type MapType, type ValueType } from './value-type.ts';

/**
 * The fields an applied value claims: leaves, items of lists, keys of maps, and empty objects. Named fields that only
 * hold others are not claimed. The value must have its type's shape.
 */
export function fieldSetOf(type: ValueType, value: Json): FieldSet {
  return nodeOf(type, value).below;
}

const NOTHING: FieldNode = { owned: false, below: NO_FIELDS };

function nodeOf(type: ValueType, value: Json): FieldNode {
  const facet = facetOf(type, value);
  if (facet.kind === 'scalar') return OWNED_LEAF;
  if (facet.kind === 'list') return facet.relation === 'atomic' ? OWNED_LEAF : listNode(facet, value);
  return facet.atomic ? OWNED_LEAF : mapNode(facet, value);
}

function listNode(list: ListType, value: Json): FieldNode {
  if (!Array.isArray(value)) return NOTHING;
  const below = new Map<PathElement, FieldNode>();
  for (const item of value) {
    const element = listItemElementIfAny(list, item);
    // Items that are there more than once are owned together, as one leaf.
    below.set(element, below.has(element) ? OWNED_LEAF : claimed(nodeOf(list.items, item)));
  }
  return { owned: false, below };
}

function mapNode(map: MapType, value: Json): FieldNode {
  if (!isObject(value)) return NOTHING;
  const below = new Map<PathElement, FieldNode>();
  for (const name of Object.keys(value)) {
    const field = value[name] as Json;
    const type = fieldType(map, name);
    if (type === undefined) continue;
    const node = nodeOf(type, field);
    const isClaimed = node.owned || isEmpty(field) || !map.fields.has(name);
    if (isClaimed || node.below.size > 0) below.set(fieldElement(name), isClaimed ? claimed(node) : node);
  }
  return { owned: false, below };
}

function claimed(node: FieldNode): FieldNode {
  if (node.owned) return node;
  return node.below.size === 0 ? OWNED_LEAF : { owned: true, below: node.below };
}

function isEmpty(value: Json): boolean {
  return value === null || (isObject(value) && Object.keys(value).length === 0);
}
