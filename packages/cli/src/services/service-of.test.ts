import type { CustomResourceDefinition } from '@klutch/api';
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

    expect(serviceOf(crd).plans).toEqual(['nano', 'big']);
  });

  it('has the plans and services that rules list', () => {
    const crd = definition({ properties: { plan: { type: 'string' }, service: { type: 'string' } } }, [
      "self.service == 'a' ? self.plan in ['nano', 'small'] : self.plan in [\"big\", 'small']",
      "self.service in ['a', 'b']",
      'self.size in ["not a plan"]',
    ]);

    expect(serviceOf(crd)).toMatchObject({ plans: ['nano', 'small', 'big'], services: ['a', 'b'] });
  });

  it('takes a rule of the field itself', () => {
    const plan = { type: 'string', 'x-kubernetes-validations': [{ rule: "self in ['one']", message: 'no' }] };

    expect(serviceOf(definition({ properties: { plan, other: { type: 'string' } } })).parameters).toMatchObject([
      { path: 'plan', values: ['one'] },
      { path: 'other', values: undefined },
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

    expect(exampleOf(serviceOf(crd))).toEqual({
      apiVersion: 'example.org/v1',
      kind: 'Database',
      metadata: { name: 'my-database', namespace: 'default' },
      spec: { plan: 'nano', size: 1, name: '…', backup: { days: 7 } },
    });
  });
});
