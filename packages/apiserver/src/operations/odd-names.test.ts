import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiObject, Json } from '../objects/api-object.ts';
import { compileType } from '../apply/index.ts';
import { compileSchema } from '../schema/index.ts';
import { readJsonPath } from '../table/json-path.ts';
import { fieldAtPath } from '../select/index.ts';
import { apply } from './apply.ts';
import type { World } from './call.ts';
import { create } from './create.ts';
import { patch } from './patch.ts';
import { readScale, writeScale } from './scale.ts';
import { resultObject, testCall, testWorld, thingResource } from './testing/test-world.ts';

const odd = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
const schema = { type: 'object', properties: { spec: anything } };
const resource = thingResource({
  schema: compileSchema(schema),
  scale: { specReplicasPath: '.spec.__proto__.x', statusReplicasPath: '.status.constructor.x' },
  ownership: () => ({
    apiVersion: 'test.example/v1',
    kind: 'Thing',
    subresource: undefined,
    types: new Map([['test.example/v1', compileType(schema)]]),
  }),
});

/** JSON whose objects have odd fields of their own, as `JSON.parse` makes them. */
const oddJson = fc
  .letrec<{ readonly text: string; readonly object: string }>((tie) => ({
    text: fc.oneof({ depthSize: 'small' }, fc.constantFrom('null', '1', '"a"', '[]'), tie('object')),
    object: fc
      .uniqueArray(fc.tuple(fc.constantFrom(...odd, 'x', 'y'), tie('text')), { selector: ([key]) => key, maxLength: 4 })
      .map((fields) => `{${fields.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`),
  }))
  .object.map((text) => JSON.parse(text) as Json);

const steps = fc.array(fc.constantFrom(...odd, 'x', 'y', 'spec', '0', '-'), { minLength: 1, maxLength: 4 });
const pointer = steps.map((names) => `/spec/${names.join('/')}`);
const operation = fc.record({
  op: fc.constantFrom('add', 'remove', 'replace', 'copy', 'move', 'test'),
  path: pointer,
  from: pointer,
  value: oddJson,
});

/** What the prototypes have that every object sees. */
const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype];
const namesOf = () => prototypes.map((prototype) => Reflect.ownKeys(prototype).length);
const clean = namesOf();

afterEach(() => expect(namesOf()).toEqual(clean));

async function worldWith(spec: Json): Promise<World> {
  const world = await testWorld(resource);
  const value = { apiVersion: 'test.example/v1', kind: 'Thing', metadata: { name: 'x' }, spec };
  await create(world, testCall(resource), { value, duplicates: [] });
  return world;
}

const refusalOrNot = (outcome: Promise<unknown>) => outcome.catch((error: { code?: number }) => error.code);

describe('fields that JavaScript knows', () => {
  it('stay fields of the object, whatever merge patch comes', async () => {
    await fc.assert(
      fc.asyncProperty(oddJson, oddJson, async (before, change) => {
        const world = await worldWith(before);
        const spec = { value: { spec: change } as Json, duplicates: [] };
        await patch(world, testCall(resource), 'merge', spec);
        expect(namesOf()).toEqual(clean);
      }),
      { numRuns: 200 },
    );
  });

  it('stay fields of the object, whatever JSON patch comes', async () => {
    await fc.assert(
      fc.asyncProperty(oddJson, fc.array(operation, { minLength: 1, maxLength: 4 }), async (before, operations) => {
        const world = await worldWith(before);
        const outcome = await refusalOrNot(
          patch(world, testCall(resource), 'json', { value: operations, duplicates: [] }),
        );
        if (typeof outcome === 'number') expect(outcome).toBeLessThan(500);
        expect(namesOf()).toEqual(clean);
      }),
      { numRuns: 300 },
    );
  });

  it('stay fields of the object, whatever is applied', async () => {
    await fc.assert(
      fc.asyncProperty(oddJson, oddJson, async (before, spec) => {
        const world = await worldWith(before);
        const value = { apiVersion: 'test.example/v1', kind: 'Thing', metadata: { name: 'x' }, spec } as Json;
        await apply(world, testCall(resource), { value, duplicates: [] }, true);
        expect(namesOf()).toEqual(clean);
      }),
      { numRuns: 200 },
    );
  });

  it.each(['{}', '{"__proto__":{"x":2,"y":3}}'])('are set by a scale of %s', async (spec) => {
    const world = await worldWith(JSON.parse(spec) as Json);
    await writeScale(world, testCall(resource), { spec: { replicas: 7 } });

    expect(readScale(world, testCall(resource))).toMatchObject({ object: { spec: { replicas: 7 } } });
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(namesOf()).toEqual(clean);
  });

  it('get their defaults like others', () => {
    const properties = JSON.parse(
      '{"__proto__":{"type":"string","default":"d"},"toString":{"type":"string"}}',
    ) as object;
    const object = { apiVersion: 'v1', kind: 'A', metadata: {}, spec: {} } as ApiObject;
    compileSchema({
      type: 'object',
      properties: { spec: { type: 'object', properties: properties as never } },
    }).applyDefaults(object);

    expect(JSON.stringify(object['spec'])).toBe('{"__proto__":"d"}');
  });

  it.each(odd)('are absent for columns and selectors where nobody set %s', (name) => {
    expect(readJsonPath({ spec: {} }, `.spec.${name}`)).toEqual([]);
    expect(fieldAtPath(`.spec.${name}`)({ spec: {} } as unknown as ApiObject)).toBe('');
  });
});

describe('the result of a write', () => {
  it('has odd fields as they were sent', async () => {
    const world = await testWorld(resource);
    const text = '{"__proto__":{"x":1},"constructor":{"prototype":{}},"x":1}';
    const value = { apiVersion: 'test.example/v1', kind: 'Thing', metadata: { name: 'x' }, spec: JSON.parse(text) };
    const made = await create(world, testCall(resource), { value, duplicates: [] });

    expect(JSON.stringify(resultObject(made)['spec'])).toBe(text);
  });
});
