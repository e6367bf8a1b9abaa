import { CelObject } from './cel-object.ts';
import { noSuchOverload } from './eval-error.ts';
import type { CelValue } from './value.ts';

/** A value of a type that a library of Kubernetes brings: a quantity, an IP address, a URL, … */
export abstract class OpaqueValue extends CelObject {
  /** Whether a value of the same type is equal. */
  abstract matches(other: this): boolean;

  override equals(other: CelValue): boolean {
    if (!(other instanceof OpaqueValue) || other.typeName !== this.typeName) throw noSuchOverload();
    return this.matches(other as this);
  }
}
