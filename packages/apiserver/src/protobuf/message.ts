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
  | Message;

/** A field by its JSON name. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly repeated: boolean;
}

/** A message type: its fields by number. */
export type Message = ReadonlyMap<number, Field>;

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
  return new Map(Object.entries(fields).map(([number, field]) => [Number(number), field]));
}
