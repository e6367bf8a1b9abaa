import { compareBytes, goNumber, goQuote } from '@klutch/cel';
import type { Json, JsonObject } from '../objects/api-object.ts';

/**
 * Go's ways to put values into text. Some messages of Kubernetes contain values printed by Go itself, and clients
 * compare such messages.
 */

/** `%v`: `map[a:1 b:[x <nil>]]`. */
export function goText(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value !== 'object') return typeof value === 'number' ? goNumber(value) : String(value);
  return `map[${sortedFields(value, (key, field) => `${key}:${goText(field)}`).join(' ')}]`;
}

/** `%#v`: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value !== 'object') return typeof value === 'number' ? goNumber(value) : String(value);
  return `map[string]interface {}{${sortedFields(value, (key, field) => `${goQuote(key)}:${goSyntax(field)}`).join(', ')}}`;
}

/** `%T`: the type JSON values have once Go has decoded them. */
export function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** What Go's JSON decoder calls the kind of a value in its errors. */
export function goJsonKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function sortedFields(object: JsonObject, print: (key: string, value: Json) => string): string[] {
  return Object.keys(object)
    .sort(compareBytes)
    .map((key) => print(key, object[key] as Json));
}
