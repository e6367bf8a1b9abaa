import type { Json, Plan, Transform } from '../model/catalogue.ts';

/** A transform of function-patch-and-transform. */
export type FunctionTransform =
  | { readonly type: 'map'; readonly map: Readonly<Record<string, Json>> }
  | { readonly type: 'string'; readonly string: Readonly<Record<string, string>> }
  | { readonly type: 'convert'; readonly convert: { readonly toType: 'int' } };

/** What a transform of the catalogue is for the function. Traits belong to plans, so they become a map of plan names. */
export function functionTransform(transform: Transform, plans: readonly Plan[]): FunctionTransform {
  switch (transform.is) {
    case 'map':
      return { type: 'map', map: transform.values };
    case 'trait':
      return { type: 'map', map: valuesByPlan(transform, plans) };
    case 'format':
      return { type: 'string', string: { type: 'Format', fmt: transform.format } };
    case 'trim-prefix':
      return { type: 'string', string: { type: 'TrimPrefix', trim: transform.prefix } };
    case 'lower-case':
      return { type: 'string', string: { type: 'Convert', convert: 'ToLower' } };
    case 'integer':
      return { type: 'convert', convert: { toType: 'int' } };
  }
}

/** Retired plans stay, and so do those that another backend has: an instance may still have one of them. */
function valuesByPlan(
  { trait, values }: Extract<Transform, { readonly is: 'trait' }>,
  plans: readonly Plan[],
): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    plans.flatMap(({ name, traits }) => {
      const value = values[traits[trait] ?? ''];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
