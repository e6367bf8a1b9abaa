import { type CelType, isSameType, showType, typeNameOf } from '../types/cel-type.ts';

/** Says of results that have none of the types that they must have one. */
export function mustBe(...types: readonly CelType[]): (type: CelType) => string | undefined {
  const named = types.length === 1 ? types.map(typeNameOf).join() : `one of [${types.map(typeNameOf).join(' ')}]`;
  return (type) =>
    types.some((wanted) => isSameType(wanted, type))
      ? undefined
      : `must evaluate to ${named} but got ${showType(type)}`;
}
