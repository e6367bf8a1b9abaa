import { goQuote } from '@klutch/cel';
import type { Json } from '../objects/api-object.ts';
import { isObject, ownValue } from '../patch/json-value.ts';
import { keyJson, type PathElement, valueElement } from './path-element.ts';
import type { ListType } from './value-type.ts';

/** An item that has no step of its own. */
export class ListItemProblem extends Error {
  override readonly name = 'ListItemProblem';
}

/**
 * The step that leads to an item of a set or of a list with keys. Throws a {@link ListItemProblem} when there is none;
 * lists that were validated have no such items.
 */
export function listItemElement(list: ListType, item: Json): PathElement {
  return list.relation === 'map' ? keyedItemElement(list, item) : setItemElement(item);
}

/** Like {@link listItemElement} for lists of which fields were removed: an item may have lost its keys, or all it had. */
export function listItemElementIfAny(list: ListType, item: Json): PathElement {
  try {
    return listItemElement(list, item);
  } catch (error) {
    if (error instanceof ListItemProblem) return NO_ELEMENT;
    throw error;
  }
}

/** No real step is equal to it. */
const NO_ELEMENT: PathElement = '';

function keyedItemElement(list: ListType, item: Json): PathElement {
  if (item === null) throw new ListItemProblem('associative list with keys may not have a null element');
  if (!isObject(item)) throw new ListItemProblem('associative list with keys may not have non-map elements');
  let keys = '';
  for (const key of list.keys) {
    const value = ownValue(item, key.name) ?? (Object.hasOwn(item, key.name) ? null : key.default);
    if (value !== undefined) keys += `${keys === '' ? '' : ','}${key.json}${keyJson(value)}`;
  }
  if (keys === '' && list.keys.length > 0) throw omitsAllKeys(list);
  return `k:{${keys}}`;
}

function setItemElement(item: Json): PathElement {
  if (item === null) throw new ListItemProblem("associative list without keys has an element that's an explicit null");
  if (Array.isArray(item)) throw new ListItemProblem('not supported: associative list with lists as elements');
  if (isObject(item)) throw new ListItemProblem("associative list without keys has an element that's a map type");
  return valueElement(item);
}

function omitsAllKeys(list: ListType): ListItemProblem {
  const names = `[${list.keyNames.map(goQuote).join(' ')}]`;
  return new ListItemProblem(
    `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
  );
}
