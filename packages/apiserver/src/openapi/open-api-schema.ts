import type { JsonSchema } from '@klutch/cel';
import { OBJECT_META, refTo } from './component-name.ts';

/** A schema in an OpenAPI document. */
export type OpenApiSchema = { readonly [keyword: string]: unknown };

const INT_OR_STRING = { anyOf: [{ type: 'integer' }, { type: 'string' }] };

/** Schema of a custom resource: everything is in one piece. */
export function inlineSchema(schema: JsonSchema): OpenApiSchema {
  const { properties, items, additionalProperties, allOf, anyOf, oneOf, not, ...rest } = schema;
  return {
    ...rest,
    ...(schema['x-kubernetes-int-or-string'] === true && !anyOf && !allOf ? INT_OR_STRING : {}),
    ...(properties || schema['x-kubernetes-embedded-resource'] ? { properties: inlineProperties(schema) } : {}),
    ...(items ? { items: inlineSchema(items) } : {}),
    ...(additionalProperties === undefined ? {} : { additionalProperties: inlineAdditional(additionalProperties) }),
    ...(allOf ? { allOf: allOf.map(inlineSchema) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(inlineSchema) } : {}),
    ...(oneOf ? { oneOf: oneOf.map(inlineSchema) } : {}),
    ...(not ? { not: inlineSchema(not) } : {}),
  };
}

function inlineProperties(schema: JsonSchema): OpenApiSchema {
  const own = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => [name, inlineSchema(property)] as const,
  );
  const isObject = schema['x-kubernetes-embedded-resource'] === true;
  return {
    ...(isObject ? objectProperties : {}),
    ...Object.fromEntries(own),
    ...(isObject ? { metadata: METADATA } : {}),
  };
}

function inlineAdditional(schema: JsonSchema | boolean): OpenApiSchema | boolean {
  return typeof schema === 'boolean' ? schema : inlineSchema(schema);
}

const METADATA: OpenApiSchema = { description: 'Name, labels and so on.', allOf: [refTo(OBJECT_META)] };

/** What every object has besides its own fields. */
export const objectProperties: OpenApiSchema = {
  apiVersion: { type: 'string', description: 'Group and version of the API that the object is written for.' },
  kind: { type: 'string', description: 'What the object is.' },
  metadata: METADATA,
};
