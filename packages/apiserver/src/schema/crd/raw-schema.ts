import type { JsonSchema } from '@klutch/cel';

/** A schema as it was written, with parts of JSON Schema that Kubernetes knows and refuses. */
export interface RawSchema extends JsonSchema {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly additionalItems?: JsonSchema | boolean;
}

/** The schema of items; a list of schemas, which is refused elsewhere, has none. */
export function itemsOf({ items }: JsonSchema): JsonSchema | undefined {
  return Array.isArray(items) ? undefined : items;
}

export const hasItemList = ({ items }: JsonSchema) => Array.isArray(items);

/** What keeps a schema from being read as a structural one at all, here or below; the first such thing. */
export function unreadable(schema: RawSchema): string | undefined {
  const unsupported = unsupportedHere(schema);
  if (unsupported !== undefined) return `OpenAPIV3Schema '${unsupported}' is not supported`;
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (hasItemList(schema)) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  for (const below of schemasBelow(schema)) {
    const problem = unreadable(below);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function unsupportedHere(schema: RawSchema): string | undefined {
  if (schema.id) return 'id';
  if (schema.$schema) return 'schema';
  if (schema.$ref) return '$ref';
  if (isFilled(schema.patternProperties)) return 'patternProperties';
  if (isFilled(schema.dependencies)) return 'dependencies';
  if (schema.additionalItems !== undefined) return 'additionalItems';
  return isFilled(schema.definitions) ? 'definitions' : undefined;
}

export const isFilled = (value: object | undefined) =>
  value !== undefined && value !== null && Object.keys(value).length > 0;

/** Every schema directly within a schema. */
export function schemasBelow(schema: JsonSchema): JsonSchema[] {
  const { additionalProperties, not } = schema;
  const items = itemsOf(schema);
  return [
    ...(not ? [not] : []),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(items ? [items] : []),
    ...Object.values(schema.properties ?? {}),
    ...(typeof additionalProperties === 'object' && additionalProperties !== null ? [additionalProperties] : []),
  ];
}
