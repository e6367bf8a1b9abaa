import type { Formats } from '../formats/formats.ts';
import { isSchema } from '../schema/node.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { fieldsCheck, listCheck } from './collection-check.ts';
import { enumCheck } from './enum-check.ts';
import { junctorCheck } from './junctor-check.ts';
import { formatCheck, numberCheck, stringCheck } from './scalar-check.ts';
import { kindOf, typeCheck } from './type-check.ts';
import type { Check } from './walk.ts';

/** How formats and union types are read; it differs between objects and the defaults in a schema. */
export interface ValueRules {
  readonly formats: Formats;
  /** Types of a value marked as int-or-string. */
  readonly intOrString: readonly string[];
}

/**
 * Compiles the value rules of a schema (not its CEL rules). Problems are found, worded and counted as by the OpenAPI
 * validator of Kubernetes.
 */
export function valueCheck(schema: JsonSchema, rules: ValueRules): Check {
  const below = (inner: JsonSchema) => valueCheck(inner, rules);
  const format = rules.formats.isKept(schema.format ?? '') ? (schema.format ?? '') : '';
  const types = typesOf(schema, rules);

  const type = typeCheck(types, schema.nullable === true, format);
  const junctors = junctorCheck({
    allOf: (schema.allOf ?? []).map(below),
    anyOf: (schema.anyOf ?? []).map(below),
    oneOf: (schema.oneOf ?? []).map(below),
    not: schema.not && below(schema.not),
  });
  const text = stringCheck(schema);
  const formatted = formatCheck(format, rules.formats);
  const number = numberCheck(schema);
  const list = listCheck(schema, schema.items && below(schema.items));
  const listed = enumCheck(schema.enum);
  const fields = fieldsCheck(schema, {
    properties: new Map(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, below(inner)])),
    additional: additionalCheck(schema.additionalProperties, below),
  });

  // How many checks Kubernetes counts as applied for a value of any kind: junctors, enum, and the schema itself.
  const always = 3 + (type ? 1 : 0) + (junctors ? 0 : 1);

  return (value, walk) => {
    const kind = kindOf(value);
    if (type) type(value, walk);
    else if (kind.type === 'null') walk.match();
    if (kind.type === 'null') return listed?.(value, walk);
    junctors?.(value, walk);
    if (kind.type === 'string') {
      text?.(value, walk);
      formatted?.(value, walk);
    } else if (kind.type === 'integer' || kind.type === 'number') {
      number(value, walk);
    } else if (kind.type === 'array') {
      list(value, walk);
    }
    listed?.(value, walk);
    if (kind.type === 'object') fields(value, walk);
    walk.match(always + appliedTo(kind.type, formatted !== undefined));
  };
}

function additionalCheck(
  additional: JsonSchema | boolean | undefined,
  below: (schema: JsonSchema) => Check,
): Check | 'forbidden' | undefined {
  if (isSchema(additional)) return below(additional);
  return additional === false ? 'forbidden' : undefined;
}

function typesOf(schema: JsonSchema, { intOrString }: ValueRules): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] && intOrString.length > 0) return intOrString;
  return schema.type ? [schema.type] : [];
}

/** How many checks Kubernetes counts as applied because of the kind of a value. */
function appliedTo(type: string, isFormatted: boolean): number {
  if (type === 'boolean') return 0;
  return type === 'string' && isFormatted ? 2 : 1;
}
