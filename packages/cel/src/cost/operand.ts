import type { Expr } from '../syntax/expr.ts';
import { type CelType, paramsOf } from '../types/cel-type.ts';
import type { SchemaType } from '../types/schema-type.ts';
import { type Range, UNKNOWN } from './range.ts';

/** Where a value comes from: a variable, then names of fields, `@items`, `@keys` or `@values`. */
export type Path = readonly string[];

/** An operand of a call, as far as costs are concerned. */
export interface Operand {
  readonly expr: Expr | undefined;
  readonly type: CelType;
  readonly path: Path;
  /** What the expression itself says about the size. */
  readonly size: Range | undefined;
}

/** What a schema says about the values of a variable, if there is one. */
export type Sizes = (variable: string) => SchemaType | undefined;

/** What the schema says about the size of values at a path. */
export function declaredSize(sizes: Sizes, [variable, ...names]: Path): Range | undefined {
  let current = variable === undefined ? undefined : sizes(variable);
  if (!current) return undefined;
  for (const name of names) {
    if (name === '@items' || name === '@values') current = current.element;
    else if (name === '@keys') current = current.key;
    else current = current.fields?.get(name);
    if (!current) return undefined;
  }
  return { min: 0, max: current.maxElements };
}

/** The size of an operand, from whatever is known about it. */
export function sizeOf(operand: Operand, sizes: Sizes): Range {
  return operand.size ?? declaredSize(sizes, operand.path) ?? UNKNOWN;
}

/** The elements of a list; undefined for anything else. */
export function elementOf({ type, path }: Operand): Operand | undefined {
  const [element] = paramsOf(type);
  if (!element) return undefined;
  return { expr: undefined, type: element, path: path.length === 0 ? [] : [...path, '@items'], size: undefined };
}
