import { isObject } from '../schema/node.ts';
import { isInt64 } from './int64.ts';
import { PlainList } from './list.ts';
import { entriesEqual, MapValue } from './map.ts';
import type { CelValue } from './value.ts';

/**
 * JSON as expressions see it that know no schema: fields have the names they have in JSON, times are strings, a field that
 * is null is there, and the order of all lists matters.
 */
export function jsonValue(json: unknown): CelValue {
  if (Array.isArray(json)) return new PlainList(json.map(jsonValue));
  if (isObject(json)) return new JsonMap(json);
  if (typeof json === 'number' && isInt64(json)) return BigInt(json);
  return (json ?? null) as CelValue;
}

/** An object; its fields are read when they are asked for, because most never are. */
class JsonMap extends MapValue {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    super();
    this.#fields = fields;
  }

  override get size(): number {
    return this.#names().length;
  }

  override find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.#fields, key)) return undefined;
    const value = this.#fields[key];
    return value === undefined ? undefined : jsonValue(value);
  }

  override keys(): Iterable<CelValue> {
    return this.#names();
  }

  override equals(other: CelValue): boolean {
    return entriesEqual(this, other);
  }

  /** Objects that were not read from JSON may hold fields that JSON would leave out. */
  #names(): readonly string[] {
    return Object.keys(this.#fields).filter((name) => this.#fields[name] !== undefined);
  }
}
