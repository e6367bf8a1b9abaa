import type { Json, JsonObject } from '../catalogue.ts';
import type { Place } from './source.ts';

/** JSON that knows where each part of it is written. */
export type Tree = MapTree | ListTree | ValueTree;

export interface MapTree {
  readonly is: 'map';
  readonly entries: ReadonlyMap<string, Entry>;
  readonly at: Place;
}

export interface ListTree {
  readonly is: 'list';
  readonly items: readonly Tree[];
  readonly at: Place;
}

export interface ValueTree {
  readonly is: 'value';
  readonly value: string | number | boolean | null;
  readonly at: Place;
}

export interface Entry {
  /** Where the key is written. */
  readonly at: Place;
  readonly tree: Tree;
}

/** Keys of maps and indices of lists and maps, from the root of a tree. */
export type TreePath = readonly (string | number)[];

export const emptyMap = (at: Place): MapTree => ({ is: 'map', entries: new Map(), at });

export const mapOf = (entries: Iterable<readonly [string, Entry]>, at: Place): MapTree => ({
  is: 'map',
  entries: new Map(entries),
  at,
});

export const isNull = (tree: Tree): boolean => tree.is === 'value' && tree.value === null;

export function jsonOf(tree: Tree): Json {
  if (tree.is === 'map') return objectOf(tree);
  return tree.is === 'list' ? tree.items.map(jsonOf) : tree.value;
}

export function objectOf(tree: MapTree): JsonObject {
  return Object.fromEntries([...tree.entries].map(([key, entry]) => [key, jsonOf(entry.tree)]));
}

/** The entry of a map; undefined also when the tree is no map. */
export function entryOf(tree: Tree | undefined, key: string): Entry | undefined {
  return tree?.is === 'map' ? tree.entries.get(key) : undefined;
}

/**
 * Where to point a reader who should look at a path: at a single value, or else at the key it is below. Of a path that leads beyond
 * what is written, the last part that is.
 */
export function placeOf(root: Tree, path: TreePath): Place {
  let place = root.at;
  let tree: Tree | undefined = root;
  for (const step of path) {
    const entry: Entry | undefined = typeof step === 'number' ? itemEntry(tree, step) : entryOf(tree, step);
    if (entry === undefined) return place;
    place = entry.tree.is === 'value' ? entry.tree.at : entry.at;
    tree = entry.tree;
  }
  return place;
}

function itemEntry(tree: Tree | undefined, index: number): Entry | undefined {
  if (tree?.is === 'map') return [...tree.entries.values()][index];
  const item = tree?.is === 'list' ? tree.items[index] : undefined;
  return item && { at: item.at, tree: item };
}
