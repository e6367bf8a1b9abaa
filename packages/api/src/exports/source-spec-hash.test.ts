import { describe, expect, it } from 'vitest';
import type { CrdVersion } from '../kinds/custom-resource-definition.ts';
import { exportedApi } from './from-crd.ts';
import { sourceSpecHash } from './source-spec-hash.ts';
import { widgetCrd, widgetVersion } from './widget-crd.ts';

const text = { type: 'string' };

describe('the hash of an exported API', () => {
  it.each([
    ['as first exported', {}, '39AMCssv43W2hI4QDCXFLbuaAjUr3vULRI8zRt'],
    ['after its schema gained a field', { extra: text }, '72oC6LKYSkzQL3S24xwEGaK35rg1HLrxE1TV6U'],
  ])('equals what a Go backend wrote for an API %s', (_, added, hash) => {
    const openAPIV3Schema = {
      // Server and Go write the fields of a schema in different order; only Go's counts.
      properties: {
        status: { 'x-kubernetes-preserve-unknown-fields': true, type: 'object' },
        spec: {
          properties: {
            tags: { items: text, type: 'array' },
            size: { type: 'integer' },
            service: text,
            plan: text,
            params: { additionalProperties: text, type: 'object' },
            ...added,
          },
          type: 'object',
        },
      },
      type: 'object',
    };

    expect(sourceSpecHash(exportedApi(widgetCrd({ versions: [widgetVersion({ schema: { openAPIV3Schema } })] })))).toBe(
      hash,
    );
  });

  it('equals what Go computes for a CRD that uses every part of the language', () => {
    const crd = widgetCrd({
      names: {
        kind: 'Widget',
        plural: 'widgets',
        singular: 'widget',
        listKind: 'WidgetList',
        shortNames: ['w', 'wi'],
        categories: ['all'],
      },
      versions: [richVersion, oldVersion],
    });

    expect(sourceSpecHash(exportedApi(crd))).toBe('65yCbXBRRaJu13CAZ4EpV9jaAOckYoLK5p53Xw');
  });

  it('does not depend on the order of fields', () => {
    const { names, versions, ...rest } = exportedApi(widgetCrd());
    const reversed = Object.fromEntries(Object.entries(names).reverse()) as typeof names;

    expect(sourceSpecHash({ versions, names: reversed, ...rest })).toBe(sourceSpecHash(exportedApi(widgetCrd())));
  });

  it.each<[string, Partial<CrdVersion>]>([
    ['a keyword Go does not know yet', { schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-new': true } } }],
    ['a printer column', { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a' }] }],
    ['a subresource', { subresources: {} }],
    ['deprecation', { deprecated: true }],
  ])('changes with %s', (_, change) => {
    const before = sourceSpecHash(exportedApi(widgetCrd()));
    const after = sourceSpecHash(exportedApi(widgetCrd({ versions: [widgetVersion(change)] })));

    expect(after).not.toBe(before);
  });

  it('takes missing and empty subresources for the same', () => {
    const { subresources: _, ...bare } = widgetVersion();

    const missing = sourceSpecHash(exportedApi(widgetCrd({ versions: [bare] })));
    const empty = sourceSpecHash(exportedApi(widgetCrd({ versions: [{ ...bare, subresources: {} }] })));

    expect(missing).toBe(empty);
  });
});

const richVersion: CrdVersion = {
  name: 'v2',
  served: true,
  storage: true,
  schema: {
    openAPIV3Schema: {
      'x-kubernetes-validations': [
        {
          message: 'a < b & c',
          rule: 'self.spec.a < self.spec.b',
          optionalOldSelf: true,
          reason: 'FieldValueInvalid',
          fieldPath: '.spec',
        },
      ],
      type: 'object',
      description: 'Line\u2028sep <b>&\u0007 é 😀',
      required: ['spec'],
      properties: {
        zeta: { type: 'string', nullable: true, default: null },
        '\ue000': text,
        '😀': text,
        spec: {
          type: 'object',
          default: { b: 1, a: '<x>' },
          additionalProperties: false,
          properties: {
            a: {
              type: 'integer',
              format: 'int32',
              maximum: 1e21,
              minimum: 0,
              exclusiveMinimum: true,
              exclusiveMaximum: false,
              multipleOf: 1e-7,
            },
            b: { type: 'number', minimum: 1.5, maximum: 100, example: { k: [1, 2] } },
            c: {
              type: 'array',
              items: text,
              minItems: 0,
              maxItems: 3,
              uniqueItems: false,
              'x-kubernetes-list-type': 'set',
            },
            d: {
              type: 'object',
              'x-kubernetes-preserve-unknown-fields': false,
              'x-kubernetes-embedded-resource': true,
            },
            e: {
              'x-kubernetes-int-or-string': true,
              anyOf: [{ type: 'integer' }, text],
              not: { enum: ['x', null, 3] },
            },
            f: {
              type: 'object',
              additionalProperties: { type: 'object', properties: {} },
              externalDocs: { url: 'u', description: 'd' },
            },
            g: {
              type: 'array',
              items: {
                type: 'object',
                required: [],
                properties: { name: { type: 'string', minLength: 0, pattern: '^<' } },
              },
              'x-kubernetes-list-map-keys': ['name'],
              'x-kubernetes-list-type': 'map',
            },
            h: {
              type: 'object',
              additionalProperties: true,
              'x-kubernetes-map-type': 'atomic',
              maxProperties: 2,
              title: 'T',
            },
          },
        },
        status: { type: 'object' },
      },
    },
  },
  subresources: {
    scale: { statusReplicasPath: '.status.r', specReplicasPath: '.spec.r', labelSelectorPath: '.s' },
    status: {},
  },
  additionalPrinterColumns: [
    { jsonPath: '.spec.a', name: 'A', type: 'integer', priority: 0, description: 'd' },
    { jsonPath: '.x', name: 'B', type: 'string', priority: 2, format: 'f' },
  ],
};

const oldVersion: CrdVersion = {
  name: 'v1',
  served: true,
  storage: false,
  deprecated: true,
  deprecationWarning: '',
  schema: { openAPIV3Schema: { type: 'object' } },
};
