import { type CustomResourceDefinition, serviceDescriptionAnnotations } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { exampleOf } from './example-of.ts';
import { serviceOf } from './service-of.ts';

function definition(spec: object, rules: readonly string[] = []): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'databases.example.org' },
    spec: {
      group: 'example.org',
      names: { plural: 'databases', kind: 'Database' },
      scope: 'Namespaced',
      versions: [
        { name: 'v1alpha1', served: true, storage: false },
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: 'A database.',
              properties: {
                spec: {
                  type: 'object',
                  ...spec,
                  'x-kubernetes-validations': rules.map((rule) => ({ rule, message: 'no' })),
                },
              },
            },
          },
        },
      ],
    },
  };
}

describe('a service, as its CRD describes it', () => {
  it('has its kind, stored version and description', () => {
    expect(serviceOf(definition({}))).toMatchObject({
      api: 'databases.example.org',
      kind: 'Database',
      apiVersion: 'example.org/v1',
      namespaced: true,
      description: 'A database.',
      plans: [],
      parameters: [],
    });
  });

  it('has the plans that an enumeration lists', () => {
    const crd = definition({ properties: { plan: { type: 'string', enum: ['nano', 'big'] } } });

    expect(serviceOf(crd).plans).toEqual([{ name: 'nano' }, { name: 'big' }]);
  });

  it('has the plans and services that rules list', () => {
    const crd = definition({ properties: { plan: { type: 'string' }, service: { type: 'string' } } }, [
      "self.service == 'a' ? self.plan in ['nano', 'small'] : self.plan in [\"big\", 'small']",
      'self.?service.orValue("") in ["a", "b"]',
      'self.?plan.orValue("") in ["", "small"]',
      'self.size in ["not a plan"]',
    ]);

    expect(serviceOf(crd)).toMatchObject({
      plans: [{ name: 'nano' }, { name: 'small' }, { name: 'big' }],
      services: ['a', 'b'],
    });
  });

  it('is told about by its provider', () => {
    const description = {
      displayName: 'Database',
      description: 'A database.',
      documentation: 'https://example.org/database',
      versions: [{ name: 'db2' }],
      plans: [{ name: 'nano', cost: '2 EUR', limits: { memory: '1Gi' } }],
      example: { plan: 'nano' },
    };
    const { metadata, ...crd } = definition({ properties: { plan: { type: 'string', enum: ['old', 'nano'] } } });
    const told = { ...crd, metadata: { ...metadata, annotations: serviceDescriptionAnnotations(description) } };
    const { versions: _, ...rest } = description;
    expect(serviceOf(told)).toMatchObject({ ...rest, services: ['db2'] });
    expect(exampleOf(serviceOf(told))).toEqual({
      apiVersion: 'example.org/v1',
      kind: 'Database',
      metadata: { name: 'my-database' },
      spec: { plan: 'nano' },
    });
  });

  it('takes a rule of the field itself', () => {
    const plan = { type: 'string', 'x-kubernetes-validations': [{ rule: "self in ['one']", message: 'no' }] };

    expect(serviceOf(definition({ properties: { plan, other: { type: 'string' } } })).parameters).toMatchObject([
      { path: 'plan', values: ['one'] },
      { path: 'other', values: undefined },
    ]);
  });

  it('leaves out what Crossplane keeps in claims', () => {
    const name = { type: 'object', properties: { name: { type: 'string' } } };
    const properties = {
      resourceRef: name,
      compositionRevisionRef: name,
      compositionRef: name,
      size: { type: 'integer' },
    };
    expect(serviceOf(definition({ properties })).parameters.map(({ path }) => path)).toEqual([
      'compositionRef.name',
      'size',
    ]);
  });

  it('has parameters with type, default and whether they are required, also of inner objects', () => {
    const crd = definition({
      required: ['plan'],
      properties: {
        plan: { type: 'string', description: 'Its size.' },
        backup: { type: 'object', required: ['days'], properties: { days: { type: 'integer', default: 7 } } },
        tags: { type: 'array', items: { type: 'string' } },
        port: { 'x-kubernetes-int-or-string': true },
      },
    });

    expect(
      serviceOf(crd).parameters.map(({ path, type, required, default: preset }) => [path, type, required, preset]),
    ).toEqual([
      ['plan', 'string', true, undefined],
      ['backup.days', 'integer', true, 7],
      ['tags', 'list of string', false, undefined],
      ['port', 'integer or string', false, undefined],
    ]);
  });
});

describe('an example of a service', () => {
  it('sets what is required, and nothing else', () => {
    const crd = definition({
      required: ['plan', 'size', 'name'],
      properties: {
        plan: { type: 'string', enum: ['nano', 'big'] },
        size: { type: 'integer' },
        name: { type: 'string' },
        extra: { type: 'string' },
        backup: { type: 'object', required: ['days'], properties: { days: { type: 'integer', default: 7 } } },
      },
    });

    expect(exampleOf(serviceOf(crd), 'default')).toEqual({
      apiVersion: 'example.org/v1',
      kind: 'Database',
      metadata: { name: 'my-database', namespace: 'default' },
      spec: { plan: 'nano', size: 1, name: '…', backup: { days: 7 } },
    });
  });
});
