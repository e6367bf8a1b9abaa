import type { Json, JsonObject } from '../objects/api-object.ts';
import { setValue } from '../patch/json-value.ts';
import { badRequest, type StatusError } from '../status/status-error.ts';

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

/**
 * Refuses a JSON text with an integer that Kubernetes keeps exactly, as one of 64 bits, and that would come out of here
 * as another number. Integers beyond 64 bits are floating-point numbers there, too. The text must be valid.
 */
export function requireExactIntegers(text: string): void {
  // Few texts have such a run of digits, and most of those are in strings.
  if (!/\d{16}/.test(text)) return;
  const place = new Place();
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*/g)) {
    if (/^-?\d+$/.test(token)) exactNumber(BigInt(token), place.path);
    place.pass(token);
  }
}

/** A copy of what YAML made, whose integers are still of any size, with numbers. Refuses what JSON would be refused for. */
export function withExactIntegers(value: unknown, path = ''): Json {
  if (typeof value === 'bigint') return exactNumber(value, path);
  if (typeof value !== 'object' || value === null) return value as Json;
  if (Array.isArray(value)) return value.map((item, index) => withExactIntegers(item, `${path}[${index}]`));
  const copy: JsonObject = {};
  for (const [key, content] of Object.entries(value)) {
    setValue(copy, key, withExactIntegers(content, path === '' ? key : `${path}.${key}`));
  }
  return copy;
}

/** An integer as a number. Refuses one of 64 bits that would become another. */
export function exactNumber(integer: bigint, path: string): number {
  const number = Number(integer);
  // Numbers are written with as few digits as tell them from others, which need not be all there are.
  if (integer < LEAST || integer > MOST || JSON.stringify(number) === String(integer)) return number;
  throw inexact(integer, path);
}

function inexact(integer: bigint, path: string): StatusError {
  const where = path === '' ? 'the body' : path;
  return badRequest(
    `${where}: ${integer} would not be kept exactly: this server keeps integers from ${Number.MIN_SAFE_INTEGER} to ` +
      `${Number.MAX_SAFE_INTEGER}; store larger ones as strings`,
  );
}

/** Where in a JSON text a token is. */
class Place {
  readonly #containers: { readonly isList: boolean; step: string | number }[] = [];
  #last = '';

  get path(): string {
    let path = '';
    for (const { isList, step } of this.#containers) {
      if (isList) path += `[${step}]`;
      else path += path === '' ? step : `.${step}`;
    }
    return path;
  }

  pass(token: string): void {
    const inside = this.#containers.at(-1);
    if (token === '{' || token === '[') this.#containers.push({ isList: token === '[', step: token === '[' ? 0 : '' });
    else if (token === '}' || token === ']') this.#containers.pop();
    else if (token === ':' && inside) inside.step = JSON.parse(this.#last) as string;
    else if (token === ',' && inside?.isList) inside.step = Number(inside.step) + 1;
    this.#last = token;
  }
}
