import { compareBytes } from '../text/go-json.ts';
import type { Node } from '../schema/node.ts';

/** How a value is pruned. */
export interface Pruning {
  /** Whether nulls that the schema does not allow go as well, unless there is a default to take their place. */
  readonly dropsNulls: boolean;
}

/**
 * Removes, in place, what a schema does not know. Returns the paths of what was unknown, sorted. `apiVersion`, `kind` and
 * `metadata` of embedded resources stay: to keep them at the root as well, the root node must be marked as embedded.
 */
export function prune(value: unknown, node: Node, { dropsNulls }: Pruning): readonly string[] {
  const pruner = new Pruner(dropsNulls);
  pruner.value(value, node, node.preserve, '');
  return pruner.removed.length > 1 ? pruner.removed.sort(compareBytes) : pruner.removed;
}

class Pruner {
  readonly removed: string[] = [];
  readonly #dropsNulls: boolean;

  constructor(dropsNulls: boolean) {
    this.#dropsNulls = dropsNulls;
  }

  value(value: unknown, node: Node | undefined, keep: boolean, path: string): void {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) return this.#fields(value as Record<string, unknown>, node, keep, path);
    if (keep && node?.items === undefined) return;
    for (let at = 0; at < value.length; at++) {
      const item: unknown = value[at];
      if (typeof item !== 'object' || item === null) continue;
      // A list that preserves unknown fields passes this on to its items.
      this.value(item, node?.items, keep || node?.items?.preserve === true, `${path}[${at}]`);
    }
  }

  #fields(fields: Record<string, unknown>, node: Node | undefined, keep: boolean, path: string): void {
    for (const name in fields) {
      if (node?.embedded && isMetaField(name)) {
        if (fields[name] === null && this.#dropsNulls && isUnwantedNull(node.properties?.get(name)))
          delete fields[name];
        continue;
      }
      const below = node?.properties?.get(name) ?? node?.additional;
      if (below === undefined && !node?.hasAdditional) {
        if (keep) continue;
        this.removed.push(join(path, name));
        delete fields[name];
        continue;
      }
      const value = fields[name];
      if (value === null && this.#dropsNulls && isUnwantedNull(below)) delete fields[name];
      else if (typeof value === 'object') this.value(value, below, below?.preserve === true, join(path, name));
    }
  }
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

const isUnwantedNull = (node: Node | undefined) => node !== undefined && !node.nullable && node.default === undefined;

const isMetaField = (name: string) => name === 'apiVersion' || name === 'kind' || name === 'metadata';
