import type { Json, JsonObject } from '../objects/api-object.ts';
import { isObject, setValue } from '../patch/json-value.ts';
import type { FieldSet } from './field-set.ts';
import { listItemElementIfAny } from './list-item.ts';
import { fieldElement } from './path-element.ts';
import { facetOf, fieldType, type ListType, type MapType, type ValueType } from './value-type.ts';

/**
 * The value without the fields of a set; what stays is shared with the input. An object or list that loses everything
 * becomes null: whoever wants it gone has its own path in the set.
 */
export function removeFields(type: ValueType, value: Json, fields: FieldSet): Json {
  const facet = facetOf(type, value);
  if (facet.kind === 'scalar') return value;
  if (facet.kind === 'list') return removeFromList(facet, value, fields);
  return removeFromMap(facet, value, fields);
}

function removeFromList(list: ListType, value: Json, fields: FieldSet): Json {
  if (!Array.isArray(value) || list.relation === 'atomic') return null;
  const kept: Json[] = [];
  for (const item of value) {
    const node = fields.get(listItemElementIfAny(list, item));
    if (node?.owned) continue;
    kept.push(node === undefined ? item : removeFields(list.items, item, node.below));
  }
  return kept.length === 0 ? null : kept;
}

function removeFromMap(map: MapType, value: Json, fields: FieldSet): Json {
  if (!isObject(value) || map.atomic) return null;
  const kept: JsonObject = {};
  for (const name of Object.keys(value)) {
    const field = value[name] as Json;
    const node = fields.get(fieldElement(name));
    const type = fieldType(map, name);
    if (node?.owned) continue;
    setValue(kept, name, node === undefined || type === undefined ? field : removeFields(type, field, node.below));
  }
  return Object.keys(kept).length === 0 ? null : kept;
}
