import type { ServedResource } from '../registry/served-resource.ts';
import { componentName, LIST_META, refTo, SCALE, SHARED } from './component-name.ts';
import { inlineSchema, objectProperties, type OpenApiSchema } from './open-api-schema.ts';
import { pathsOf } from './operations.ts';
import { publishedComponents } from './published-components.ts';

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

/** Schemas of kinds and their lists, with those they refer to: as Kubernetes publishes them, or as CRDs have them. */
export function componentsOf(resources: readonly ServedResource[]): ReadonlyMap<string, OpenApiSchema> {
  const builtIn = resources
    .filter(({ schemaName }) => schemaName !== undefined)
    .flatMap((served) => kindsOf(served).map((kind) => componentName(served, kind)));
  const scale = resources.some((served) => served.scale) ? [SCALE] : [];
  return new Map([
    ...publishedComponents([...SHARED, ...scale, ...builtIn]),
    ...resources.filter(({ schemaName }) => schemaName === undefined).flatMap(customComponents),
  ]);
}

function kindsOf({ kind, listKind, verbs }: ServedResource): readonly string[] {
  return verbs.includes('list') ? [kind, listKind] : [kind];
}

function customComponents(served: ServedResource): readonly (readonly [string, OpenApiSchema])[] {
  return [
    [componentName(served, served.kind), customSchema(served)],
    [componentName(served, served.listKind), listSchema(served)],
  ];
}

function customSchema(served: ServedResource): OpenApiSchema {
  const { kind, schema } = served;
  const { title: _, ...source } = schema?.source ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const own = inlineSchema(source);
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
