import { describe, expect, it } from 'vitest';
import type { Operation, Service } from '../model/catalogue.ts';
import { celOf } from '../rules/cel-of.ts';
import { rulesOf } from '../rules/rules-of.ts';
import { database, field, smallCatalogue } from './catalogue.fixture.ts';
import { definitionOf } from './definitions.ts';

const catalogue = smallCatalogue();
const [, bucket] = catalogue.services as readonly [Service, Service];
const [backup] = catalogue.operations as readonly [Operation];

function specOf(offer: Service | Operation) {
  const schema = definitionOf(offer, catalogue).spec.versions[0]?.schema?.openAPIV3Schema;
  return (schema as { properties: { spec: { required?: string[]; properties: Record<string, object> } } }).properties
    .spec;
}

describe('a definition', () => {
  it('defines the composite and its claim, and which Composition they use', () => {
    expect(definitionOf(database(), catalogue)).toMatchObject({
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'CompositeResourceDefinition',
      metadata: { name: 'xdatabases.example.org' },
      spec: {
        group: 'example.org',
        names: { kind: 'XDatabase', plural: 'xdatabases' },
        claimNames: { kind: 'Database', plural: 'databases' },
        defaultCompositionRef: { name: 'op-database' },
        defaultCompositeDeletePolicy: 'Foreground',
        versions: [
          {
            name: 'v1',
            served: true,
            referenceable: true,
            additionalPrinterColumns: [{ name: 'State', type: 'string', jsonPath: '.status.managed.state' }],
          },
        ],
      },
    });
  });

  it('leaves to the engine what is not said', () => {
    const { spec } = definitionOf(backup, catalogue);

    expect(spec).not.toHaveProperty('defaultCompositeDeletePolicy');
    expect(spec.versions[0]).not.toHaveProperty('additionalPrinterColumns');
  });

  it('has the rules of the offer at its spec', () => {
    expect(specOf(database())).toMatchObject({
      'x-kubernetes-validations': rulesOf(database(), catalogue).map(celOf),
    });
  });

  it('has what is managed as its status, whatever the backend says', () => {
    expect(definitionOf(bucket, catalogue).spec.versions[0]?.schema?.openAPIV3Schema).toMatchObject({
      properties: {
        status: {
          type: 'object',
          properties: { managed: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      },
    });
  });
});

describe('the fields of a definition', () => {
  it('of a service are its version, its plan, its own fields and parameters', () => {
    const { required, properties } = specOf(database());

    expect(required).toEqual(['service', 'plan', 'region']);
    expect(Object.keys(properties)).toEqual(['service', 'plan', 'expose', 'region', 'parameters']);
    expect(properties['parameters']).toMatchObject({
      type: 'object',
      properties: { logLevel: { type: 'string', enum: ['LOG', 'DEBUG'] }, ciphers: { type: 'string' } },
    });
  });

  it('are no version, plan or parameters where a service has none', () => {
    expect(specOf(bucket).properties).toEqual({});
  });

  it('of an operation are its own', () => {
    expect(specOf(backup)).toMatchObject({
      required: ['instanceRef', 'serviceInstanceType'],
      properties: { instanceRef: { type: 'string' }, serviceInstanceType: { enum: ['database'] } },
    });
  });

  it('say what there is to know about them', () => {
    const told = field('told', { schema: { type: 'string', description: 'One thing.' }, note: 'And another.' });

    expect(specOf(database()).properties['region']).toEqual({ type: 'string', description: 'Where it runs.' });
    expect(specOf(database({ fields: [told] })).properties['told']).toEqual({
      type: 'string',
      description: 'One thing. And another.',
    });
  });

  it('say in a sentence which numbers cannot be used', () => {
    const limit = field('limit', {
      schema: { type: 'integer', minimum: -1, not: { enum: [0] }, description: 'More than 0, or -1 for none.' },
    });

    expect(specOf(database({ fields: [limit] })).properties['limit']).toEqual({
      type: 'integer',
      minimum: -1,
      description: 'More than 0, or -1 for none.',
      'x-kubernetes-validations': [
        { rule: '!(self in [0])', message: '0 cannot be used. More than 0, or -1 for none.' },
      ],
    });
  });

  it.each([
    ['short', 63],
    ['x'.repeat(80), 80],
  ])('are limited in length so that rules about them are cheap (plan %s)', (name, maxLength) => {
    const [plan] = database().plans;
    const offer = database({ plans: plan ? [{ ...plan, name }] : [] });

    expect(specOf(offer).properties['plan']).toMatchObject({ type: 'string', maxLength });
  });

  it('are required as a whole when one parameter is', () => {
    const parameters = [field('size', { required: true })];

    expect(specOf(database({ parameters })).required).toEqual(['service', 'plan', 'region', 'parameters']);
  });
});
