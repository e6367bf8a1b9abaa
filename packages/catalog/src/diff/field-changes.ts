import { deepEqual } from '@klutch/cel';
import type { Json } from '../model/catalogue.ts';
import { isMap } from '../preview/field-path.ts';

/** A field that has another value afterwards. Absent: it is not set. Lists are compared as a whole. */
export interface FieldChange {
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** Pure: in which fields two values differ, in the order of the first, then of the second. */
export function fieldChanges(before: Json | undefined, after: Json | undefined, path = ''): readonly FieldChange[] {
  if (isMap(before) && isMap(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => fieldChanges(own(before, name), own(after, name), joined(path, name)));
  }
  if (deepEqual(before, after)) return [];
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

function own(map: Readonly<Record<string, Json>>, name: string): Json | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function joined(path: string, name: string): string {
  if (/[^\w-]/.test(name)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}
