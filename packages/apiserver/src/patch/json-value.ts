import type { Json, JsonObject } from '../objects/api-object.ts';

/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a key an object itself has; keys such as `constructor` are ordinary names here. */
export function ownValue(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a key, whatever its name: a plain assignment to `__proto__` would change the prototype instead. */
export function setValue(object: JsonObject, key: string, value: Json): void {
  if (key !== '__proto__') {
    object[key] = value;
    return;
  }
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A deep copy that shares nothing with its source. */
export function copyJson<Value extends Json>(value: Value): Value;
export function copyJson(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyJson(item));
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setValue(copy, key, copyJson(value[key] as Json));
  return copy;
}
