import type { JsonSchema } from '@klutch/cel';
import { compileType } from '../../apply/index.ts';
import type { ApiObject, Json } from '../../objects/api-object.ts';
import { createRegistry } from '../../registry/registry.ts';
import { allVerbs, type ServedResource } from '../../registry/served-resource.ts';
import { compileSchema } from '../../schema/index.ts';
import { openStore } from '../../storage/index.ts';
import type { Call, ObjectCall, Result, World } from '../call.ts';
import type { Body } from '../decode-object.ts';

const group = 'test.example';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', minimum: 0 },
        color: { type: 'string', default: 'grey' },
        replicas: { type: 'integer' },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' }, replicas: { type: 'integer' } } },
  },
};

/** A kind that is made for tests: `things.test.example`, in namespaces, with status and scale. */
export function thingResource(more: Partial<ServedResource> = {}): ServedResource {
  const apiVersion = `${group}/v1`;
  return {
    group,
    version: 'v1',
    resource: 'things',
    singular: 'thing',
    kind: 'Thing',
    listKind: 'ThingList',
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: allVerbs,
    bucket: `${group}/things`,
    storageApiVersion: apiVersion,
    schema: compileSchema(schema),
    hasStatus: true,
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    columns: [],
    selectableFields: {},
    strategy: { unconditionalUpdate: true, tracksGeneration: true },
    ownership: (subresource) => ({
      apiVersion,
      kind: 'Thing',
      subresource,
      types: new Map([[apiVersion, compileType(schema)]]),
    }),
    builtIn: false,
    ...more,
  };
}

/** A world in memory with the namespace `home`, at a fixed time. */
export async function testWorld(resource: ServedResource = thingResource()): Promise<World> {
  const store = await openStore({});
  await store.commit({
    bucket: '/namespaces',
    key: '/home',
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'home' } },
  });
  return { store, registry: createRegistry([resource]), now: () => new Date('2030-01-02T03:04:05.678Z') };
}

/** A request for `home/x`, and what it was warned of. */
export function testCall(
  resource: ServedResource = thingResource(),
  more: Partial<ObjectCall> = {},
): ObjectCall & { readonly warnings: string[] } {
  const warnings: string[] = [];
  const call: Call & { readonly name: string } = {
    resource,
    namespace: 'home',
    name: 'x',
    user: { name: 'tester', groups: [] },
    dryRun: false,
    fieldManager: 'tester',
    fieldValidation: 'Warn',
    warn: (text) => warnings.push(text),
    ...more,
  };
  return { ...call, warnings };
}

/** A body with a Thing called `x`. */
export function thing(spec: object = {}, metadata: object = {}): Body {
  const value = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'x', ...metadata }, spec };
  return bodyOf(value);
}

export function bodyOf(value: object): Body {
  return { value: JSON.parse(JSON.stringify(value)) as Json, duplicates: [] };
}

/** The object of a result, whether it is stored or not. */
export function resultObject(result: Result): ApiObject {
  return 'entry' in result ? result.entry.object() : (result.object as ApiObject);
}
