import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '@klutch/cel';
import { builtInResources } from '../kinds/index.ts';
import { allVerbs, type ServedResource } from '../registry/served-resource.ts';
import { openApiDocument } from './document.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

interface Operation {
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
  readonly 'x-kubernetes-group-version-kind': object;
  readonly 'x-kubernetes-action': string;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The document as clients read it. */
function documentOf(resources: readonly ServedResource[]): Document {
  return JSON.parse(JSON.stringify(openApiDocument(resources))) as Document;
}

const inGroup = (group: string) => builtInResources.filter((served) => served.group === group);
const core = documentOf(inGroup(''));
const apps = documentOf(inGroup('apps'));

function custom(schema: JsonSchema | undefined, more: Partial<ServedResource> = {}): ServedResource {
  return {
    group: 'example.org',
    version: 'v1',
    resource: 'widgets',
    kind: 'Widget',
    listKind: 'WidgetList',
    namespaced: true,
    verbs: allVerbs,
    hasStatus: false,
    builtIn: false,
    schema: schema && { source: schema },
    ...more,
  } as unknown as ServedResource;
}

/** Finds the schema of a kind, as kubectl does. */
function schemaFor({ components }: Document, group: string, version: string, kind: string): Schema {
  const wanted = JSON.stringify([{ group, kind, version }]);
  const found = Object.values(components.schemas).find(
    (schema) => JSON.stringify(schema['x-kubernetes-group-version-kind']) === wanted,
  );
  if (!found) throw new Error(`no schema of ${kind}`);
  return found;
}

function resolve({ components }: Document, schema: Schema | undefined): Schema {
  const target = schema?.allOf?.[0] ?? schema;
  const name = target?.$ref?.replace('#/components/schemas/', '');
  return (name === undefined ? target : components.schemas[name]) ?? {};
}

/** Follows fields, items of lists included. */
function at(document: Document, root: Schema, path: string): Schema {
  return path.split('.').reduce((schema, name) => {
    const object = resolve(document, schema.items ?? schema);
    return object.properties?.[name] ?? {};
  }, root);
}

describe('the document of built-in kinds', () => {
  const deployment = schemaFor(apps, 'apps', 'v1', 'Deployment');

  it('has all schemas that it refers to', () => {
    for (const document of [
      core,
      apps,
      documentOf(inGroup('apiextensions.k8s.io')),
      documentOf(inGroup('rbac.authorization.k8s.io')),
    ]) {
      const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
        ([, name]) => name ?? '',
      );
      const missing = references.filter((name) => !(name in document.components.schemas));

      expect(references.length).toBeGreaterThan(0);
      expect(missing).toEqual([]);
    }
  });

  it('has types of fields, and those that must be there', () => {
    expect(at(apps, deployment, 'metadata.labels')).toEqual({
      type: 'object',
      additionalProperties: { type: 'string', default: '' },
    });
    expect(resolve(apps, at(apps, deployment, 'spec')).required).toEqual(['selector', 'template']);
  });

  it('tells kubectl how lists are patched', () => {
    expect(at(apps, deployment, 'spec.template.spec.containers')).toMatchObject({
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    });
    expect(at(apps, deployment, 'spec.template.spec.containers.ports')).toMatchObject({
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
      'x-kubernetes-patch-merge-key': 'containerPort',
    });
    expect(at(apps, deployment, 'spec.strategy')).toMatchObject({ 'x-kubernetes-patch-strategy': 'retainKeys' });
    expect(at(apps, deployment, 'metadata.finalizers')).toMatchObject({ 'x-kubernetes-patch-strategy': 'merge' });
  });

  it('keeps what is said about a field out of the type that others share', () => {
    const strategy = apps.components.schemas['io.k8s.api.apps.v1.DeploymentStrategy'];

    expect(strategy).toBeDefined();
    expect(strategy).not.toHaveProperty('x-kubernetes-patch-strategy');
  });

  it('knows values that are numbers or texts', () => {
    expect(resolve(apps, at(apps, deployment, 'spec.strategy.rollingUpdate.maxSurge'))).toMatchObject({
      oneOf: [{ type: 'integer' }, { type: 'string' }],
    });
    const limits = at(apps, deployment, 'spec.template.spec.containers.resources.limits');
    expect(resolve(apps, limits.additionalProperties as Schema)).toMatchObject({
      oneOf: [{ type: 'string' }, { type: 'number' }],
    });
  });

  it('lets schemas contain schemas', () => {
    const document = documentOf(inGroup('apiextensions.k8s.io'));
    const crd = schemaFor(document, 'apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
    const schema = at(document, crd, 'spec.versions.schema.openAPIV3Schema');
    const inner = resolve(document, at(document, schema, 'properties').additionalProperties as Schema);

    expect(resolve(document, schema)).toBe(inner);
    expect(inner.properties).toHaveProperty('x-kubernetes-validations');
  });

  it('offers strategic merge patches', () => {
    const { patch } = apps.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'] ?? {};

    expect(patch?.['x-kubernetes-group-version-kind']).toEqual({ group: 'apps', version: 'v1', kind: 'Deployment' });
    expect(Object.keys(patch?.requestBody?.content ?? {})).toContain('application/strategic-merge-patch+json');
  });

  it('has the paths of namespaced and cluster-wide kinds', () => {
    const deployments = Object.keys(apps.paths).filter((path) => path.includes('/deployments'));
    expect(deployments.sort()).toEqual([
      '/apis/apps/v1/deployments',
      '/apis/apps/v1/namespaces/{namespace}/deployments',
      '/apis/apps/v1/namespaces/{namespace}/deployments/{name}',
      '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale',
      '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/status',
    ]);
    expect(core.paths).toHaveProperty(['/api/v1/namespaces/{name}']);
    expect(core.paths).toHaveProperty(['/api/v1/namespaces/{namespace}/secrets/{name}']);
  });

  it('lets reviews be created and nothing else', () => {
    const { paths } = documentOf(inGroup('authorization.k8s.io'));

    expect(Object.keys(paths)).toContain(
      '/apis/authorization.k8s.io/v1/namespaces/{namespace}/localsubjectaccessreviews',
    );
    expect(Object.values(paths).map((item) => Object.keys(item).filter((key) => key !== 'parameters'))).toEqual([
      ['post'],
      ['post'],
      ['post'],
      ['post'],
    ]);
  });
});

describe('the document of custom resources', () => {
  const schema: JsonSchema = {
    type: 'object',
    description: 'A widget.',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        title: 'not a component',
        properties: {
          port: { 'x-kubernetes-int-or-string': true },
          parts: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } },
          inner: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
          either: {
            anyOf: [{ required: ['a'] }],
            oneOf: [{ required: ['b'] }],
            allOf: [{ required: ['c'] }],
            not: { required: ['d'] },
          },
          open: { type: 'object', additionalProperties: true },
        },
      },
    },
  };
  const document = documentOf([
    custom(schema, { hasStatus: true, scale: { specReplicasPath: '.a', statusReplicasPath: '.b' } }),
  ]);
  const widget = schemaFor(document, 'example.org', 'v1', 'Widget');

  it('names schemas as Kubernetes does', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['org.example.v1.Widget', 'org.example.v1.WidgetList', 'io.k8s.api.autoscaling.v1.Scale']),
    );
  });

  it('has the schema in one piece, with what every object has', () => {
    expect(widget).toMatchObject({ type: 'object', description: 'A widget.', required: ['spec'] });
    expect(Object.keys(widget.properties ?? {})).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(at(document, widget, 'spec.parts.n')).toEqual({ type: 'integer' });
    expect(at(document, widget, 'spec.either')).toEqual({
      anyOf: [{ required: ['a'] }],
      oneOf: [{ required: ['b'] }],
      allOf: [{ required: ['c'] }],
      not: { required: ['d'] },
    });
    expect(at(document, widget, 'spec.open')).toEqual({ type: 'object', additionalProperties: true });
  });

  it('spells out what an integer or text is', () => {
    expect(at(document, widget, 'spec.port')).toEqual({
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
    });
  });

  it('describes objects within objects', () => {
    expect(Object.keys(at(document, widget, 'spec.inner').properties ?? {})).toEqual([
      'apiVersion',
      'kind',
      'metadata',
    ]);
  });

  it.each(['', '/status', '/scale'])('lets kubectl see that fields are validated at %j', (part) => {
    const { patch } = document.paths[`/apis/example.org/v1/namespaces/{namespace}/widgets/{name}${part}`] ?? {};

    expect(patch?.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['dryRun', 'fieldManager', 'fieldValidation', 'force']),
    );
  });

  it('offers no strategic merge patches', () => {
    const { patch } = document.paths['/apis/example.org/v1/namespaces/{namespace}/widgets/{name}'] ?? {};

    expect(Object.keys(patch?.requestBody?.content ?? {})).toEqual([
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
    ]);
  });

  it('takes anything for an object without a schema', () => {
    const open = schemaFor(documentOf([custom(undefined)]), 'example.org', 'v1', 'Widget');

    expect(open).toMatchObject({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
  });

  it('lists cluster-wide kinds at one path', () => {
    const { paths } = documentOf([custom(undefined, { namespaced: false })]);

    expect(Object.keys(paths)).toEqual(['/apis/example.org/v1/widgets', '/apis/example.org/v1/widgets/{name}']);
  });
});
