import { isObject, type Node } from './node.ts';

/**
 * Finds the item of a list of type map that has the same keys as a given one. Lists of other types have no such
 * relation between their items: for them nothing is ever found.
 */
export class MapList {
  readonly #keys: readonly string[];
  readonly #items: readonly unknown[];
  #byKey: Map<string, unknown> | undefined;

  constructor(node: Node, items: readonly unknown[]) {
    this.#keys = node.listType === 'map' ? node.listKeys : [];
    this.#items = items;
  }

  find(like: unknown): unknown {
    const wanted = this.#keyOf(like);
    if (wanted === undefined) return undefined;
    this.#byKey ??= this.#index();
    return this.#byKey.get(wanted);
  }

  #index(): Map<string, unknown> {
    const byKey = new Map<string, unknown>();
    for (const item of this.#items) {
      const itemKey = this.#keyOf(item);
      if (itemKey !== undefined && !byKey.has(itemKey)) byKey.set(itemKey, item);
    }
    return byKey;
  }

  /** Items without all keys, or with keys that are not scalar, match nothing. */
  #keyOf(item: unknown): string | undefined {
    if (this.#keys.length === 0 || !isObject(item)) return undefined;
    let composed = '';
    for (const name of this.#keys) {
      const part = item[name];
      if (typeof part !== 'string' && typeof part !== 'number' && typeof part !== 'boolean') return undefined;
      composed += `\0${typeof part}:${part}`;
    }
    return composed;
  }
}
