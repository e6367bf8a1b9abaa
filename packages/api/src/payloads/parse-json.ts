import type { KlutchErrorCode } from '../errors/catalogue.ts';
import { KlutchError } from '../errors/klutch-error.ts';
import { problemIn } from '../schema/problem.ts';
import type { Schema } from '../schema/schema.ts';

/** Reads a JSON text that must follow a schema, or throws an error with the given code which says what is wrong. */
export function parseJson<T>(schema: Schema<T>, text: string, code: KlutchErrorCode, subject: string): T {
  const value = jsonOf(text);
  if (value === undefined) throw new KlutchError(code, `${subject} is not JSON.`);
  return checked(schema, value, code, subject);
}

/** The value as what its schema says it is, or an error with the given code which says what is wrong. */
export function checked<T>(schema: Schema<T>, value: unknown, code: KlutchErrorCode, subject: string): T {
  const problem = problemIn(schema.json, value);
  if (problem !== undefined) throw new KlutchError(code, `${subject} is not as it should be: ${problem}.`);
  return value as T;
}

/** The value of a JSON text, or undefined. The parser's own error is dropped: it quotes the text, which may hold credentials. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
