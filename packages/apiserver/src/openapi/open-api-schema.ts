import type { JsonSchema } from '@klutch/cel';
import { refTo } from './component-name.ts';

/** A schema in an OpenAPI document. */
export type OpenApiSchema = { readonly [keyword: string]: unknown };

/** Schemas that others of a document refer to, by name. */
export type Components = Map<string, OpenApiSchema>;

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

/** Scalars of built-in kinds that come in two types. */
const EITHER: Readonly<Record<string, { readonly name: string; readonly schema: OpenApiSchema }>> = {
  'int-or-string': {
    name: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
    schema: {
      description: 'A number, or a text.',
      format: 'int-or-string',
      oneOf: [{ type: 'integer' }, { type: 'string' }],
    },
  },
  quantity: {
    name: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
    schema: { description: 'An amount such as 500m or 1Gi.', oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
};

/**
 * Schema of a built-in kind: each struct is a component of its own, as clients that patch by these schemas expect.
 *
 * @param nameOf name of the component of a struct
 */
export function structuredSchema(
  schema: JsonSchema,
  components: Components,
  nameOf: (title: string) => string,
): OpenApiSchema {
  const { properties, items, additionalProperties, title, ...rest } = schema;
  const either = EITHER[schema.format ?? ''];
  if (either) {
    components.set(either.name, either.schema);
    return schema.description === undefined
      ? refTo(either.name)
      : { description: schema.description, allOf: [refTo(either.name)] };
  }
  if (title === undefined) {
    return {
      ...rest,
      ...(properties ? { properties: eachProperty(properties, components, nameOf) } : {}),
      ...(items ? { items: structuredSchema(items, components, nameOf) } : {}),
      ...(typeof additionalProperties === 'object'
        ? { additionalProperties: structuredSchema(additionalProperties, components, nameOf) }
        : {}),
    };
  }
  if (title === 'ObjectMeta') return METADATA;
  addComponent(schema, components, nameOf);
  return refTo(nameOf(title));
}

function addComponent(schema: JsonSchema, components: Components, nameOf: (title: string) => string): void {
  const { title = '', properties, ...rest } = schema;
  const name = nameOf(title);
  if (components.has(name)) return;
  // Registered first, since a struct may contain itself.
  const component: { [keyword: string]: unknown } = { ...withoutFieldHints(rest) };
  components.set(name, component);
  if (properties) component['properties'] = eachProperty(properties, components, nameOf);
}

function eachProperty(
  properties: Readonly<Record<string, JsonSchema>>,
  components: Components,
  nameOf: (title: string) => string,
): OpenApiSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, propertySchema(property, components, nameOf)]),
  );
}

/** What is said about the field stays with the field; what is said about its type goes with the type. */
function propertySchema(
  property: JsonSchema,
  components: Components,
  nameOf: (title: string) => string,
): OpenApiSchema {
  if (property.title === undefined) return structuredSchema(property, components, nameOf);
  const { description, 'x-kubernetes-patch-strategy': strategy, ...type } = property;
  return {
    ...(description === undefined ? {} : { description }),
    allOf: [structuredSchema(type, components, nameOf)],
    ...(strategy === undefined ? {} : { 'x-kubernetes-patch-strategy': strategy }),
  };
}

function withoutFieldHints(schema: JsonSchema): JsonSchema {
  const { 'x-kubernetes-patch-strategy': _, ...rest } = schema;
  return rest;
}

export const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

const METADATA: OpenApiSchema = { description: 'Name, labels and so on.', allOf: [refTo(OBJECT_META)] };

/** What every object has besides its own fields. */
export const objectProperties: OpenApiSchema = {
  apiVersion: { type: 'string', description: 'Group and version of the API that the object is written for.' },
  kind: { type: 'string', description: 'What the object is.' },
  metadata: METADATA,
};
