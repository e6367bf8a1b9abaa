import { deepEqual } from './deep-equal.ts';
import { MapList } from './map-list.ts';
import { isObject, type Node } from './node.ts';

/**
 * A value beside the one that stood at the same place before an update. Errors of values that did not change are
 * tolerated ("ratcheting"), so that rules may become stricter without locking out existing objects.
 */
export class Correlation {
  readonly #node: Node;
  readonly #value: unknown;
  readonly #old: unknown;
  #oldItems: MapList | undefined;
  #unchanged: boolean | undefined;

  constructor(node: Node, value: unknown, old: unknown) {
    this.#node = node;
    this.#value = value;
    this.#old = old;
  }

  /** The same for a field, or undefined when the field is new or the schema does not know it. */
  key(name: string): Correlation | undefined {
    if (!isObject(this.#value) || !isObject(this.#old)) return undefined;
    if (!Object.hasOwn(this.#value, name) || !Object.hasOwn(this.#old, name)) return undefined;
    const below = this.#node.properties?.get(name) ?? this.#node.additional;
    return below && new Correlation(below, this.#value[name], this.#old[name]);
  }

  /** The same for an item of a list of type map; items of other lists have no history. */
  index(at: number): Correlation | undefined {
    const { items, listType } = this.#node;
    if (listType !== 'map' || !items || !Array.isArray(this.#value) || !Array.isArray(this.#old)) return undefined;
    this.#oldItems ??= new MapList(this.#node, this.#old);
    const item: unknown = this.#value[at];
    const old = this.#oldItems.find(item);
    return old === undefined ? undefined : new Correlation(items, item, old);
  }

  /** Whether old and new are equal. A field that the schema does not know counts as a change. */
  get unchanged(): boolean {
    this.#unchanged ??= this.#compare();
    return this.#unchanged;
  }

  #compare(): boolean {
    const value = this.#value;
    const old = this.#old;
    if (Array.isArray(value) && Array.isArray(old)) return this.#compareLists(value, old);
    if (!isObject(value) || !isObject(old)) return deepEqual(value, old);
    const names = Object.keys(value);
    return names.length === Object.keys(old).length && names.every((name) => this.key(name)?.unchanged === true);
  }

  #compareLists(value: readonly unknown[], old: readonly unknown[]): boolean {
    if (value.length !== old.length) return false;
    if (this.#node.listType !== 'map') return deepEqual(value, old);
    return value.every((_, at) => this.index(at)?.unchanged === true);
  }
}
