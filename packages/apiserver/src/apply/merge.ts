import type { Json, JsonObject } from '../objects/api-object.ts';
import { copyJson, isObject, ownValue, setValue } from '../patch/json-value.ts';
import { listItemElement } from './list-item.ts';
import type { PathElement } from './path-element.ts';
import { facetOf, fieldType, type ListType, type MapType, type ValueType } from './value-type.ts';

/**
 * Merges an applied value into a live one; the result shares nothing with either. The applied side wins in leaves, and
 * nothing it leaves out goes away; an explicit null does not remove what an object or a list already holds. Both must
 * have their type's shape, and the applied side no duplicates.
 */
export function merge(type: ValueType, live: Json | undefined, applied: Json): Json;
export function merge(type: ValueType, live: Json | undefined, applied: Json | undefined): Json | undefined;
export function merge(type: ValueType, live: Json | undefined, applied: Json | undefined): Json | undefined {
  if (applied === undefined) return live === undefined ? undefined : copyJson(live);
  if (live === undefined) return copyJson(applied);
  const facet = facetOf(type, applied);
  if (facet.kind === 'scalar') return copyJson(applied);
  if (facet.kind === 'list') return mergeAsLists(facet, live, applied);
  return mergeAsMaps(facet, live, applied);
}

function mergeAsMaps(map: MapType, live: Json, applied: Json): Json {
  const before = isObject(live) ? live : {};
  const after = isObject(applied) ? applied : {};
  const areEmpty = Object.keys(before).length === 0 && Object.keys(after).length === 0;
  if (map.atomic || areEmpty) return copyJson(applied);
  const merged: JsonObject = {};
  for (const name of Object.keys(before)) mergeField(merged, map, name, before, after);
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name)) mergeField(merged, map, name, before, after);
  }
  return merged;
}

function mergeField(merged: JsonObject, map: MapType, name: string, live: JsonObject, applied: JsonObject): void {
  const type = fieldType(map, name);
  if (type === undefined) return;
  const value = merge(type, ownValue(live, name), ownValue(applied, name));
  if (value !== undefined) setValue(merged, name, value);
}

function mergeAsLists(list: ListType, live: Json, applied: Json): Json {
  const before = Array.isArray(live) ? live : [];
  const after = Array.isArray(applied) ? applied : [];
  const areEmpty = before.length === 0 && after.length === 0;
  if (list.relation === 'atomic' || areEmpty) return copyJson(applied);
  return mergeItems(list, before, after);
}

/**
 * Applied items come in the applied order; live items that are not applied stay where they are between those, as far as
 * the two orders agree.
 */
function mergeItems(list: ListType, before: readonly Json[], after: readonly Json[]): Json[] {
  const live = indexItems(list, before);
  const applied = indexItems(list, after);
  const shared = applied.elements.filter((element) => live.items.has(element));
  const done = new Set<PathElement>();
  const merged: Json[] = [];
  let nextShared = 0;
  let at = 0;
  let appliedAt = 0;

  const take = (element: PathElement) => {
    done.add(element);
    push(merged, merge(list.items, live.items.get(element), applied.items.get(element)));
  };

  while (at < before.length || appliedAt < after.length) {
    const element = live.elements[at];
    const appliedElement = applied.elements[appliedAt];
    if (element !== undefined && element === appliedElement) {
      take(element);
      at++;
      appliedAt++;
      nextShared++;
      continue;
    }
    if (element !== undefined && !applied.items.has(element)) {
      push(merged, copyJson(before[at] as Json));
      at++;
      continue;
    }
    const waitsForAnother = nextShared < shared.length && shared[nextShared] !== element;
    if (element !== undefined && appliedElement !== undefined && waitsForAnother) {
      at++;
      continue;
    }
    if (element !== undefined && done.has(element)) at++;
    if (appliedElement === undefined) continue;
    take(appliedElement);
    appliedAt++;
    if (shared[nextShared] === appliedElement) nextShared++;
  }
  return merged;
}

interface IndexedItems {
  readonly elements: readonly PathElement[];
  /** Null for items that are there more than once: nothing merges with those. */
  readonly items: ReadonlyMap<PathElement, Json>;
}

function indexItems(list: ListType, values: readonly Json[]): IndexedItems {
  const elements = values.map((value) => listItemElement(list, value));
  const items = new Map<PathElement, Json>();
  for (const [index, element] of elements.entries()) {
    items.set(element, items.has(element) ? null : (values[index] as Json));
  }
  return { elements, items };
}

function push(list: Json[], value: Json | undefined): void {
  if (value !== undefined) list.push(value);
}
