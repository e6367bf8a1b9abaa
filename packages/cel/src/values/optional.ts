import { CelObject } from './cel-object.ts';
import { equals } from './equality.ts';
import { EvalError } from './eval-error.ts';
import type { CelValue } from './value.ts';

/** A value that may be missing. */
export class Optional extends CelObject {
  static readonly none = new Optional(undefined);

  /** @param value an error where there is a value that cannot be read: it fails whoever wants to have it */
  static of(value: CelValue | EvalError): Optional {
    return new Optional(value);
  }

  override readonly typeName = 'optional_type';
  readonly #value: CelValue | EvalError | undefined;

  private constructor(value: CelValue | EvalError | undefined) {
    super();
    this.#value = value;
  }

  get hasValue(): boolean {
    return this.#value !== undefined;
  }

  get value(): CelValue {
    if (this.#value === undefined) throw new EvalError('optional.none() dereference');
    if (this.#value instanceof EvalError) throw this.#value;
    return this.#value;
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof Optional)) return false;
    return this.hasValue && other.hasValue ? equals(this.value, other.value) : this.hasValue === other.hasValue;
  }
}
