import type { JsonSchema } from './json-schema.ts';

/**
 * The first thing about a value that its schema does not allow, as `field: what is expected`, or undefined. Fields the
 * schema does not mention are ignored. CEL rules are not evaluated. Values are never quoted, as they may be secret.
 */
export function problemIn(schema: JsonSchema, value: unknown, field = ''): string | undefined {
  const expected = mismatch(schema, value);
  if (expected !== undefined) return `${field || 'document'}: expected ${expected}`;
  if (Array.isArray(value)) return problemInItems(schema, value, field);
  return isObject(value) ? problemInFields(schema, value, field) : undefined;
}

function mismatch(schema: JsonSchema, value: unknown): string | undefined {
  if (schema['x-kubernetes-int-or-string']) {
    return typeof value === 'string' || Number.isInteger(value) ? undefined : 'a number or text';
  }
  switch (schema.type) {
    case 'object':
      return isObject(value) ? undefined : 'an object';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'integer':
      return Number.isInteger(value) ? outOfRange(schema, Number(value)) : 'a whole number';
    case 'number':
      return typeof value === 'number' ? outOfRange(schema, value) : 'a number';
    case 'array':
      return Array.isArray(value) ? wrongLength(value, schema.minItems, schema.maxItems, 'entries') : 'a list';
    case 'string':
      return typeof value === 'string' ? textMismatch(schema, value) : 'text';
    case undefined:
      return undefined;
  }
}

function outOfRange({ minimum = -Infinity, maximum = Infinity }: JsonSchema, value: number): string | undefined {
  if (value < minimum) return `at least ${minimum}`;
  return value > maximum ? `at most ${maximum}` : undefined;
}

function textMismatch(schema: JsonSchema, value: string): string | undefined {
  if (schema.enum && !schema.enum.includes(value)) return schema.enum.join(' or ');
  if (schema.pattern && !new RegExp(schema.pattern).test(value)) return schema.title ?? `text like ${schema.pattern}`;
  return wrongLength(value, schema.minLength, schema.maxLength, 'characters');
}

function wrongLength(
  value: { readonly length: number },
  least = 0,
  most = Number.POSITIVE_INFINITY,
  unit: string,
): string | undefined {
  if (value.length < least) return `at least ${least} ${unit}`;
  return value.length > most ? `at most ${most} ${unit}` : undefined;
}

function problemInItems(schema: JsonSchema, items: readonly unknown[], field: string): string | undefined {
  const { items: itemSchema } = schema;
  if (itemSchema === undefined) return undefined;
  return firstOf(items, (item, index) => problemIn(itemSchema, item, `${field}[${index}]`));
}

function problemInFields(
  schema: JsonSchema,
  object: Readonly<Record<string, unknown>>,
  field: string,
): string | undefined {
  const path = (name: string) => (field ? `${field}.${name}` : name);
  const missing = schema.required?.find((name) => isAbsent(object[name]));
  if (missing !== undefined) return `${path(missing)}: required`;
  const present = Object.keys(object).filter((name) => !isAbsent(object[name]));
  return firstOf(present, (name) => {
    const fieldSchema = schema.properties?.[name] ?? schema.additionalProperties;
    return fieldSchema && problemIn(fieldSchema, object[name], path(name));
  });
}

function firstOf<T>(items: readonly T[], problem: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = problem(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Go reads null as absent. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
