import type { TSchema } from 'typebox';
import { KlutchError } from '../errors/klutch-error.ts';
import { jsonOf } from '../payloads/parse-json.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { problemIn } from '../schema/problem.ts';
import type { AnswerOf, Endpoint, RequestOf } from './endpoint.ts';

/**
 * The body of a request, as the endpoint describes it; fields that are null are left out, as Go does. Throws
 * `KLUTCH_REQUEST_INVALID` with the name of the field that is wrong; values are never repeated.
 */
export function checkedRequest<E extends Endpoint>({ request }: E, body: unknown): RequestOf<E> {
  if (request === undefined) return undefined as RequestOf<E>;
  const problem = problemIn(schemaOf(request), body);
  if (problem === undefined) return withoutNulls(body) as RequestOf<E>;
  throw new KlutchError('KLUTCH_REQUEST_INVALID', `Field ${problem.replace(/^document:/, 'body:')}.`);
}

/** What is wrong with the answer of an endpoint, as `field: what is expected`; undefined when it is as described. */
export function problemInAnswer<E extends Endpoint>({ answer, waiting }: E, body: unknown): string | undefined {
  const schema = waiting !== undefined && isWaiting(body) ? waiting : answer;
  if (schema === undefined) return body === undefined ? undefined : 'document: expected nothing';
  return problemIn(schemaOf(schema), body);
}

/** Whether an answer asks to be called again, as those of RFC 8628 do. */
export function isWaiting(body: unknown): body is { readonly error: string } {
  return typeof body === 'object' && body !== null && 'error' in body;
}

/** Reads the answer of a backend. Throws `KLUTCH_PROVIDER_INVALID`, or as the endpoint's own reader does. */
export function readAnswer<E extends Endpoint>({ answer, read }: E, text: string, url: string): AnswerOf<E> {
  if (answer === undefined) return undefined as AnswerOf<E>;
  if (read !== undefined) return read(text) as AnswerOf<E>;
  const value = jsonOf(text);
  const problem = value === undefined ? 'it is not JSON' : problemIn(schemaOf(answer), value);
  if (problem === undefined) return value as AnswerOf<E>;
  const message = `The answer of ${url} is not as it should be: ${problem}. Compare the versions of command and backend.`;
  throw new KlutchError('KLUTCH_PROVIDER_INVALID', message);
}

/** Schemas of typebox are JSON schemas; ours use no more of it than the kinds do. */
function schemaOf(schema: TSchema): JsonSchema {
  return schema;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(present.map(([name, field]) => [name, withoutNulls(field)]));
}
