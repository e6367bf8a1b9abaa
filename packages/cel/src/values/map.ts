import { CelObject } from './cel-object.ts';
import { equals } from './equality.ts';
import { attempt, EvalError, noSuchOverload } from './eval-error.ts';
import { show } from './show.ts';
import { Uint } from './uint.ts';
import type { CelValue } from './value.ts';

/** A map, or an object with declared fields: a value by key. */
export abstract class MapValue extends CelObject {
  override readonly typeName = 'map';

  abstract readonly size: number;

  abstract find(key: CelValue): CelValue | undefined;

  abstract keys(): Iterable<CelValue>;

  get(key: CelValue): CelValue {
    const value = this.find(key);
    if (value === undefined) throw new EvalError(`no such key: ${show(key)}`);
    return value;
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof MapValue)) throw noSuchOverload();
    if (this.size !== other.size) return false;
    for (const key of this.keys()) {
      const theirs = other.find(key);
      if (theirs === undefined || !equals(this.get(key), theirs)) return false;
    }
    return true;
  }
}

/** A map that an expression made. Keys are strings, booleans, or numbers of any type that are the same by value. */
export class PlainMap extends MapValue {
  readonly #entries = new Map<unknown, readonly [key: CelValue, value: CelValue]>();

  constructor(entries: Iterable<readonly [CelValue, CelValue]>) {
    super();
    for (const entry of entries) this.#entries.set(identity(entry[0]), entry);
  }

  override get size(): number {
    return this.#entries.size;
  }

  override find(key: CelValue): CelValue | undefined {
    return this.#entries.get(identity(key))?.[1];
  }

  override equals(other: CelValue): boolean {
    return entriesEqual(this, other);
  }

  override *keys(): Iterable<CelValue> {
    for (const [key] of this.#entries.values()) yield key;
  }
}

/** How maps without a schema are compared: values that cannot be compared do not make a difference. */
export function entriesEqual(map: MapValue, other: CelValue): boolean {
  if (!(other instanceof MapValue) || map.size !== other.size) return false;
  for (const key of map.keys()) {
    const theirs = attempt(() => other.find(key));
    if (theirs === undefined) return false;
    if (!(theirs instanceof EvalError) && attempt(() => equals(map.get(key), theirs)) === false) return false;
  }
  return true;
}

function identity(key: CelValue): unknown {
  if (key instanceof Uint) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key;
}
