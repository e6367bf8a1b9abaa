import type { Changes } from './row.ts';

/** A copy of the object with the changes made. Objects and lists on the way to a path are created. */
export function changed(object: object, changes: Changes): Record<string, unknown> {
  const copy = structuredClone(object) as Record<string, unknown>;
  for (const [path, value] of Object.entries(changes)) setAt(copy, stepsOf(path), structuredClone(value));
  return copy;
}

/** The value at a path, or undefined. */
export function valueAt(object: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], object);
}

function setAt(object: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  const [step = '', next, ...rest] = steps;
  if (next === undefined) {
    object[step] = value;
    return;
  }
  object[step] ??= /^\d+$/.test(next) ? [] : {};
  setAt(object[step] as Record<string, unknown>, [next, ...rest], value);
}

function stepsOf(path: string): string[] {
  return path.split(/[.[\]]+/).filter((step) => step !== '');
}
