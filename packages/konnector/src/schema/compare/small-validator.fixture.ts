import { isDeepStrictEqual } from 'node:util';
import {
  isRecord,
  itemsOf,
  kindOf,
  listOf,
  numberOf,
  otherFieldsOf,
  propertiesOf,
  requiredOf,
  type Schema,
} from './structural-schema.ts';

/** For tests: whether an API server with this schema accepts the value, after filling in defaults. */
export function accepts(schema: Schema, value: unknown): boolean {
  return isValid(schema, withDefaults(schema, value));
}

/** For tests: the value with every field dropped that the schema does not know. */
export function pruned(schema: Schema, value: unknown): unknown {
  const items = itemsOf(schema);
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => pruned(items, item));
  if (!isRecord(value)) return value;
  const properties = propertiesOf(schema);
  const others = otherFieldsOf(schema);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const fieldSchema = properties[name] ?? others;
      return fieldSchema === undefined ? [] : [[name, pruned(fieldSchema, field)]];
    }),
  );
}

function withDefaults(schema: Schema, value: unknown): unknown {
  const items = itemsOf(schema);
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => withDefaults(items, item));
  if (!isRecord(value)) return value;
  const properties = propertiesOf(schema);
  const additional = schema['additionalProperties'];
  const filled: Record<string, unknown> = { ...value };
  for (const [name, { default: standard }] of Object.entries(properties)) {
    if (filled[name] === undefined && standard !== undefined) filled[name] = standard;
  }
  for (const [name, field] of Object.entries(filled)) {
    const fieldSchema = properties[name] ?? (isRecord(additional) ? additional : undefined);
    if (fieldSchema !== undefined) filled[name] = withDefaults(fieldSchema, field);
  }
  return filled;
}

function isValid(schema: Schema, value: unknown): boolean {
  if (value === null) return schema['nullable'] === true || typeof schema['type'] !== 'string';
  const choices = listOf(schema, 'enum');
  if (choices.length > 0 && !choices.some((choice) => isDeepStrictEqual(choice, value))) return false;
  if (!isOfKind(schema, value)) return false;
  if (typeof value === 'string') return within(schema, value.length, 'minLength', 'maxLength');
  if (typeof value === 'number') return isInRange(schema, value);
  if (Array.isArray(value)) {
    const items = itemsOf(schema) ?? {};
    return within(schema, value.length, 'minItems', 'maxItems') && value.every((item) => isValid(items, item));
  }
  return !isRecord(value) || isValidObject(schema, value);
}

function isValidObject(schema: Schema, value: Readonly<Record<string, unknown>>): boolean {
  if (!within(schema, Object.keys(value).length, 'minProperties', 'maxProperties')) return false;
  if ([...requiredOf(schema)].some((name) => value[name] === undefined)) return false;
  const properties = propertiesOf(schema);
  const others = otherFieldsOf(schema);
  return Object.entries(value).every(([name, field]) => isValid(properties[name] ?? others ?? {}, field));
}

function isOfKind(schema: Schema, value: unknown): boolean {
  switch (kindOf(schema)) {
    case 'any':
      return true;
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    case 'int-or-string':
      return typeof value === 'string' || Number.isInteger(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === kindOf(schema);
  }
}

function isInRange(schema: Schema, value: number): boolean {
  const [minimum, maximum] = [numberOf(schema, 'minimum'), numberOf(schema, 'maximum')];
  if (minimum !== undefined && (schema['exclusiveMinimum'] ? value <= minimum : value < minimum)) return false;
  if (maximum !== undefined && (schema['exclusiveMaximum'] ? value >= maximum : value > maximum)) return false;
  const factor = numberOf(schema, 'multipleOf');
  return factor === undefined || value % factor === 0;
}

function within(schema: Schema, count: number, least: string, most: string): boolean {
  return count >= (numberOf(schema, least) ?? 0) && count <= (numberOf(schema, most) ?? Number.POSITIVE_INFINITY);
}
