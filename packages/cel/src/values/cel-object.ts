import type { CelValue } from './value.ts';

/** A value that JavaScript has no type of its own for. */
export abstract class CelObject {
  /** The name of its type while an expression runs. */
  abstract readonly typeName: string;

  abstract equals(other: CelValue): boolean;
}
