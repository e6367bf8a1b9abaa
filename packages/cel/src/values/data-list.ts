import { goJson } from '../text/go-json.ts';
import { isObject, type Node } from '../schema/node.ts';
import { isInt64 } from './int64.ts';
import { escapeField } from '../types/escape.ts';
import { equals } from './equality.ts';
import { attempt, EvalError, noSuchOverload } from './eval-error.ts';
import { ListValue, PlainList } from './list.ts';
import type { CelValue } from './value.ts';

/** Reads one element of a list. */
export type ReadItem = (item: unknown) => CelValue;

/** A list of an object as CEL sees it; the order of sets and of lists of type map does not matter in comparisons. */
export function listOfType(raw: readonly unknown[], node: Node, read: ReadItem): DataList {
  if (node.listType === 'set') return new SetList(raw, read);
  if (node.listType === 'map') return new KeyedList(raw, read, node.listKeys);
  return new DataList(raw, read);
}

/** A list of an object. */
export class DataList extends ListValue {
  readonly raw: readonly unknown[];
  protected readonly read: ReadItem;

  constructor(raw: readonly unknown[], read: ReadItem) {
    super();
    this.raw = raw;
    this.read = read;
  }

  override get size(): number {
    return this.raw.length;
  }

  override at(index: number): CelValue {
    return this.read(this.raw[index]);
  }

  override concat(other: ListValue): ListValue {
    if (other instanceof DataList) return new DataList([...this.raw, ...other.raw], this.read);
    return new PlainList([...this, ...other]);
  }
}

class SetList extends DataList {
  #own: Set<string | undefined> | undefined;

  override equals(other: CelValue): boolean {
    if (!(other instanceof ListValue)) throw noSuchOverload();
    if (this.size !== other.size) return false;
    const own = this.#identities();
    for (let index = 0; index < other.size; index++) {
      const element = attempt(() => other.at(index));
      if (!own.has(identityOfValue(element))) return false;
    }
    return true;
  }

  /** Collected once: where an item cannot be, the first comparison fails and later ones do with the items before it. */
  #identities(): ReadonlySet<string | undefined> {
    if (this.#own) return this.#own;
    this.#own = new Set();
    for (const item of this.raw) this.#own.add(identityOfItem(item));
    return this.#own;
  }

  /** The union: what the other list adds comes last. */
  override concat(other: ListValue): ListValue {
    if (!(other instanceof DataList)) return super.concat(other);
    const seen = new Set(this.raw.map(goJson));
    const added = other.raw.filter((item) => !seen.has(goJson(item)));
    return new SetList([...this.raw, ...added], this.read);
  }
}

/**
 * Kubernetes looks up the elements of one set, as CEL has them, among those of the other, as JSON has them. Times never
 * match their texts, doubles never match whole numbers, and lists and objects cannot be looked up at all.
 */
function identityOfItem(item: unknown): string {
  if (typeof item === 'number') return `${isInt64(item) ? 'int' : 'double'}:${item}`;
  if (typeof item !== 'object' || item === null) return `${typeof item}:${String(item)}`;
  const type = Array.isArray(item) ? '[]interface {}' : 'map[string]interface {}';
  throw new EvalError(`internal error: runtime error: hash of unhashable type ${type}`);
}

function identityOfValue(value: CelValue | EvalError): string | undefined {
  switch (typeof value) {
    case 'bigint':
      return `int:${value}`;
    case 'number':
      return `double:${value}`;
    case 'string':
    case 'boolean':
      return `${typeof value}:${value}`;
    default:
      return value === null ? 'object:null' : undefined;
  }
}

class KeyedList extends DataList {
  readonly #keys: readonly string[];

  constructor(raw: readonly unknown[], read: ReadItem, keys: readonly string[]) {
    super(raw, read);
    this.#keys = keys;
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof ListValue)) throw noSuchOverload();
    if (this.size !== other.size) return false;
    if (!(other instanceof DataList)) return super.equals(other);
    const own = new Map(this.raw.map((item) => [this.#keyOf(item), item]));
    return other.raw.every((item, index) => {
      // An item that has no keys is equal to none, not even to itself.
      const mine = isObject(item) ? own.get(this.#keyOf(item)) : undefined;
      return mine !== undefined && equals(this.read(mine), other.at(index));
    });
  }

  /** The other list's elements take the place of those with the same keys; new ones come last. */
  override concat(other: ListValue): ListValue {
    if (!(other instanceof DataList)) return super.concat(other);
    const merged = [...this.raw];
    const places = new Map(this.raw.map((item, at) => [this.#keyOf(item), at]));
    for (const item of other.raw) merged[places.get(this.#keyOf(item)) ?? merged.length] = item;
    return new KeyedList(merged, this.read, this.#keys);
  }

  #keyOf(item: unknown): string {
    const fields = isObject(item) ? item : {};
    return goJson(this.#keys.map((name) => fields[escapeField(name) ?? name]));
  }
}
