/** Computes the values under which an object is found in an index. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Finds keys of objects by a value computed from them. */
export class ObjectIndex<T> {
  readonly #valuesOf: IndexFunction<T>;
  readonly #keysByValue = new Map<string, Set<string>>();
  /** Values of each key, so that an object can be taken out without its old state. */
  readonly #valuesByKey = new Map<string, readonly string[]>();

  constructor(valuesOf: IndexFunction<T>) {
    this.#valuesOf = valuesOf;
  }

  keys(value: string): Iterable<string> {
    return this.#keysByValue.get(value) ?? [];
  }

  put(key: string, object: T): void {
    this.delete(key);
    const values = this.#valuesOf(object);
    if (values.length === 0) return;
    this.#valuesByKey.set(key, values);
    for (const value of values) {
      const keys = this.#keysByValue.get(value);
      if (keys) keys.add(key);
      else this.#keysByValue.set(value, new Set([key]));
    }
  }

  delete(key: string): void {
    for (const value of this.#valuesByKey.get(key) ?? []) {
      const keys = this.#keysByValue.get(value);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysByValue.delete(value);
    }
    this.#valuesByKey.delete(key);
  }
}
