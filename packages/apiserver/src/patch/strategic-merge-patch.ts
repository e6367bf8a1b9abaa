import type { JsonSchema } from '@klutch/cel';
import type { Json, JsonObject } from '../objects/api-object.ts';
import { badRequest } from '../status/status-error.ts';
import { goJsonKind, goText } from './go-text.ts';
import { copyJson, isObject, ownValue, setValue } from './json-value.ts';
import { objectMetaSchema } from './object-meta-schema.ts';
import { listField, objectField, type StrategicField } from './strategic-fields.ts';
import { inOrder, type MergedList, mergeLists } from './strategic-lists.ts';
import { asList, asMap, noMergeKey, refused } from './strategic-refusal.ts';

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList';
const ELEMENT_ORDER = '$setElementOrder';

/**
 * The document after a strategic merge patch; the input stays as it is. How lists merge is read from the
 * `x-kubernetes-patch-*` hints of the schema; `metadata` needs none there. Throws a 400 for a malformed patch or
 * directive, and otherwise a 500 with the text of Kubernetes, which treats these mistakes of the client so.
 */
export function applyStrategicMergePatch(document: JsonObject, patch: Json, schema: JsonSchema): JsonObject {
  if (patch === null) return copyJson(document);
  if (!isObject(patch)) {
    throw badRequest(`json: cannot unmarshal ${goJsonKind(patch)} into Go value of type map[string]interface {}`);
  }
  const root = { ...schema, properties: { ...schema.properties, metadata: objectMetaSchema } };
  return mergeMaps(copyJson(document), copyJson(patch), root);
}

/** Merges a patch into an object; uses up both. */
function mergeMaps(original: JsonObject, patch: JsonObject, schema: JsonSchema): JsonObject {
  if (Object.hasOwn(patch, DIRECTIVE)) return followDirective(patch);
  retainKeys(original, patch);
  for (const key of Object.keys(patch)) {
    if (key.startsWith(ELEMENT_ORDER)) mergeOrderedList(original, patch, key, schema);
  }
  for (const key of Object.keys(patch)) mergeField(original, patch, key, schema);
  return original;
}

function followDirective(patch: JsonObject): JsonObject {
  const directive = patch[DIRECTIVE] as Json;
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw refused(`unknown patch type: ${goText(directive)} in map: ${goText(patch)}`);
  delete patch[DIRECTIVE];
  return patch;
}

function retainKeys(original: JsonObject, patch: JsonObject): void {
  const retained = ownValue(patch, RETAIN_KEYS);
  if (retained === undefined) return;
  delete patch[RETAIN_KEYS];
  if (!Array.isArray(retained)) throw badRequest('invalid patch format of retainKeys');
  const names = new Set(retained);
  for (const key of Object.keys(patch)) {
    const isDirective = key.startsWith(DELETE_FROM_LIST) || key.startsWith(ELEMENT_ORDER);
    if (!isDirective && patch[key] !== null && !names.has(key)) throw badRequest('invalid patch format of retainKeys');
  }
  for (const key of Object.keys(original)) {
    if (!names.has(key)) delete original[key];
  }
}

/** A list whose order the patch prescribes; removes the directive and the list from the patch. */
function mergeOrderedList(original: JsonObject, patch: JsonObject, directive: string, schema: JsonSchema): void {
  const order = asList(patch[directive] as Json);
  delete patch[directive];
  const key = fieldOf(directive, ELEMENT_ORDER, 'invalid patch format of setElementOrder list');
  const current = Object.hasOwn(original, key) ? asList(original[key] as Json) : undefined;
  const changes = Object.hasOwn(patch, key) ? asList(patch[key] as Json) : undefined;
  const list = listField(schema, key);
  requireSameOrder(changes ?? [], order, list.mergeKey);
  if (current === undefined && changes === undefined) return;
  if ((current ?? []).length === 0 && (changes ?? []).length === 0) {
    throw refused('no elements in any of the given slices');
  }
  setValue(original, key, inOrder(mergeParts(current, changes, list), order, list.mergeKey));
  delete patch[key];
}

function mergeParts(current: Json[] | undefined, changes: Json[] | undefined, list: StrategicField): MergedList {
  if (current === undefined) return { merged: withoutDirectives(changes ?? []) as Json[], serverOrder: [] };
  if (changes === undefined) return { merged: current, serverOrder: current };
  if (list.strategy === 'merge') return mergeLists(current, changes, list, mergeMaps);
  return { merged: changes, serverOrder: current };
}

function requireSameOrder(changes: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (changes.length === 0 || order.length === 0) return;
  const kept = mergeKey === '' ? changes : changes.filter((item) => asMap(item)[DIRECTIVE] !== 'delete');
  let at = 0;
  for (const wanted of order) {
    while (at < kept.length && hasDirective(kept[at] as Json)) at++;
    if (at >= kept.length) return;
    if (keyOf(kept[at] as Json, mergeKey) === keyOf(wanted, mergeKey)) at++;
  }
  if (at >= kept.length) return;
  const lists = [changes, order].map((list) => goText([...list]));
  throw refused(`The order in patch list:\n${lists[0]}\n doesn't match ${ELEMENT_ORDER} list:\n${lists[1]}\n`);
}

function keyOf(item: Json, mergeKey: string): Json {
  if (mergeKey === '') return item;
  const value = ownValue(asMap(item), mergeKey);
  if (value === undefined) throw noMergeKey(asMap(item), mergeKey);
  return value;
}

function mergeField(original: JsonObject, patch: JsonObject, patchKey: string, schema: JsonSchema): void {
  const isDeletion = patchKey.startsWith(DELETE_FROM_LIST);
  const key = isDeletion ? fieldOf(patchKey, DELETE_FROM_LIST, 'invalid patch format of primitive list') : patchKey;
  const change = patch[patchKey] as Json;
  if (change === null) {
    delete original[key];
    return;
  }
  const current = ownValue(original, key);
  if (isDeletion) {
    if (Array.isArray(current) && Array.isArray(change)) setValue(original, key, without(current, change));
  } else if (Array.isArray(current) && Array.isArray(change)) {
    const list = listField(schema, key);
    setValue(original, key, list.strategy === 'merge' ? mergeLists(current, change, list, mergeMaps).merged : change);
  } else if (isObject(current) && isObject(change)) {
    const field = objectField(schema, key);
    setValue(original, key, field.strategy === 'replace' ? change : mergeMaps(current, change, field.schema));
  } else {
    takeOver(original, key, withoutDirectives(withoutNulls(change)));
  }
}

function takeOver(original: JsonObject, key: string, value: Json | undefined): void {
  if (value === undefined) delete original[key];
  else setValue(original, key, value);
}

function without(list: readonly Json[], removed: readonly Json[]): Json[] {
  const gone = new Set(removed);
  return list.filter((item) => !gone.has(item));
}

/** The value without anything that carries a directive; undefined when it carries one itself. */
function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, DIRECTIVE)) return undefined;
  for (const key of Object.keys(value)) takeOver(value, key, withoutDirectives(value[key] as Json));
  return value;
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) value.forEach(withoutNulls);
  if (!isObject(value)) return value;
  for (const key of Object.keys(value)) {
    if (value[key] === null) delete value[key];
    else withoutNulls(value[key] as Json);
  }
  return value;
}

function fieldOf(directive: string, prefix: string, problem: string): string {
  const slash = directive.indexOf('/');
  if (slash < 0 || directive.slice(0, slash) !== prefix) throw badRequest(problem);
  return directive.slice(slash + 1);
}

function hasDirective(item: Json): boolean {
  return isObject(item) && Object.hasOwn(item, DIRECTIVE);
}
