import { compareBytes, goJson, goQuote } from '@klutch/cel';
import type { Json, JsonObject } from '../objects/api-object.ts';
import { goText } from '../patch/go-text.ts';
import { isObject } from '../patch/json-value.ts';

/**
 * One step of a path to a field, as FieldsV1 writes it: `f:name` a field, `k:{"name":"x"}` the list item with these
 * keys, `v:"x"` the item of a set, `i:0` the item at an index. The text is canonical, so equal steps are equal strings.
 */
export type PathElement = string;

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

export function valueElement(value: Json): PathElement {
  return `v:${keyJson(value)}`;
}

/** A value as it stands in keys. Nearly all are short names or numbers, and every object has many. */
export function keyJson(value: Json): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : goJson(value);
}

const PLAIN = /^[\w .:/@=+-]*$/;

/** The canonical form of a step someone else wrote; undefined for kinds of steps that are not known here. */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:');
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`);
  if (text.startsWith('f:')) return text;
  if (text.startsWith('k:')) return canonicalKeys(text);
  if (text.startsWith('v:')) return `v:${goJson(JSON.parse(text.slice(2)) as Json)}`;
  return text.startsWith('i:') ? canonicalIndex(text) : undefined;
}

/** Steps in the order of Kubernetes: fields, then keys, then values, then indices; changes the list. */
export function sortPathElements(elements: PathElement[]): PathElement[] {
  // Nearly all levels hold fields only, and for those the order of the text is the order.
  if (elements.every((element) => element.startsWith('f:'))) return elements.sort();
  const steps = elements.map((element) => ({ element, kind: element.charAt(0), content: contentOf(element) }));
  steps.sort((left, right) => {
    const order = KINDS.indexOf(left.kind) - KINDS.indexOf(right.kind);
    return order === 0 ? compareContents(left.content, right.content) : order;
  });
  return steps.map(({ element }) => element);
}

/** Whether the step leads to a field by its name, and to which. */
export function fieldName(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/** A path for people: `.spec.ports[name="http"].port`. */
export function describePath(path: readonly PathElement[]): string {
  return path.map(describeElement).join('');
}

export function describeElement(element: PathElement): string {
  if (element.startsWith('f:')) return `.${element.slice(2)}`;
  const content = JSON.parse(element.slice(2)) as Json;
  if (element.startsWith('v:')) return `[=${describeValue(content)}]`;
  if (!isObject(content)) return `[${element.slice(2)}]`;
  const keys = Object.keys(content).map((key) => `${key}=${describeValue(content[key] as Json)}`);
  return `[${keys.join(',')}]`;
}

const KINDS = 'fkvi';

function contentOf(element: PathElement): Json {
  const text = element.slice(2);
  return element.startsWith('f:') ? text : (JSON.parse(text) as Json);
}

function canonicalKeys(text: string): PathElement {
  const keys = JSON.parse(text.slice(2)) as Json;
  if (!isObject(keys)) throw new Error(`no object of keys: ${text}`);
  return `k:${goJson(keys)}`;
}

function canonicalIndex(text: string): PathElement {
  const digits = text.slice(2);
  if (!/^[+-]?\d+$/.test(digits)) throw new Error(`no index: ${text}`);
  return `i:${Number(digits)}`;
}

function describeValue(value: Json): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? goQuote(value) : goText(value);
}

function compareContents(left: Json, right: Json): number {
  return isObject(left) && isObject(right) ? compareKeys(left, right) : compareValues(left, right);
}

function compareKeys(left: JsonObject, right: JsonObject): number {
  const leftNames = Object.keys(left);
  const rightNames = Object.keys(right);
  for (const [index, name] of leftNames.entries()) {
    const rightName = rightNames[index];
    if (rightName === undefined) return 1;
    if (name !== rightName) return compareBytes(name, rightName);
    const order = compareValues(left[name] as Json, right[name] as Json);
    if (order !== 0) return order;
  }
  return leftNames.length - rightNames.length;
}

function compareValues(left: Json, right: Json): number {
  const order = rankOf(left) - rankOf(right);
  if (order !== 0) return order;
  if (typeof left === 'string') return compareBytes(left, right as string);
  if (typeof left === 'number') return left - (right as number);
  if (typeof left === 'boolean') return Number(left) - Number(right);
  return compareBytes(goJson(left), goJson(right));
}

/** Values of different kinds sort by kind. */
function rankOf(value: Json): number {
  if (value === null) return 5;
  if (typeof value === 'object') return 4;
  return ['number', 'string', 'boolean'].indexOf(typeof value);
}
