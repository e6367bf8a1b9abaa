import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../model/catalogue.ts';
import { preview } from './preview.ts';

const size = { type: 'string', string: { type: 'Regexp', regexp: { match: '[a-z]+$' } } };
const table = (values: JsonObject) => ({ type: 'map', map: values });

function composition(
  patches: readonly JsonObject[],
  base: JsonObject = { kind: 'Thing', spec: { expose: 'LoadBalancer' } },
): JsonObject {
  return pipeline([{ name: 'thing', base, patches }]);
}

function pipeline(resources: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  const input = { apiVersion: 'pt.fn.crossplane.io/v1beta1', kind: 'Resources', resources, ...more };
  const step = { step: 'patch-and-transform', functionRef: { name: 'function-patch-and-transform' }, input };
  return { kind: 'Composition', spec: { mode: 'Pipeline', pipeline: [step] } };
}

function claim(spec: JsonObject): JsonObject {
  return {
    apiVersion: 'anynines.com/v1',
    kind: 'PostgresqlInstance',
    metadata: { name: 'db', namespace: 'team' },
    spec,
  };
}

describe('what a Composition makes of a claim', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['a field', { fromFieldPath: 'spec.plan', toFieldPath: 'spec.planName' }, { plan: 'p' }, { planName: 'p' }],
    ['the same path', { type: 'FromCompositeFieldPath', fromFieldPath: 'spec.plan' }, { plan: 'p' }, { plan: 'p' }],
    ['a field that is not set', { fromFieldPath: 'spec.plan', toFieldPath: 'spec.planName' }, {}, {}],
    ['a field of the base', { fromFieldPath: 'spec.expose' }, { expose: 'Internal' }, { expose: 'Internal' }],
    [
      'a label of the claim',
      { fromFieldPath: 'metadata.labels[crossplane.io/claim-name]', toFieldPath: 'spec.name' },
      {},
      { name: 'db' },
    ],
    [
      'the last word of the plan',
      { fromFieldPath: 'spec.plan', toFieldPath: 'spec.resources.cpu', transforms: [size, table({ nano: '2' })] },
      { plan: 'postgresql-single-nano' },
      { resources: { cpu: '2' } },
    ],
    [
      'the first segment of the plan',
      {
        fromFieldPath: 'spec.plan',
        toFieldPath: 'spec.replicas',
        transforms: [
          { type: 'string', string: { type: 'Regexp', regexp: { match: '-.*?-' } } },
          table({ '-single-': '1', '-replica-': '3' }),
          { type: 'convert', convert: { toType: 'int' } },
        ],
      },
      { plan: 'postgresql-replica-big' },
      { replicas: 3 },
    ],
    [
      'the version without its prefix',
      {
        fromFieldPath: 'spec.service',
        toFieldPath: 'spec.version',
        transforms: [
          { type: 'string', string: { type: 'TrimPrefix', trim: 'a9s-postgresql' } },
          { type: 'convert', convert: { toType: 'int' } },
        ],
      },
      { service: 'a9s-postgresql14' },
      { version: 14 },
    ],
    [
      'lower case',
      {
        fromFieldPath: 'spec.level',
        transforms: [{ type: 'string', string: { type: 'Convert', convert: 'ToLower' } }],
      },
      { level: 'DEBUG' },
      { level: 'debug' },
    ],
    [
      'a name made of a name',
      {
        fromFieldPath: 'spec.type',
        toFieldPath: 'spec.config',
        transforms: [{ type: 'string', string: { type: 'Format', fmt: '%s-service-broker' } }],
      },
      { type: '$&' },
      { config: '$&-service-broker' },
    ],
    [
      'a literal among patterns',
      {
        fromFieldPath: 'spec.plan',
        toFieldPath: 'spec.size',
        transforms: [
          { type: 'match', match: { patterns: [{ type: 'literal', literal: 'a', result: 1 }], fallbackTo: 'Input' } },
        ],
      },
      { plan: 'b' },
      { size: 'b' },
    ],
    [
      'what comes back to the composite',
      { type: 'ToCompositeFieldPath', fromFieldPath: 'status.state', toFieldPath: 'status.managed.state' },
      {},
      {},
    ],
  ])('has %s', (_, patch, spec, expected) => {
    const result = preview(composition([patch]), claim(spec));
    expect(result).toEqual({
      is: 'value',
      value: { thing: { kind: 'Thing', spec: { expose: 'LoadBalancer', ...expected } } },
    });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['a map without the value', { fromFieldPath: 'spec.plan', transforms: [table({ nano: 1 })] }, { plan: 'huge' }],
    ['an expression that does not match', { fromFieldPath: 'spec.plan', transforms: [size] }, { plan: 'BIG' }],
    [
      'a text that is no number',
      { fromFieldPath: 'spec.plan', transforms: [{ type: 'convert', convert: { toType: 'int' } }] },
      { plan: 'x' },
    ],
    ['a required field that is not set', { fromFieldPath: 'spec.plan', policy: { fromFieldPath: 'Required' } }, {}],
    ['a path through a text', { fromFieldPath: 'spec.plan.name' }, { plan: 'x' }],
    ['a target below a text', { fromFieldPath: 'spec.plan', toFieldPath: 'kind.name' }, { plan: 'x' }],
  ])('fails by %s', (_, patch, spec) => {
    expect(preview(composition([patch]), claim(spec))).toMatchObject({ is: 'fails' });
  });

  it.each<[string, JsonObject]>([
    ['a patch set', { type: 'PatchSet', patchSetName: 'common' }],
    ['a combination', { type: 'CombineFromComposite', combine: {}, toFieldPath: 'spec.x' }],
    ['the name of the composite', { fromFieldPath: 'metadata.name', toFieldPath: 'spec.x' }],
    ['the status', { fromFieldPath: 'status.x', toFieldPath: 'spec.x' }],
    ['a reference of the engine', { fromFieldPath: 'spec.claimRef.name', toFieldPath: 'spec.x' }],
    ['a label of the engine', { fromFieldPath: 'metadata.labels[crossplane.io/composite]', toFieldPath: 'spec.x' }],
    ['a wildcard', { fromFieldPath: 'spec.plan', toFieldPath: 'spec.items[*].x' }],
    ['a policy of merging', { fromFieldPath: 'spec.plan', policy: { toFieldPath: 'MergeObjects' } }],
    ['an unknown transform', { fromFieldPath: 'spec.plan', transforms: [{ type: 'math', math: {} }] }],
    ['a text transform', { fromFieldPath: 'spec.plan', transforms: [{ type: 'string', string: { type: 'Join' } }] }],
    [
      'an expression of Go only',
      {
        fromFieldPath: 'spec.plan',
        transforms: [{ type: 'string', string: { type: 'Regexp', regexp: { match: '(?i)x' } } }],
      },
    ],
  ])('cannot be told with %s', (_, patch) => {
    expect(preview(composition([patch]), claim({ plan: 'x' }))).toMatchObject({ is: 'unknown' });
  });

  it.each<[string, JsonObject]>([
    [
      'another function',
      { spec: { mode: 'Pipeline', pipeline: [{ functionRef: { name: 'function-kcl' }, input: {} }] } },
    ],
    ['native mode', { spec: { mode: 'Resources', resources: [] } }],
    ['an environment', pipeline([], { environment: {} })],
    ['a template without base', pipeline([{ name: 'x' }])],
  ])('cannot be told of %s', (_, unusual) => {
    expect(preview(unusual, claim({}))).toMatchObject({ is: 'unknown' });
  });

  it('has every object of the Composition', () => {
    const two = pipeline([
      { name: 'a', base: { kind: 'A' } },
      { name: 'b', base: { kind: 'B' } },
    ]);
    expect(preview(two, claim({}))).toEqual({ is: 'value', value: { a: { kind: 'A' }, b: { kind: 'B' } } });
  });

  it('copies whatever the claim has, and changes neither', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).filter((value) => value !== null) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(json, fc.stringMatching(/^[a-z]{1,5}$/), (value, field) => {
        const given = claim({ [field]: value });
        const made = composition([{ fromFieldPath: `spec.${field}`, toFieldPath: `spec.deep[${field}].x` }], {});
        const before = JSON.stringify([given, made]);
        expect(preview(made, given)).toEqual({
          is: 'value',
          value: { thing: { spec: { deep: { [field]: { x: value } } } } },
        });
        expect(JSON.stringify([given, made])).toBe(before);
      }),
    );
  });
});
