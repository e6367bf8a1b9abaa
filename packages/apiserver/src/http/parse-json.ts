import type { Json } from '../objects/api-object.ts';
import { duplicateFields } from './duplicate-fields.ts';
import { requireExactIntegers } from './exact-integers.ts';
import { jsonSyntaxProblem } from './json-syntax.ts';

/** A parsed text, with what strict decoding says about fields that occur twice; or why it cannot be parsed. */
export type Parsed = { readonly value: Json; readonly duplicates: readonly string[] } | { readonly problem: string };

/** Parses JSON; problems are in the words of Go. Throws a 400 for integers that would become other ones. */
export function parseJson(text: string): Parsed {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return { problem: jsonSyntaxProblem(text) ?? 'unexpected end of JSON input' };
  }
  requireExactIntegers(text);
  const repeated = duplicateFields(text);
  if (repeated === 'too deep') return { problem: jsonSyntaxProblem(text) ?? 'exceeded max depth' };
  return { value, duplicates: repeated.map((path) => `duplicate field "${path}"`) };
}
