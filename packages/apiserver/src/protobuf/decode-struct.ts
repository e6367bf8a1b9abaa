import { exactNumber, requireExactIntegers } from '../http/exact-integers.ts';
import type { Json, JsonObject } from '../objects/api-object.ts';
import type { Field, GoType, Scalar, Struct } from '../kinds/types/go-type.ts';
import { type Content, fieldsIn, textOf } from './reader.ts';

/** Something that is set and understood as JSON only. */
export class NotUnderstood extends Error {}

/**
 * Turns a message into JSON as Kubernetes would print it; fields that the struct does not have are left out. Throws a
 * {@link NotUnderstood} where that would lose something.
 */
export function decodeStruct(bytes: Uint8Array, struct: Struct): JsonObject {
  return takeFields({}, bytes, slotsOf(struct));
}

/** What a field number stands for: a field, or fields of an inlined struct. */
type Slots = Map<number, Slots | readonly [name: string, field: Field]>;

const known = new WeakMap<Struct, Slots>();

function slotsOf(struct: Struct): Slots {
  const slots = known.get(struct) ?? new Map();
  if (known.has(struct)) return slots;
  known.set(struct, slots);
  for (const [name, field] of struct.fields) {
    const numbers = (field.number ?? '').split('.').map(Number);
    const last = numbers.pop() ?? 0;
    placeOf(slots, numbers).set(last, [name, field]);
  }
  return slots;
}

function placeOf(slots: Slots, numbers: readonly number[]): Slots {
  let place = slots;
  for (const number of numbers) {
    const inner = place.get(number) ?? new Map();
    place.set(number, inner);
    place = inner as Slots;
  }
  return place;
}

function takeFields(object: JsonObject, bytes: Uint8Array, slots: Slots): JsonObject {
  for (const { number, content } of fieldsIn(bytes)) {
    const slot = slots.get(number);
    if (slot instanceof Map) takeFields(object, bytesOf(content), slot);
    else if (slot !== undefined) take(object, slot[0], slot[1], content);
  }
  return object;
}

function take(object: JsonObject, name: string, { type, isPointer }: Field, content: Content): void {
  if (type.kind === 'list') {
    const items = (object[name] ??= []) as Json[];
    items.push(valueOf(type.items, content, name));
  } else if (type.kind === 'dict') {
    addEntry((object[name] ??= {}) as JsonObject, type.values, bytesOf(content), name);
  } else {
    const value = valueOf(type, content, name);
    // Go writes texts, numbers and flags without asking whether they are set; in JSON they would not be there.
    const isUnset = value === null || (!isPointer && (value === '' || value === 0 || value === false));
    if (!isUnset) object[name] = value;
  }
}

function addEntry(dict: JsonObject, type: GoType, bytes: Uint8Array, name: string): void {
  let key = '';
  let value: Json = type.kind === 'list' ? [] : '';
  for (const { number, content } of fieldsIn(bytes)) {
    if (number === 1) key = textOf(content);
    if (number === 2) value = valueOf(type, content, name);
  }
  Object.defineProperty(dict, key, { value, enumerable: true, writable: true, configurable: true });
}

/** @param name of the field, for what is said about its value */
function valueOf(type: GoType, content: Content, name: string): Json {
  switch (type.kind) {
    case 'scalar':
      return scalarOf(type, content, name);
    case 'struct':
      return decodeStruct(bytesOf(content), type);
    case 'list':
      // A list within a list or a dict is a message with its items.
      return partsOf(content, 1).map((item) => valueOf(type.items, item, name));
    case 'raw':
      return rawOf(content);
    default:
      throw new NotUnderstood(type.kind);
  }
}

function scalarOf({ form }: Scalar, content: Content, name: string): Json {
  switch (form) {
    case 'text':
      return textOf(content);
    case 'bytes':
      return Buffer.from(bytesOf(content)).toString('base64');
    case 'boolean':
      return content !== 0n;
    case 'int32':
    case 'int64':
      return integerOf(content, name);
    case 'quantity':
      return textOf(partsOf(content, 1)[0] ?? new Uint8Array());
    case 'intOrString': {
      const isText = (partsOf(content, 1)[0] ?? 0n) !== 0n;
      if (isText) return textOf(partsOf(content, 3)[0] ?? new Uint8Array());
      return integerOf(partsOf(content, 2)[0] ?? 0n, name);
    }
    case 'time':
    case 'microTime':
      return timeOf(content, form, name);
    default:
      throw new NotUnderstood(form);
  }
}

function partsOf(content: Content, wanted: number): readonly Content[] {
  return [...fieldsIn(bytesOf(content))].filter(({ number }) => number === wanted).map((part) => part.content);
}

function integerOf(content: Content, name: string): number {
  if (typeof content !== 'bigint') throw new RangeError('a number is expected');
  return exactNumber(BigInt.asIntN(64, content), name);
}

/** A time that is not set has no fields. */
function timeOf(content: Content, form: 'time' | 'microTime', name: string): string | null {
  const seconds = integerOf(partsOf(content, 1)[0] ?? 0n, name);
  const nanos = integerOf(partsOf(content, 2)[0] ?? 0n, name);
  if (seconds === 0 && nanos === 0) return null;
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  return form === 'time' ? `${whole}Z` : `${whole}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`;
}

/** JSON within the message. */
function rawOf(content: Content): Json {
  const text = textOf(partsOf(content, 1)[0] ?? new Uint8Array());
  if (text === '') return null;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new RangeError('what should be JSON is none');
  }
  requireExactIntegers(text);
  return value;
}

function bytesOf(content: Content): Uint8Array {
  if (typeof content === 'bigint') throw new RangeError('a message or text is expected');
  return content;
}
