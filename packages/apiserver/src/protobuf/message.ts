/** How the value of a field is encoded and what it becomes in JSON. */
export type FieldType =
  | 'string'
  | 'bytes'
  | 'bool'
  | 'int'
  | 'time'
  | 'microTime'
  | 'stringMap'
  | 'bytesMap'
  | 'listMap'
  | 'quantityMap'
  | Message;

/** A field by its JSON name. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly repeated: boolean;
}

/** A message type. */
export interface Message {
  readonly fields: ReadonlyMap<number, Field>;
  /** Whether there are fields that are not known here; they must not get lost. */
  readonly isPartial: boolean;
}

/** A field that occurs at most once. */
export function one(name: string, type: FieldType): Field {
  return { name, type, repeated: false };
}

/** A field that becomes a list. */
export function many(name: string, type: FieldType): Field {
  return { name, type, repeated: true };
}

/** A message whose fields are numbered as given. */
export function message(fields: Readonly<Record<number, Field>>): Message {
  return { fields: fieldsOf(fields), isPartial: false };
}

/** A message of which only the given fields are understood. One that sets others is refused. */
export function partial(fields: Readonly<Record<number, Field>>): Message {
  return { fields: fieldsOf(fields), isPartial: true };
}

function fieldsOf(fields: Readonly<Record<number, Field>>): ReadonlyMap<number, Field> {
  return new Map(Object.entries(fields).map(([number, field]) => [Number(number), field]));
}
