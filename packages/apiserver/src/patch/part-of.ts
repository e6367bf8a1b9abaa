import type { Json } from '../objects/api-object.ts';
import { isObject } from './json-value.ts';

/**
 * For tests against recordings: whether everything in the first value is in the second, which may have more fields, such
 * as defaults. Built-in kinds are decoded and stored after a patch, and that forgets the difference between an empty
 * value, null and nothing.
 */
export function isPartOf(part: Json, whole: Json | undefined): boolean {
  if (isEmpty(part)) return whole === undefined || isEmpty(whole) || isObject(whole);
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.length === whole.length && part.every((item, at) => isPartOf(item, whole[at]));
  }
  if (!isObject(part)) return part === whole;
  return isObject(whole) && Object.keys(part).every((key) => isPartOf(part[key] as Json, whole[key]));
}

function isEmpty(value: Json): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
