import type { JsonSchema } from '../schema/json-schema.ts';
import { buildNode } from '../schema/node.ts';
import { SELF, schemaType, type SchemaType } from '../types/schema-type.ts';
import { dataValue } from '../values/data.ts';
import { withMeta } from '../values/data-meta.ts';
import { attempt, type EvalError } from '../values/eval-error.ts';
import type { CelValue } from '../values/value.ts';

/** A variable whose values have a schema. */
export interface SchemaVariable {
  /** What to declare. */
  readonly type: SchemaType;
  /** A value to run with; or why the JSON is none of the type. */
  value(json: unknown): CelValue | EvalError;
}

/**
 * A variable of the type that a structural schema gives it; undefined for a schema that says nothing about its values,
 * which expressions cannot see then.
 *
 * @param isResource whether values have `apiVersion`, `kind` and `metadata`, whatever the schema says of these
 */
export function schemaVariable(schema: JsonSchema, isResource = false): SchemaVariable | undefined {
  const node = buildNode(schema);
  const type = schemaType(node, isResource, SELF);
  const read = isResource ? withMeta(node) : node;
  return type && { type, value: (json) => attempt(() => dataValue(json, read)) };
}
