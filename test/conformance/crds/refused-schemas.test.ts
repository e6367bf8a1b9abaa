import { expect } from 'vitest';
import { crds, definition, objectOf, specOf } from '../definition.ts';
import { type Causes, expectRefusal, invalid, type Refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const group = 'refused.conf.example';
const string = { type: 'string' };
const list = (items: object, more: object) => specOf({ list: { type: 'array', items, ...more } });

const version = (more: object = {}) => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});
/** Everything that is wrong with the definition. */
const causes = (found: Causes) =>
  invalid({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, `wrongs.${group}`, found);

/** Definitions by what is wrong with their schema. */
const schemas: readonly (readonly [title: string, sent: object | undefined, refusal: Refusal])[] = [
  [
    'no schema',
    undefined,
    causes([['spec.versions[0].schema.openAPIV3Schema', 'FieldValueRequired', 'Required value']]),
  ],
  [
    'a schema without type',
    { properties: { spec: { type: 'object' } } },
    causes([
      ['spec.validation.openAPIV3Schema.type', 'FieldValueRequired', 'Required value: must not be empty at the root'],
    ]),
  ],
  [
    'a schema that is no object',
    { type: 'string' },
    causes([
      [
        'spec.validation.openAPIV3Schema.type',
        'FieldValueInvalid',
        'Invalid value: "string": must be object at the root',
      ],
    ]),
  ],
  [
    'a property without type',
    specOf({ a: { description: 'x' } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].type',
        'FieldValueRequired',
        'Required value: must not be empty for specified object fields',
      ],
    ]),
  ],
  [
    'a type that does not exist',
    specOf({ a: { type: 'word' } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].type',
        'FieldValueNotSupported',
        'Unsupported value: "word": supported values: "array", "boolean", "integer", "number", "object", "string"',
      ],
    ]),
  ],
  [
    'a list without items',
    specOf({ a: { type: 'array' } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].items',
        'FieldValueRequired',
        'Required value: must be specified',
      ],
    ]),
  ],
  [
    'properties beside additionalProperties',
    specOf({ a: { type: 'object', properties: { b: string }, additionalProperties: string } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].additionalProperties',
        'FieldValueForbidden',
        'Forbidden: additionalProperties and properties are mutual exclusive',
      ],
    ]),
  ],
  [
    'a reference',
    specOf({ a: { $ref: '#/definitions/x' } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].$ref',
        'FieldValueForbidden',
        'Forbidden: $ref is not supported',
      ],
    ]),
  ],
  [
    'a type inside anyOf',
    specOf({ a: { type: 'integer', anyOf: [{ type: 'integer' }] } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].anyOf[0].type',
        'FieldValueForbidden',
        'Forbidden: must be empty to be structural',
      ],
    ]),
  ],
  [
    'unique items',
    list(string, { uniqueItems: true }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[list].uniqueItems',
        'FieldValueForbidden',
        'Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ],
    ]),
  ],
  [
    'rules for labels',
    objectOf({ metadata: objectOf({ labels: { type: 'object' } }) }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[metadata]',
        'FieldValueForbidden',
        'Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    ]),
  ],
  [
    'a default of the wrong type',
    specOf({ a: { type: 'integer', default: 'x' } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].default',
        'FieldValueTypeInvalid',
        'Invalid value: "string":  in body must be of type integer: "string"',
      ],
    ]),
  ],
  [
    'a default that breaks its own rules',
    specOf({ a: { type: 'integer', minimum: 5, default: 1 } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].default',
        'FieldValueInvalid',
        'Invalid value: 1:  in body should be greater than or equal to 5',
      ],
    ]),
  ],
  [
    'a default with unknown fields',
    specOf({ a: { ...objectOf({ b: string }), default: { c: 'x' } } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].default',
        'FieldValueInvalid',
        'Invalid value: {"c":"x"}: must not have unknown fields',
      ],
    ]),
  ],
  [
    'a pattern that is no regular expression',
    specOf({ a: { type: 'string', pattern: '(' } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].pattern',
        'FieldValueInvalid',
        'Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
      ],
    ]),
  ],
  [
    'preserve-unknown-fields: false',
    specOf({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-preserve-unknown-fields',
        'FieldValueInvalid',
        'Invalid value: false: must be true or undefined',
      ],
    ]),
  ],
  [
    'an embedded resource without type object',
    specOf({ a: { type: 'string', 'x-kubernetes-embedded-resource': true } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].properties',
        'FieldValueRequired',
        'Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ],
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].type',
        'FieldValueInvalid',
        'Invalid value: "string": must be object if x-kubernetes-embedded-resource is true',
      ],
    ]),
  ],
  [
    'an unknown list type',
    list(string, { 'x-kubernetes-list-type': 'bag' }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[list].x-kubernetes-list-type',
        'FieldValueNotSupported',
        'Unsupported value: "bag": supported values: "atomic", "set", "map"',
      ],
    ]),
  ],
  [
    'a list type of something else',
    specOf({ a: { type: 'string', 'x-kubernetes-list-type': 'set' } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].type',
        'FieldValueInvalid',
        'Invalid value: "string": must be array if x-kubernetes-list-type is specified',
      ],
    ]),
  ],
  [
    'a map list without keys',
    list(objectOf({ a: string }, { required: ['a'] }), { 'x-kubernetes-list-type': 'map' }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[list].x-kubernetes-list-map-keys',
        'FieldValueRequired',
        'Required value: must not be empty if x-kubernetes-list-type is map',
      ],
    ]),
  ],
  [
    'a map list with an unknown key',
    list(objectOf({ a: string }), { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['b'] }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[list].x-kubernetes-list-map-keys',
        'FieldValueInvalid',
        'Invalid value: ["b"]: entries must all be names of item properties',
      ],
    ]),
  ],
  [
    'a map list with an optional key',
    list(objectOf({ a: string }), { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[list].items.properties[a].default',
        'FieldValueRequired',
        'Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ],
    ]),
  ],
  [
    'a map list of scalars',
    list(string, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[list].items.type',
        'FieldValueInvalid',
        'Invalid value: "string": must be object if parent array\'s x-kubernetes-list-type is map',
      ],
    ]),
  ],
  [
    'a set of objects',
    list(objectOf({ a: string }), { 'x-kubernetes-list-type': 'set' }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[list].items.x-kubernetes-map-type',
        'FieldValueInvalid',
        'Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
      ],
    ]),
  ],
  [
    'an unknown map type',
    specOf({ a: { type: 'object', 'x-kubernetes-map-type': 'loose' } }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-map-type',
        'FieldValueNotSupported',
        'Unsupported value: "loose": supported values: "atomic", "granular"',
      ],
    ]),
  ],
];

/** Schemas that look wrong, and are taken. */
const taken: readonly (readonly [title: string, schema: object])[] = [
  [
    'a property that only anyOf knows',
    specOf({ a: { type: 'object', anyOf: [{ properties: { b: { minimum: 1 } } }] } }),
  ],
  ['an int-or-string with a type', specOf({ a: { type: 'integer', 'x-kubernetes-int-or-string': true } })],
  ['additionalProperties: false', specOf({ a: { type: 'object', additionalProperties: false } })],
];

conformance('refused definitions: schemas', ({ check }) => {
  for (const [title, schema, expected] of schemas) {
    check(`have ${title}`, async ({ admin }) => {
      const versions = [version({ schema: schema && { openAPIV3Schema: schema } })];
      expectRefusal(await admin.post(`${crds()}?dryRun=All`, definition({ group, kind: 'Wrong', versions })), expected);
    });
  }

  for (const [title, schema] of taken) {
    check(`do not include those with ${title}`, async ({ admin }) => {
      const { status } = await admin.post(`${crds()}?dryRun=All`, definition({ group, kind: 'Wrong', schema }));

      expect(status).toBe(201);
    });
  }
});
