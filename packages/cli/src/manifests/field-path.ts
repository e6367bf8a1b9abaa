import type { UnknownObject } from '@klutch/kube';

/** A step into an object: a field, or the item of a list with these keys. */
type Step = { readonly field: string } | { readonly keys: Readonly<Record<string, unknown>> };

/**
 * Pure: an object without some of its fields. Paths are written as API servers name conflicts of server-side apply, such as
 * `.spec.containers[name="a"].resources.limits.cpu`. What is not there is left out already. Maps and lists that become empty go, too.
 */
export function withoutFields(object: UnknownObject, paths: readonly string[]): UnknownObject {
  return paths.reduce((left, path) => (without(left, stepsOf(path)) ?? left) as UnknownObject, object);
}

function stepsOf(path: string): readonly Step[] {
  const steps = path.matchAll(/\.(?<field>[^.[\]]+)|\[(?<keys>[^\]]*)\]/g);
  return [...steps].map(({ groups }): Step => {
    if (groups?.['field'] !== undefined) return { field: groups['field'] };
    return { keys: keysOf(groups?.['keys'] ?? '') };
  });
}

/** `name="a",port=80` */
function keysOf(text: string): Readonly<Record<string, unknown>> {
  const pairs = [...text.matchAll(/(?<key>\w+)=(?<value>"(?:[^"\\]|\\.)*"|[^,]+)/g)];
  return Object.fromEntries(pairs.map(({ groups }) => [groups?.['key'] ?? '', jsonOf(groups?.['value'] ?? '')]));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function without(value: unknown, [step, ...rest]: readonly Step[]): unknown {
  if (step === undefined) return undefined;
  if ('field' in step) return isMap(value) && step.field in value ? withoutField(value, step.field, rest) : value;
  if (!Array.isArray(value) || Object.keys(step.keys).length === 0) return value;
  const items = value.map((item: unknown) => (hasKeys(item, step.keys) ? without(item, rest) : item));
  const left = items.filter((item) => item !== undefined);
  return left.length === 0 ? undefined : left;
}

function withoutField(map: Readonly<Record<string, unknown>>, field: string, rest: readonly Step[]): unknown {
  const { [field]: found, ...others } = map;
  const left = without(found, rest);
  if (left !== undefined) return { ...map, [field]: left };
  return Object.keys(others).length === 0 ? undefined : others;
}

function hasKeys(item: unknown, keys: Readonly<Record<string, unknown>>): boolean {
  return isMap(item) && Object.entries(keys).every(([key, value]) => item[key] === value);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
