import type { ServedResource } from '../registry/served-resource.ts';
import { componentName, refTo } from './component-name.ts';
import { LIST_META, metaSchemas, SCALE, scaleSchema } from './meta-schemas.ts';
import {
  type Components,
  inlineSchema,
  objectProperties,
  type OpenApiSchema,
  structuredSchema,
} from './open-api-schema.ts';
import { pathsOf } from './operations.ts';

/** The OpenAPI v3 document of one group and version: what kubectl explains, validates and patches by. */
export function openApiDocument(resources: readonly ServedResource[]): object {
  const schemas = componentsOf(resources);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(resources.flatMap(pathsOf)),
    components: { schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))) },
  };
}

/** Schemas of kinds and their lists, with those they refer to. */
export function componentsOf(resources: readonly ServedResource[]): Components {
  const components: Components = new Map(metaSchemas());
  for (const served of resources) {
    components.set(componentName(served, served.kind), kindSchema(served, components));
    if (served.verbs.includes('list')) components.set(componentName(served, served.listKind), listSchema(served));
  }
  if (resources.some(({ scale }) => scale)) components.set(SCALE, scaleSchema);
  return components;
}

function kindSchema(served: ServedResource, components: Components): OpenApiSchema {
  const { kind, builtIn, schema } = served;
  const { title: _, ...source } = schema?.source ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const own = builtIn
    ? structuredSchema(source, components, (title) => componentName(served, title))
    : inlineSchema(source);
  const properties = {
    ...objectProperties,
    ...(own['properties'] as object | undefined),
    metadata: objectProperties['metadata'],
  };
  return { type: 'object', ...own, properties, ...kindOf(served, kind) };
}

function listSchema(served: ServedResource): OpenApiSchema {
  const { kind, listKind } = served;
  const { apiVersion, kind: kindProperty } = objectProperties;
  return {
    type: 'object',
    description: `A list of objects of kind ${kind}.`,
    required: ['items'],
    properties: {
      apiVersion,
      kind: kindProperty,
      metadata: { description: 'About the list.', allOf: [refTo(LIST_META)] },
      items: { type: 'array', description: 'The objects.', items: refTo(componentName(served, kind)) },
    },
    ...kindOf(served, listKind),
  };
}

function kindOf({ group, version }: ServedResource, kind: string): OpenApiSchema {
  return { 'x-kubernetes-group-version-kind': [{ group, kind, version }] };
}
