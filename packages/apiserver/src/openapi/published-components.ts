import { type PublishedSchema, publishedType, referenceOf } from '../kinds/index.ts';
import type { OpenApiSchema } from './open-api-schema.ts';

/** Published schemas by name, with all they refer to. */
export function publishedComponents(names: readonly string[]): ReadonlyMap<string, OpenApiSchema> {
  const components = new Map<string, OpenApiSchema>();
  const wanted = new Set(names);
  for (const name of wanted) {
    const { schema } = publishedType(name);
    components.set(name, schema);
    for (const reference of referencesIn(schema)) wanted.add(reference);
  }
  return components;
}

function referencesIn(schema: PublishedSchema): readonly string[] {
  const { items, additionalProperties, properties = {} } = schema;
  const inner = [...Object.values(properties), items, additionalProperties];
  return [referenceOf(schema) ?? [], ...inner.map((one) => (one === undefined ? [] : referencesIn(one)))].flat();
}
