import { type Problem, problemAt } from './source.ts';
import { mapOf, type Tree } from './tree.ts';

/**
 * What later says over earlier: maps are merged entry by entry, everything else is replaced, and null removes. What both say is
 * placed where the later one says it, as that is what can be edited.
 */
export function merge(earlier: Tree | undefined, later: Tree, say: (problem: Problem) => void): Tree {
  if (later.is !== 'map') return later;
  const entries = new Map(earlier?.is === 'map' ? earlier.entries : []);
  for (const [key, { at, tree }] of later.entries) {
    if (!isNull(tree)) entries.set(key, { at, tree: merge(entries.get(key)?.tree, tree, say) });
    else if (!entries.delete(key)) say(problemAt(at, nothingToRemove(key)));
  }
  return mapOf(entries, later.at);
}

const nothingToRemove = (key: string) =>
  `"${key}" is empty, which removes it, but there is none so far; give it a value ({} for none).`;

const isNull = (tree: Tree) => tree.is === 'value' && tree.value === null;
