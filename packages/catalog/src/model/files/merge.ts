import { type Problem, problemAt } from './source.ts';
import { isNull, mapOf, type Tree } from './tree.ts';

/**
 * What later says over earlier: maps are merged entry by entry, everything else is replaced, and null removes. What both say is
 * placed where the later one says it, as that is what can be edited. A null that finds nothing to remove stays.
 */
export function merge(earlier: Tree | undefined, later: Tree): Tree {
  if (later.is !== 'map') return later;
  const entries = new Map(earlier?.is === 'map' ? earlier.entries : []);
  for (const [key, { at, tree }] of later.entries) {
    const before = entries.get(key)?.tree;
    if (isNull(tree) && before && !isNull(before)) entries.delete(key);
    else entries.set(key, { at, tree: merge(before, tree) });
  }
  return mapOf(entries, later.at);
}

/** Entries that are null after everything was merged: there was nothing to remove. */
export function emptyEntries(tree: Tree): readonly Problem[] {
  if (tree.is === 'list') return tree.items.flatMap(emptyEntries);
  if (tree.is !== 'map') return [];
  return [...tree.entries].flatMap(([key, entry]) =>
    isNull(entry.tree) ? [problemAt(entry.at, nothingToRemove(key))] : emptyEntries(entry.tree),
  );
}

const nothingToRemove = (key: string) =>
  `"${key}" is empty, which removes it, but there is none so far; give it a value ({} for none).`;
