import { type CelType, paramsOf } from '../types/cel-type.ts';
import type { CelValue } from '../values/value.ts';

/** One signature of a function and what it does. */
export interface Overload {
  readonly id: string;
  /** Whether it is called on a value: `x.f(y)`. The value is then the first argument. */
  readonly isMember: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** Gets values of the declared types; throws an `EvalError` when there is no result. */
  readonly run: (...args: never[]) => CelValue;
  /** Names of the type parameters in the signature. */
  readonly params: readonly string[];
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** Functions by name. Several declarations of one name add up. */
export type Functions = ReadonlyMap<string, FunctionDeclaration>;

export function global(id: string, args: readonly CelType[], result: CelType, run: Overload['run']): Overload {
  return { id, isMember: false, args, result, run, params: paramNames([result, ...args]) };
}

export function member(id: string, args: readonly CelType[], result: CelType, run: Overload['run']): Overload {
  return { ...global(id, args, result, run), isMember: true };
}

export const define = (name: string, ...overloads: Overload[]): FunctionDeclaration => ({ name, overloads });

/** Puts libraries together. */
export function combine(...libraries: readonly (readonly FunctionDeclaration[])[]): Functions {
  const functions = new Map<string, FunctionDeclaration>();
  for (const { name, overloads } of libraries.flat()) {
    functions.set(name, { name, overloads: [...(functions.get(name)?.overloads ?? []), ...overloads] });
  }
  return functions;
}

function paramNames(types: readonly CelType[]): string[] {
  const names = types.flatMap((type) => (type.kind === 'param' ? [type.name] : paramNames(paramsOf(type))));
  return [...new Set(names)];
}
