import { goJson } from '../text/go-json.ts';
import { isObject, type Node } from '../schema/node.ts';
import type { FieldCause } from './field-error.ts';
import { duplicate, invalid } from './field-error.ts';
import { childPath as child, indexPath as index, keyPath as key } from '../schema/field-path.ts';

/** Finds duplicates in lists of type set and map, anywhere in a value. */
export function listTypeProblems(value: unknown, node: Node | undefined, path = ''): FieldCause[] {
  if (!node?.anyListType) return [];
  if (Array.isArray(value)) return inList(value, node, path);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const property = node.properties?.get(name);
    const asProperty = property ? listTypeProblems(inner, property, child(path, name)) : [];
    return [...listTypeProblems(inner, node.additional, key(path, name)), ...asProperty];
  });
}

function inList(list: readonly unknown[], node: Node, path: string): FieldCause[] {
  const here =
    node.listType === 'set' ? setProblems(list, path) : node.listType === 'map' ? mapProblems(list, node, path) : [];
  const below = list.flatMap((item, at) => listTypeProblems(item, node.items, index(path, at)));
  return [...here, ...below];
}

const setProblems = (list: readonly unknown[], path: string) =>
  repeated(list).map((at) => duplicate(index(path, at), list[at]));

function mapProblems(list: readonly unknown[], node: Node, path: string): FieldCause[] {
  const stray = list.findIndex((item) => item !== null && !isObject(item));
  if (stray !== -1)
    return [invalid(index(path, stray), list[stray], 'must be an object for an array of list-type map')];
  const keys = list.map((item) => keysOf(item as Record<string, unknown> | null, node.listKeys));
  return repeated(keys).map((at) => duplicate(index(path, at), keys[at]));
}

function keysOf(item: Record<string, unknown> | null, names: readonly string[]): Record<string, unknown> {
  const present = names.filter((name) => item !== null && Object.hasOwn(item, name));
  return Object.fromEntries(present.map((name) => [name, item?.[name]]));
}

/** Where a value appears for the second time; further appearances are not reported again. */
function repeated(list: readonly unknown[]): number[] {
  const seen = new Map<unknown, number>();
  const found: number[] = [];
  for (const [at, item] of list.entries()) {
    const identity = typeof item === 'object' && item !== null ? `json:${goJson(item)}` : scalarIdentity(item);
    const times = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, times);
    if (times === 2) found.push(at);
  }
  return found;
}

const scalarIdentity = (item: unknown) => (typeof item === 'string' ? `text:${item}` : item);
