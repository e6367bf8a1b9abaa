import type { JsonObject, Schema } from '../../model/catalogue.ts';

/** What kind of value a schema describes, for people. */
export function typeWords(schema: Schema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or string';
  if (schema['type'] === 'array') return `list of ${typeWords((schema['items'] ?? {}) as JsonObject)}`;
  return typeof schema['type'] === 'string' ? schema['type'] : 'anything';
}

/** Which values a schema allows, for people; nothing when its type says it all. */
export function limitWords(schema: Schema): string {
  const { enum: values, minimum, maximum, pattern, not, items, properties } = schema;
  return [
    ...(Array.isArray(values) ? [values.map(code).join(', ')] : []),
    ...(minimum === undefined ? [] : [`at least ${code(minimum)}`]),
    ...(maximum === undefined ? [] : [`at most ${code(maximum)}`]),
    ...(pattern === undefined ? [] : [`matches ${code(pattern)}`]),
    ...excluded(not),
    ...(isObject(items) ? [limitWords(items)] : []),
    ...(isObject(properties) ? Object.entries(properties).map(([name, inner]) => innerWords(name, inner)) : []),
    ...ruleWords(schema),
  ]
    .filter((words) => words !== '')
    .join('; ');
}

function excluded(not: unknown): readonly string[] {
  const values = isObject(not) ? not['enum'] : undefined;
  return Array.isArray(values) ? [`not ${values.map(code).join(', ')}`] : [];
}

function innerWords(name: string, schema: unknown): string {
  if (!isObject(schema)) return '';
  const words = limitWords(schema);
  return `${code(name)}: ${typeWords(schema)}${words === '' ? '' : ` (${words})`}`;
}

function ruleWords(schema: Schema): readonly string[] {
  const rules = schema['x-kubernetes-validations'];
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown) =>
    isObject(rule) && typeof rule['message'] === 'string' ? [rule['message']] : [],
  );
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
