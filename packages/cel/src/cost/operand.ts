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

/** What the schema says about the size of values at a path. */
export function declaredSize(root: SchemaType, path: Path): Range | undefined {
  if (path.length === 0) return undefined;
  let current: SchemaType | undefined = root;
  for (const name of path.slice(1)) {
    if (name === '@items' || name === '@values') current = current.element;
    else if (name === '@keys') current = current.key;
    else current = current.fields?.get(name);
    if (!current) return undefined;
  }
  return { min: 0, max: current.maxElements };
}

/** The size of an operand, from whatever is known about it. */
export function sizeOf(operand: Operand, root: SchemaType): Range {
  return operand.size ?? declaredSize(root, operand.path) ?? UNKNOWN;
}

/** The elements of a list; undefined for anything else. */
export function elementOf({ type, path }: Operand): Operand | undefined {
  const [element] = paramsOf(type);
  if (!element) return undefined;
  return { expr: undefined, type: element, path: path.length === 0 ? [] : [...path, '@items'], size: undefined };
}
