import { CelObject } from './cel-object.ts';
import { equals, equalsRead } from './equality.ts';
import { attempt, EvalError, noSuchOverload } from './eval-error.ts';
import { typeNameOfValue } from './show.ts';
import { Uint } from './uint.ts';
import type { CelValue } from './value.ts';

/** A list of CEL; where its elements come from is its own business. */
export abstract class ListValue extends CelObject {
  override readonly typeName = 'list';

  abstract readonly size: number;

  abstract at(index: number): CelValue;

  /** The same elements followed by others. */
  abstract concat(other: ListValue): ListValue;

  *[Symbol.iterator](): IterableIterator<CelValue> {
    for (let index = 0; index < this.size; index++) yield this.at(index);
  }

  /** The element at a position that an expression computed, or undefined when there is none. */
  find(index: CelValue): CelValue | undefined {
    const position = positionOf(index);
    return position < 0 || position >= this.size ? undefined : this.at(position);
  }

  get(index: CelValue): CelValue {
    const found = this.find(index);
    if (found === undefined) throw new EvalError(`index out of bounds: ${positionOf(index)}`);
    return found;
  }

  contains(value: CelValue): boolean {
    for (const element of this) if (equals(element, value)) return true;
    return false;
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof ListValue)) throw noSuchOverload();
    if (this.size !== other.size) return false;
    for (let index = 0; index < this.size; index++)
      if (!equalsRead(this.at(index), () => other.at(index))) return false;
    return true;
  }
}

function positionOf(index: CelValue): number {
  if (typeof index === 'bigint') return Number(index);
  if (index instanceof Uint) return Number(index.value);
  if (typeof index === 'number' && Number.isInteger(index)) return index;
  throw new EvalError(`unsupported index type '${typeNameOfValue(index)}' in list`);
}

/** A list that an expression made. */
export class PlainList extends ListValue {
  readonly #elements: readonly CelValue[];

  constructor(elements: readonly CelValue[]) {
    super();
    this.#elements = elements;
  }

  override get size(): number {
    return this.#elements.length;
  }

  override at(index: number): CelValue {
    return this.#elements[index] ?? null;
  }

  /** Elements that cannot be compared do not make a difference. */
  override equals(other: CelValue): boolean {
    if (!(other instanceof ListValue) || this.size !== other.size) return false;
    return this.#elements.every((element, at) => attempt(() => equals(element, other.at(at))) !== false);
  }

  override concat(other: ListValue): ListValue {
    return new PlainList([...this.#elements, ...other]);
  }
}
