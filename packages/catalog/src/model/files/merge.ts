import { type Problem, problemAt } from './source.ts';
import { emptyMap, type Entry, mapOf, type Tree } from './tree.ts';

/** What later says over earlier: maps are merged entry by entry, everything else is replaced, and null removes. */
export function merge(earlier: Tree | undefined, later: Tree, say: (problem: Problem) => void): Tree {
  if (later.is !== 'map') return later;
  const entries = new Map((earlier?.is === 'map' ? earlier : emptyMap(later.at)).entries);
  for (const [key, entry] of later.entries) {
    const before = entries.get(key);
    if (!isNull(entry.tree)) {
      entries.set(key, mergedEntry(before, entry, say));
    } else if (!entries.delete(key)) {
      say(
        problemAt(
          entry.at,
          `"${key}" is empty, which removes it, but there is none so far; give it a value ({} for none).`,
        ),
      );
    }
  }
  return mapOf(entries, earlier?.at ?? later.at);
}

/** An entry of which a part is changed stays where it was written first. */
function mergedEntry(before: Entry | undefined, entry: Entry, say: (problem: Problem) => void): Entry {
  const tree = merge(before?.tree, entry.tree, say);
  return { at: before && tree.is === 'map' ? before.at : entry.at, tree };
}

const isNull = (tree: Tree) => tree.is === 'value' && tree.value === null;
