import type { Json } from '../objects/api-object.ts';
import { isObject } from './json-value.ts';

/**
 * For tests against recordings: whether everything in the first value is in the second, which may have more fields, such
 * as defaults. Null is what remains of an object that lost all fields; built-in kinds are decoded after that, and an
 * empty object or nothing comes of it.
 */
export function isPartOf(part: Json, whole: Json | undefined): boolean {
  if (part === null) return whole === undefined || (isObject(whole) && Object.keys(whole).length === 0);
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.length === whole.length && part.every((item, at) => isPartOf(item, whole[at]));
  }
  if (!isObject(part)) return part === whole;
  return isObject(whole) && Object.keys(part).every((key) => isPartOf(part[key] as Json, whole[key]));
}
