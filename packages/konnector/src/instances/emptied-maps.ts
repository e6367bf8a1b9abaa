import type { UnknownObject } from '@klutch/kube';
import { isRecord } from './canonical.ts';

/**
 * Pure: a merge patch that takes the entries out of maps that have some in the copy and shall have none; undefined when
 * there are no such maps. A server-side apply that takes the last entry out of a map leaves null behind, which the
 * schema then refuses; a map that is empty already can be applied.
 */
export function emptyingPatch(wanted: UnknownObject, copy: UnknownObject): object | undefined {
  const { metadata: _, ...content } = wanted;
  return emptied(content, copy);
}

function emptied(wanted: Readonly<Record<string, unknown>>, actual: Readonly<Record<string, unknown>>) {
  const patch: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(wanted)) {
    const there = Object.hasOwn(actual, key) ? actual[key] : undefined;
    if (!isRecord(value) || !isRecord(there)) continue;
    const inside = Object.keys(value).length === 0 ? allGone(there) : emptied(value, there);
    if (inside !== undefined) patch[key] = inside;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function allGone(map: Readonly<Record<string, unknown>>): Record<string, null> | undefined {
  const keys = Object.keys(map);
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, null]));
}
