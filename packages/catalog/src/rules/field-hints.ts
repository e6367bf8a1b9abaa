import type { JsonSchema } from '@klutch/cel';
import { allOf } from './sentence.ts';

/** What else the schema says about a field that is refused. */
export function hintAt(schema: JsonSchema, field: string): string {
  const { description } = find(schema, field.split('.')) ?? {};
  return typeof description === 'string' && description !== '' ? ` (${description})` : '';
}

/** Which fields there are beside one that is unknown. */
export function fieldsAt(schema: JsonSchema, field: string): string {
  const above = field.split('.').slice(0, -1);
  const names = Object.keys(find(schema, above)?.properties ?? {});
  const place = above.length === 0 ? 'it' : above.join('.');
  return names.length === 0 ? '' : `: the fields of ${place} are ${allOf(names.toSorted())}`;
}

function find(schema: JsonSchema | undefined, path: readonly string[]): JsonSchema | undefined {
  const [name, ...below] = path;
  if (name === undefined || !schema) return schema;
  const [, property = name, item] = /^(.*?)(\[\d+\])$/.exec(name) ?? [];
  const found = schema.properties?.[property];
  return find(item === undefined ? found : found?.items, below);
}
