import type { JsonSchema } from '@klutch/cel';
import type { Field, Form, GoType, Struct } from './go-type.ts';

const ANYTHING: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true };

const SCALARS: Readonly<Record<Form, JsonSchema>> = {
  text: { type: 'string' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  number: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  quantity: { type: 'string', format: 'quantity' },
  intOrString: { type: 'string', format: 'int-or-string' },
};

/**
 * The schema of a struct, for patches and field ownership. A struct within itself is shown as anything. The title of an
 * object schema is the name of its struct.
 */
export function schemaOf(struct: Struct): JsonSchema {
  return structSchema(struct, []);
}

/** Schemas of structs by themselves: kinds have many in common. */
const known = new WeakMap<Struct, JsonSchema>();

function structSchema(struct: Struct, within: readonly Struct[]): JsonSchema {
  if (within.includes(struct)) return { ...ANYTHING, type: 'object', title: struct.name };
  const schema = known.get(struct) ?? fieldsSchema(struct, [...within, struct]);
  known.set(struct, schema);
  return schema;
}

function fieldsSchema(struct: Struct, inner: readonly Struct[]): JsonSchema {
  const required = [...struct.fields].filter(([, { isRequired }]) => isRequired).map(([key]) => key);
  return {
    type: 'object',
    title: struct.name,
    ...(struct.isAtomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries([...struct.fields].map(([key, field]) => [key, fieldSchema(field, inner)])),
  };
}

function fieldSchema({ type, hints }: Field, within: readonly Struct[]): JsonSchema {
  return { ...typeSchema(type, within), ...hints };
}

function typeSchema(type: GoType, within: readonly Struct[]): JsonSchema {
  switch (type.kind) {
    case 'scalar':
      return SCALARS[type.form];
    case 'struct':
      return structSchema(type, within);
    case 'list':
      return { type: 'array', items: typeSchema(type.items, within) };
    case 'dict':
      return { type: 'object', additionalProperties: typeSchema(type.values, within) };
    default:
      return ANYTHING;
  }
}
