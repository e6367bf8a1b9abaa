import { corruptBase64Url } from '../formats/go-base64.ts';
import { parseSchemaDuration } from '../formats/go-duration.ts';
import { parseDate, parseDateTime } from '../formats/go-time.ts';
import { dateProblem, dateTimeProblem } from '../formats/go-time-problem.ts';
import { deepEqual } from '../schema/deep-equal.ts';
import { isObject, type Node } from '../schema/node.ts';
import { isInt64 } from './int64.ts';
import { escapeField, unescapeField } from '../types/escape.ts';
import { CelObject } from './cel-object.ts';
import { listOfType } from './data-list.ts';
import { withMeta } from './data-meta.ts';
import { equalsRead } from './equality.ts';
import { EvalError, noSuchOverload } from './eval-error.ts';
import { MapValue } from './map.ts';
import { Duration, Timestamp } from './scalars.ts';
import type { CelValue } from './value.ts';

/** A part of an object as CEL sees it, by its schema. Fails for data that does not fit the schema. */
export function dataValue(json: unknown, node: Node): CelValue {
  if (json === null) {
    if (node.nullable) return null;
    throw new EvalError('invalid data, got null for schema with nullable=false');
  }
  if (node.intOrString) return intOrString(json);
  switch (node.type) {
    case 'object':
      if (!isObject(json)) throw new EvalError('invalid data, expected a map for the provided schema with type=object');
      return new DataMap(json, node.embedded ? withMeta(node) : node);
    case 'array':
      return listValue(json, node);
    case 'string':
      return stringValue(json, node.source.format ?? '');
    case 'number':
      if (typeof json === 'number') return json;
      throw unexpected('float', json);
    case 'integer':
      if (typeof json === 'number' && isInt64(json)) return BigInt(json);
      throw unexpected('int', json);
    case 'boolean':
      if (typeof json === 'boolean') return json;
      throw unexpected('bool', json);
    default:
      // Reached by comparisons only: rules cannot name a field of unknown type.
      return new Preserved(json) as unknown as CelValue;
  }
}

function intOrString(json: unknown): CelValue {
  if (typeof json === 'string') return json;
  if (typeof json === 'number' && isInt64(json)) return BigInt(json);
  throw new EvalError('invalid data, expected XIntOrString value to be either a string or integer');
}

function listValue(json: unknown, node: Node): CelValue {
  if (!Array.isArray(json))
    throw new EvalError('invalid data, expected an array for the provided schema with type=array');
  const { items } = node;
  if (!items) throw new EvalError('invalid array type, expected Items with a non-empty Schema');
  return listOfType(json, node, (item) => dataValue(item, items));
}

function stringValue(json: unknown, format: string): CelValue {
  if (typeof json !== 'string') throw unexpected('string', json);
  switch (format) {
    case 'duration':
      return new Duration(
        parsed(parseSchemaDuration(json), `Invalid duration ${json}: unable to parse ${json} as duration`),
      );
    case 'date':
      return new Timestamp(parsed(parseDate(json), `Invalid date formatted string ${json}: ${dateProblem(json)}`));
    case 'date-time':
      return new Timestamp(
        parsed(parseDateTime(json), `Invalid date-time formatted string ${json}: ${dateTimeProblem(json)}`),
      );
    case 'byte':
      return bytesOf(json);
    default:
      return json;
  }
}

function bytesOf(text: string): Uint8Array {
  const wrongAt = corruptBase64Url(text);
  if (wrongAt === undefined) return Buffer.from(text, 'base64url');
  throw new EvalError(`Invalid byte formatted string ${text}: illegal base64 data at input byte ${wrongAt}`);
}

function parsed(nanos: bigint | undefined, problem: string): bigint {
  if (nanos === undefined) throw new EvalError(problem);
  return nanos;
}

const GO_TYPES: Readonly<Record<string, string>> = { string: 'string', boolean: 'bool' };

function unexpected(wanted: string, found: unknown): EvalError {
  const number = typeof found === 'number' && (isInt64(found) ? 'int64' : 'float64');
  const compound = Array.isArray(found) ? '[]interface {}' : 'map[string]interface {}';
  return new EvalError(`invalid data, expected ${wanted}, got ${number || (GO_TYPES[typeof found] ?? compound)}`);
}

/** An object with declared fields, or a map from names to values of one type. */
export class DataMap extends MapValue {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly #node: Node;

  constructor(raw: Readonly<Record<string, unknown>>, node: Node) {
    super();
    this.raw = raw;
    this.#node = node;
  }

  override get size(): number {
    return Object.keys(this.raw).length;
  }

  override find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') throw noSuchOverload();
    return this.findField(key, this.#node.properties ? unescapeField(key) : undefined);
  }

  /** @param name what the identifier stands for among declared fields; undefined when for nothing */
  findField(identifier: string, name: string | undefined): CelValue | undefined {
    const { properties, additional } = this.#node;
    const field = properties ? name : identifier;
    if (field === undefined || !Object.hasOwn(this.raw, field)) return undefined;
    const value = this.raw[field];
    // A field that is null is a field that is not set; an entry of a map that is null is an entry.
    if (properties && value === null) return undefined;
    const node = properties ? properties.get(field) : additional;
    return node && dataValue(value, node);
  }

  getField(identifier: string, name: string | undefined): CelValue {
    const value = this.findField(identifier, name);
    if (value === undefined) throw new EvalError(`no such key: ${identifier}`);
    return value;
  }

  override *keys(): Iterable<CelValue> {
    for (const name of Object.keys(this.raw)) {
      if (this.#isKnown(name)) yield this.#node.properties ? (escapeField(name) ?? name) : name;
    }
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof MapValue)) throw noSuchOverload();
    if (this.size !== other.size) return false;
    return Object.entries(this.raw).every(([name, value]) =>
      this.#isKnown(name) ? this.#sameField(name, other) : this.#sameUnknown(name, value, other),
    );
  }

  #isKnown(name: string): boolean {
    const { properties, additional } = this.#node;
    return properties ? properties.has(name) : additional !== undefined;
  }

  #sameField(name: string, other: MapValue): boolean {
    const mine = this.find(name);
    return mine === undefined ? other.find(name) === undefined : equalsRead(mine, () => other.find(name));
  }

  /** Fields that the schema does not know are compared only where both have them, as Kubernetes does. */
  #sameUnknown(name: string, value: unknown, other: MapValue): boolean {
    if (!(other instanceof DataMap)) throw noSuchOverload();
    return !Object.hasOwn(other.raw, name) || deepEqual(value, other.raw[name]);
  }
}

/** Data without a known type, kept as it is; all it can do is be compared. */
class Preserved extends CelObject {
  override readonly typeName = 'unknown';
  readonly #raw: unknown;

  constructor(raw: unknown) {
    super();
    this.#raw = raw;
  }

  override equals(other: CelValue): boolean {
    const theirs: unknown = other;
    return theirs instanceof Preserved && deepEqual(this.#raw, theirs.#raw);
  }
}
