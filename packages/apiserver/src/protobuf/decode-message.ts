import type { Json, JsonObject } from '../objects/api-object.ts';
import type { Field, FieldType, Message } from './message.ts';
import { message, many, one } from './message.ts';
import { Reader } from './reader.ts';

/** A field that is set and not understood. */
export class UnknownField extends Error {}

/**
 * Turns a message into JSON as Kubernetes would print it; fields that are not known are left out. Throws an
 * {@link UnknownField} where that would lose something.
 */
export function decodeMessage(bytes: Uint8Array, type: Message): JsonObject {
  const object: JsonObject = {};
  const reader = new Reader(bytes);
  while (!reader.atEnd) {
    const { field: number, wireType } = reader.tag();
    const field = type.fields.get(number);
    if (field) take(object, field, reader, wireType);
    else if (!type.isPartial) reader.skip(wireType);
    else if (!isZero(reader, wireType)) throw new UnknownField(`field ${number}`);
  }
  return object;
}

/** Go writes numbers, flags and texts whether they are set or not. */
function isZero(reader: Reader, wireType: number): boolean {
  if (wireType === 0) return reader.varint() === 0n;
  return wireType === 2 && reader.bytes().length === 0;
}

function take(object: JsonObject, field: Field, reader: Reader, wireType: number): void {
  const { name, type, repeated } = field;
  if (wireType === 0) {
    const value = reader.varint();
    object[name] = type === 'bool' ? value !== 0n : Number(BigInt.asIntN(64, value));
    return;
  }
  const bytes = reader.bytes();
  if (isMap(type)) {
    const { key = '', value } = decodeMessage(bytes, entries[type]) as { key?: string; value?: Json };
    object[name] = { ...(object[name] as JsonObject | undefined), [key]: mapValue(type, value) };
    return;
  }
  const value = decodeValue(bytes, type);
  // Go writes strings without asking whether they are set; in JSON they would not be there.
  if (value === undefined || (value === '' && !repeated)) return;
  object[name] = repeated ? [...((object[name] as Json[] | undefined) ?? []), value] : value;
}

type MapType = keyof typeof entries;

function isMap(type: FieldType): type is MapType {
  return typeof type === 'string' && Object.hasOwn(entries, type);
}

function mapValue(type: MapType, value: Json | undefined): Json {
  const { items } = (value ?? {}) as { readonly items?: Json };
  if (type === 'listMap') return items ?? [];
  return (type === 'quantityMap' ? items : value) ?? '';
}

function decodeValue(bytes: Uint8Array, type: FieldType): Json | undefined {
  if (type === 'string') return Buffer.from(bytes).toString('utf8');
  if (type === 'bytes') return Buffer.from(bytes).toString('base64');
  if (type === 'time' || type === 'microTime') return decodeTime(bytes, type);
  if (typeof type === 'string') return undefined;
  return decodeMessage(bytes, type);
}

const timestamp = message({ 1: one('seconds', 'int'), 2: one('nanos', 'int') });

/** A time that is not set has no fields. */
function decodeTime(bytes: Uint8Array, type: 'time' | 'microTime'): string | undefined {
  const { seconds = 0, nanos = 0 } = decodeMessage(bytes, timestamp) as { seconds?: number; nanos?: number };
  if (seconds === 0 && nanos === 0) return undefined;
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  return type === 'time' ? `${whole}Z` : `${whole}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`;
}

const entries = {
  stringMap: message({ 1: one('key', 'string'), 2: one('value', 'string') }),
  bytesMap: message({ 1: one('key', 'string'), 2: one('value', 'bytes') }),
  listMap: message({ 1: one('key', 'string'), 2: one('value', message({ 1: many('items', 'string') })) }),
  quantityMap: message({ 1: one('key', 'string'), 2: one('value', message({ 1: one('items', 'string') })) }),
} as const;
