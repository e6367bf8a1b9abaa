import { ZEROS } from './decode.ts';
import type { Field, GoType, Struct } from './go-type.ts';

type JsonFields = Record<string, unknown>;

/**
 * Gives an object the shape in which Go writes it back, in place: empty fields disappear unless their type keeps them,
 * and those that are always shown appear. `metadata` of the object itself is left alone.
 */
export function writeBack(root: Struct, object: object): void {
  for (const [key, field] of root.fields) {
    if (key !== 'metadata') writeField(field, object as JsonFields, key);
  }
}

function writeStruct(type: Struct, fields: JsonFields): JsonFields {
  for (const [key, field] of type.fields) writeField(field, fields, key);
  return fields;
}

function writeField(field: Field, fields: JsonFields, key: string): void {
  const content = fields[key];
  const written = content === undefined || content === null ? nothing(field) : something(field, content);
  if (written === undefined) delete fields[key];
  else fields[key] = written;
}

/** How a field without content is shown. */
function nothing({ type, isPointer, isAlways }: Field): unknown {
  if (isPointer) return isAlways ? null : undefined;
  switch (type.kind) {
    case 'struct':
      return writeStruct(type, {});
    case 'scalar':
      return isAlways || alwaysShown.has(type.form) ? ZEROS[type.form] : undefined;
    default:
      return isAlways ? null : undefined;
  }
}

/** Scalars that are structs in Go, which are shown unless they are behind a pointer. */
const alwaysShown: ReadonlySet<string> = new Set(['time', 'microTime', 'quantity', 'intOrString']);

function something(field: Field, content: unknown): unknown {
  const written = writeValue(field.type, content);
  return !field.isPointer && isEmpty(field.type, written) ? nothing(field) : written;
}

function writeValue(type: GoType, content: unknown): unknown {
  if (content === null) return content;
  switch (type.kind) {
    case 'struct':
      return writeStruct(type, content as JsonFields);
    case 'list':
      for (const [at, item] of (content as unknown[]).entries())
        (content as unknown[])[at] = writeValue(type.items, item);
      return content;
    case 'dict':
      for (const [key, item] of Object.entries(content as JsonFields))
        (content as JsonFields)[key] = writeValue(type.values, item);
      return content;
    case 'either':
      return writeValue(chosen(type.options, content), content);
    default:
      return content;
  }
}

function chosen(options: readonly GoType[], content: unknown): GoType {
  const wanted = Array.isArray(content) ? 'list' : typeof content === 'object' ? 'struct' : 'scalar';
  return options.find(({ kind }) => kind === wanted) ?? { kind: 'raw' };
}

function isEmpty(type: GoType, content: unknown): boolean {
  switch (type.kind) {
    case 'scalar':
      return content === ZEROS[type.form];
    case 'list':
      return (content as unknown[]).length === 0;
    case 'dict':
      return Object.keys(content as JsonFields).length === 0;
    default:
      return false;
  }
}
