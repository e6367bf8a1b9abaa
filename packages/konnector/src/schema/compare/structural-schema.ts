/**
 * A structural schema as it came over the wire. Nothing about it was checked yet: exports carry schemas as they are, and
 * only the API server of the app cluster looks at them. Everything below reads what it understands and passes over the
 * rest.
 */
export type Schema = Readonly<Record<string, unknown>>;

/** Accepts every value and keeps all of it. */
export const anything: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/** Which values a schema is about; `any` when it does not say. */
export type ValueKind = 'object' | 'array' | 'string' | 'boolean' | 'integer' | 'number' | 'int-or-string' | 'any';

export function kindOf(schema: Schema): ValueKind {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  return typeof schema['type'] === 'string' && schema['type'] !== '' ? (schema['type'] as ValueKind) : 'any';
}

export function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  const properties = schema['properties'];
  if (!isRecord(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, asSchema(property)]));
}

/** What the schema says of fields that it does not name; undefined when such fields are dropped. */
export function otherFieldsOf(schema: Schema): Schema | undefined {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return anything;
  const additional = schema['additionalProperties'];
  if (additional === true) return anything;
  return isRecord(additional) ? additional : undefined;
}

export function requiredOf(schema: Schema): ReadonlySet<string> {
  return new Set(listOf(schema, 'required').filter((name) => typeof name === 'string'));
}

export function itemsOf(schema: Schema): Schema | undefined {
  return isRecord(schema['items']) ? schema['items'] : undefined;
}

export function listOf(schema: Schema, keyword: string): readonly unknown[] {
  const list = schema[keyword];
  return Array.isArray(list) ? list : [];
}

export function numberOf(schema: Schema, keyword: string): number | undefined {
  const number = schema[keyword];
  return typeof number === 'number' ? number : undefined;
}

/** Go does not tell an absent text from an empty one. */
export function textOf(schema: Schema, keyword: string): string {
  const text = schema[keyword];
  return typeof text === 'string' ? text : '';
}

export function asSchema(value: unknown): Schema {
  return isRecord(value) ? value : {};
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
