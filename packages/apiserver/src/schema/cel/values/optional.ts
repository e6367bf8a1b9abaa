import { CelObject } from './cel-object.ts';
import { equals } from './equality.ts';
import { EvalError } from './eval-error.ts';
import type { CelValue } from './value.ts';

/** A value that may be missing. */
export class Optional extends CelObject {
  static readonly none = new Optional(undefined);

  static of(value: CelValue): Optional {
    return new Optional(value);
  }

  override readonly typeName = 'optional_type';
  readonly #value: CelValue | undefined;

  private constructor(value: CelValue | undefined) {
    super();
    this.#value = value;
  }

  get hasValue(): boolean {
    return this.#value !== undefined;
  }

  get value(): CelValue {
    if (this.#value === undefined) throw new EvalError('optional.none() dereference');
    return this.#value;
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof Optional)) return false;
    return this.hasValue && other.hasValue ? equals(this.value, other.value) : this.hasValue === other.hasValue;
  }
}
