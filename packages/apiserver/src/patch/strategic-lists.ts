import type { JsonSchema } from '@klutch/cel';
import type { Json, JsonObject } from '../objects/api-object.ts';
import { StatusError } from '../status/status-error.ts';
import { goText, goType } from './go-text.ts';
import { isObject, ownValue } from './json-value.ts';
import type { StrategicField } from './strategic-fields.ts';
import { asMap, noMergeKey, refused } from './strategic-refusal.ts';

/** Merges an item of a list with the change to it. */
export type MergeItem = (original: JsonObject, change: JsonObject, schema: JsonSchema) => JsonObject;

/** A merged list, and the order in which the server is taken to have had its items. */
export interface MergedList {
  readonly merged: Json[];
  readonly serverOrder: readonly Json[];
}

/**
 * Merges a list of a patch into the current one: scalars as a set, objects by merge key. Items of the patch take the
 * patch's order, others keep theirs, and both are interleaved as they were.
 */
export function mergeLists(current: Json[], changes: Json[], list: StrategicField, mergeItem: MergeItem): MergedList {
  if (current.length === 0 && changes.length === 0) return { merged: current, serverOrder: current };
  if (!holdsObjects(current, changes)) {
    const all = [...new Set([...current, ...changes])];
    return { merged: arrange(all, changes, current, list.mergeKey), serverOrder: current };
  }
  if (list.mergeKey === '') throw refused('cannot merge lists without merge key for struct');
  const { kept, additions, remaining } = followItemDirectives(current, changes, list.mergeKey);
  const merged = [...kept];
  for (const addition of additions) mergeInto(merged, addition, list, mergeItem);
  // New items move into the places of deleted ones: Kubernetes merges in place, and looks at the places afterwards.
  const serverOrder = (remaining === kept ? merged : remaining).slice(0, current.length);
  return { merged: arrange(merged, additions, kept, list.mergeKey), serverOrder };
}

/** A list in the order a patch prescribes; items it does not name go where the server had them. */
export function inOrder({ merged, serverOrder }: MergedList, order: readonly Json[], mergeKey: string): Json[] {
  if (merged.length === 0) return merged;
  holdsObjects(merged);
  return arrange(merged, order, serverOrder, mergeKey);
}

function mergeInto(merged: Json[], addition: Json, list: StrategicField, mergeItem: MergeItem): void {
  const change = asMap(addition);
  const key = requiredKey(change, list.mergeKey);
  const at = merged.findIndex((item) => ownValue(asMap(item), list.mergeKey) === key);
  if (at < 0) merged.push(change);
  else merged[at] = mergeItem(asMap(merged[at] as Json), change, list.schema);
}

function followItemDirectives(current: readonly Json[], changes: readonly Json[], mergeKey: string) {
  let kept = [...current];
  const additions: Json[] = [];
  let replace = false;
  for (const item of changes) {
    const change = asMap(item);
    const directive = ownValue(change, '$patch');
    if (directive === undefined) additions.push(change);
    else if (directive === 'delete') kept = withoutItem(kept, mergeKey, requiredKey(change, mergeKey));
    else if (directive === 'replace') replace = true;
    else if (directive === 'merge') throw refused('merging lists cannot yet be specified in the patch');
    else throw refused(`unknown patch type: ${goText(directive)} in map: ${goText(change)}`);
  }
  return replace ? { kept: additions, additions: [], remaining: kept } : { kept, additions, remaining: kept };
}

function withoutItem(list: readonly Json[], mergeKey: string, key: Json): Json[] {
  return list.filter((item) => ownValue(asMap(item), mergeKey) !== key);
}

/** Whether the items are objects; refuses lists of lists and mixtures. */
function holdsObjects(...lists: Json[][]): boolean {
  const items = lists.flat(1);
  const [first] = items;
  if (Array.isArray(first)) {
    throw new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
  }
  const kind = goType(first ?? null);
  if (items.some((item) => goType(item) !== kind)) {
    throw refused(`list element types are not identical: ${goText(lists)}`);
  }
  return isObject(first);
}

function arrange(
  items: readonly Json[],
  order: readonly Json[],
  serverOrder: readonly Json[],
  mergeKey: string,
): Json[] {
  const identity = (item: Json) => (mergeKey === '' ? item : requiredKey(asMap(item), mergeKey));
  const placeIn = (list: readonly Json[]) => {
    const places = new Map(list.map((item, index) => [identity(item), index] as const).reverse());
    return (item: Json) => places.get(identity(item)) ?? UNKNOWN;
  };
  const place = placeIn(order);
  const serverPlace = placeIn(serverOrder);
  const prescribed = items.filter((item) => place(item) !== UNKNOWN);
  const others = items.filter((item) => place(item) === UNKNOWN);
  return interleave(sortByPlace(others, serverPlace), sortByPlace(prescribed, place), serverPlace);
}

type Place = (item: Json) => number;

const UNKNOWN = -1;

/** Like Go's stable sort, also where the order is none: an item without a place goes before all that precede it. */
function sortByPlace(items: readonly Json[], place: Place): Json[] {
  const sorted = [...items];
  const isBefore = (left: Json, right: Json) => {
    return place(left) === UNKNOWN || place(right) === UNKNOWN || place(left) < place(right);
  };
  for (let end = 1; end < sorted.length; end++) {
    for (let at = end; at > 0 && isBefore(sorted[at] as Json, sorted[at - 1] as Json); at--) {
      [sorted[at - 1], sorted[at]] = [sorted[at] as Json, sorted[at - 1] as Json];
    }
  }
  return sorted;
}

/** The prescribed items with the others between them, each before the first that the server had after it. */
function interleave(others: Json[], prescribed: readonly Json[], serverPlace: Place): Json[] {
  const result: Json[] = [];
  let next = 0;
  for (const item of prescribed) {
    for (; next < others.length; next++) {
      const other = others[next] as Json;
      const isKnown = serverPlace(other) !== UNKNOWN && serverPlace(item) !== UNKNOWN;
      if (!isKnown || serverPlace(other) >= serverPlace(item)) break;
      result.push(other);
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}

function requiredKey(item: JsonObject, mergeKey: string): Json {
  const key = ownValue(item, mergeKey);
  if (key === undefined) throw noMergeKey(item, mergeKey);
  return key;
}
