import type { Json, JsonObject } from '../model/catalogue.ts';

/** The steps of a field path as Crossplane writes it: `metadata.labels[crossplane.io/claim-name]`, `items[0].name`. Undefined: not one. */
export function stepsOf(path: string): readonly (string | number)[] | undefined {
  if (!/^(?:[^.[\]]+|\[[^[\]]+\])(?:\.[^.[\]]+|\[[^[\]]+\])*$/.test(path)) return undefined;
  return [...path.matchAll(/\[([^\]]+)\]|[^.[\]]+/g)].map(([word, bracketed]) => {
    if (bracketed === undefined) return word;
    return /^\d+$/.test(bracketed) ? Number(bracketed) : bracketed.replace(/^(['"])(.*)\1$/, '$2');
  });
}

/** What is at a path: its value, nothing, or something on the way that has no fields. */
export type Found =
  | { readonly is: 'value'; readonly value: Json }
  | { readonly is: 'absent' }
  | { readonly is: 'blocked' };

/** Pure: looks a path up. */
export function valueAt(root: Json, steps: readonly (string | number)[]): Found {
  let value: Json | undefined = root;
  for (const step of steps) {
    const holder: Json = value;
    if (typeof step === 'number' ? !Array.isArray(holder) : !isMap(holder)) return { is: 'blocked' };
    value = (holder as Readonly<Record<string | number, Json>>)[step];
    if (value === undefined) return { is: 'absent' };
  }
  return { is: 'value', value };
}

/** Pure: the same with a value at a path; parents that are missing are made. Undefined: something on the way has no fields. */
export function withValueAt(
  root: Json | undefined,
  steps: readonly (string | number)[],
  value: Json,
): Json | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  const holder = root ?? (typeof step === 'number' ? [] : {});
  if (typeof step === 'number' ? !Array.isArray(holder) : !isMap(holder)) return undefined;
  const inner = withValueAt((holder as Readonly<Record<string | number, Json>>)[step], rest, value);
  if (inner === undefined) return undefined;
  if (!Array.isArray(holder)) return { ...(holder as JsonObject), [step]: inner };
  const items = Array.from({ length: Math.max(holder.length, Number(step) + 1) }, (_, at): Json => holder[at] ?? null);
  return items.with(Number(step), inner);
}

/** Whether a value has fields. */
export function isMap(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
