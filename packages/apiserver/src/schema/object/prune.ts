import { compareBytes } from '../text/go-json.ts';
import type { Node } from './node.ts';

/**
 * Removes, in place, what a schema does not know and nulls that it does not allow. Returns the paths of the unknown
 * fields, sorted. `apiVersion`, `kind` and `metadata` of embedded resources stay: to keep them at the root as well, the
 * root node must be marked as embedded.
 */
export function prune(value: unknown, node: Node): readonly string[] {
  const removed: string[] = [];
  pruneValue(value, node, node.preserve, '', removed);
  return removed.length > 1 ? removed.sort(compareBytes) : removed;
}

function pruneValue(value: unknown, node: Node | undefined, keep: boolean, path: string, removed: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) return pruneFields(value as Record<string, unknown>, node, keep, path, removed);
  if (keep && node?.items === undefined) return;
  for (let at = 0; at < value.length; at++) {
    const item: unknown = value[at];
    if (typeof item !== 'object' || item === null) continue;
    // A list that preserves unknown fields passes this on to its items.
    pruneValue(item, node?.items, keep || node?.items?.preserve === true, `${path}[${at}]`, removed);
  }
}

function pruneFields(
  fields: Record<string, unknown>,
  node: Node | undefined,
  keep: boolean,
  path: string,
  removed: string[],
): void {
  for (const name in fields) {
    if (node?.embedded && isMetaField(name)) continue;
    const below = node?.properties?.get(name) ?? node?.additional;
    if (below === undefined && !node?.hasAdditional) {
      if (keep) continue;
      removed.push(join(path, name));
      delete fields[name];
      continue;
    }
    const value = fields[name];
    if (value === null && isUnwantedNull(below)) delete fields[name];
    else if (typeof value === 'object') pruneValue(value, below, below?.preserve === true, join(path, name), removed);
  }
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

const isUnwantedNull = (node: Node | undefined) => node !== undefined && !node.nullable && node.default === undefined;

const isMetaField = (name: string) => name === 'apiVersion' || name === 'kind' || name === 'metadata';
