import { install, specOf } from '../definition.ts';
import { properties } from './value-schema.ts';
import { inNamespace } from '../paths.ts';
import { type Causes, expectRefusal, invalid, invalidValue, nameRules, type Refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-refused-values';
const group = 'refusedvalues.conf.example';

/** Everything that is wrong with the object. */
const causes = (found: Causes) => invalid({ group, kind: 'Value' }, 'refused', found);

/** Values of fields, and what is wrong with them. */
const wrong: readonly (readonly [field: string, value: unknown, refusal: Refusal])[] = [
  [
    'integer',
    0,
    causes([
      [
        'spec.integer',
        'FieldValueInvalid',
        'Invalid value: 0: spec.integer in body should be greater than or equal to 1',
      ],
    ]),
  ],
  [
    'integer',
    11,
    causes([
      [
        'spec.integer',
        'FieldValueInvalid',
        'Invalid value: 11: spec.integer in body should be less than or equal to 10',
      ],
    ]),
  ],
  [
    'integer',
    1.5,
    causes([
      [
        'spec.integer',
        'FieldValueTypeInvalid',
        'Invalid value: "number": spec.integer in body must be of type integer: "number"',
      ],
    ]),
  ],
  [
    'integer',
    '1',
    causes([
      [
        'spec.integer',
        'FieldValueTypeInvalid',
        'Invalid value: "string": spec.integer in body must be of type integer: "string"',
      ],
    ]),
  ],
  [
    'exclusive',
    0,
    causes([
      ['spec.exclusive', 'FieldValueInvalid', 'Invalid value: 0: spec.exclusive in body should be greater than 0'],
    ]),
  ],
  [
    'exclusive',
    1,
    causes([['spec.exclusive', 'FieldValueInvalid', 'Invalid value: 1: spec.exclusive in body should be less than 1']]),
  ],
  [
    'multiple',
    7,
    causes([
      ['spec.multiple', 'FieldValueInvalid', 'Invalid value: 7: spec.multiple in body should be a multiple of 5'],
    ]),
  ],
  [
    'text',
    'a',
    causes([
      ['spec.text', 'FieldValueInvalid', 'Invalid value: "a": spec.text in body should be at least 2 chars long'],
    ]),
  ],
  ['text', 'abcde', causes([['spec.text', 'FieldValueTooLong', 'Too long: may not be more than 4 bytes']])],
  [
    'text',
    'AB',
    causes([['spec.text', 'FieldValueInvalid', 'Invalid value: "AB": spec.text in body should match \'^[a-z]+$\'']]),
  ],
  [
    'text',
    5,
    causes([
      [
        'spec.text',
        'FieldValueTypeInvalid',
        'Invalid value: "integer": spec.text in body must be of type string: "integer"',
      ],
    ]),
  ],
  [
    'choice',
    'c',
    causes([['spec.choice', 'FieldValueNotSupported', 'Unsupported value: "c": supported values: "a", "b"']]),
  ],
  [
    'flag',
    'true',
    causes([
      [
        'spec.flag',
        'FieldValueTypeInvalid',
        'Invalid value: "string": spec.flag in body must be of type boolean: "string"',
      ],
    ]),
  ],
  [
    'list',
    [],
    causes([['spec.list', 'FieldValueInvalid', 'Invalid value: 0: spec.list in body should have at least 1 items']]),
  ],
  ['list', [1, 2, 3], causes([['spec.list', 'FieldValueTooMany', 'Too many: 3: must have at most 2 items']])],
  [
    'list',
    ['a'],
    causes([
      [
        'spec.list[0]',
        'FieldValueTypeInvalid',
        'Invalid value: "string": spec.list[0] in body must be of type integer: "string"',
      ],
    ]),
  ],
  [
    'list',
    {},
    causes([
      [
        'spec.list',
        'FieldValueTypeInvalid',
        'Invalid value: "object": spec.list in body must be of type array: "object"',
      ],
    ]),
  ],
  ['set', ['a', 'b', 'a'], causes([['spec.set[2]', 'FieldValueDuplicate', 'Duplicate value: "a"']])],
  ['map', [{ k: 'a' }, { k: 'a' }], causes([['spec.map[1]', 'FieldValueDuplicate', 'Duplicate value: {"k":"a"}']])],
  ['map', [{}], causes([['spec.map[0].k', 'FieldValueRequired', 'Required value']])],
  [
    'needs',
    {},
    causes([
      ['spec.needs.a', 'FieldValueRequired', 'Required value'],
      ['spec.needs.b', 'FieldValueRequired', 'Required value'],
    ]),
  ],
  [
    'needs',
    [],
    causes([
      [
        'spec.needs',
        'FieldValueTypeInvalid',
        'Invalid value: "array": spec.needs in body must be of type object: "array"',
      ],
    ]),
  ],
  [
    'sized',
    {},
    causes([
      ['spec.sized', 'FieldValueInvalid', 'Invalid value: 0: spec.sized in body should have at least 1 properties'],
    ]),
  ],
  [
    'sized',
    { a: 1, b: 2, c: 3 },
    causes([['spec.sized', 'FieldValueTooMany', 'Too many: 3: must have at most 2 items']]),
  ],
  [
    'sized',
    { a: 'x' },
    causes([
      [
        'spec.sized.a',
        'FieldValueTypeInvalid',
        'Invalid value: "string": spec.sized.a in body must be of type integer: "string"',
      ],
    ]),
  ],
  [
    'intOrString',
    true,
    causes([
      [
        'spec.intOrString',
        'FieldValueTypeInvalid',
        'Invalid value: "boolean": spec.intOrString in body must be of type integer,string: "boolean"',
      ],
    ]),
  ],
  [
    'either',
    {},
    causes([
      [
        '<nil>',
        'FieldValueInvalid',
        'Invalid value: "": "spec.either" must validate one and only one schema (oneOf). Found none valid',
      ],
      ['spec.either.a', 'FieldValueRequired', 'Required value'],
    ]),
  ],
  [
    'either',
    { a: '1', b: '2' },
    causes([
      [
        '<nil>',
        'FieldValueInvalid',
        'Invalid value: "": "spec.either" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      ],
    ]),
  ],
  [
    'notBoth',
    { a: '1', b: '2' },
    causes([['<nil>', 'FieldValueInvalid', 'Invalid value: "": "spec.notBoth" must not validate the schema (not)']]),
  ],
  [
    'some',
    3,
    causes([
      ['<nil>', 'FieldValueInvalid', 'Invalid value: "": "spec.some" must validate at least one schema (anyOf)'],
      ['spec.some', 'FieldValueInvalid', 'Invalid value: 3: spec.some in body should be less than or equal to 1'],
    ]),
  ],
  [
    'all',
    5,
    causes([
      ['spec.all', 'FieldValueInvalid', 'Invalid value: 5: spec.all in body should be less than or equal to 4'],
      ['<nil>', 'FieldValueInvalid', 'Invalid value: "": "spec.all" must validate all the schemas (allOf)'],
    ]),
  ],
  [
    'date',
    'yesterday',
    causes([
      [
        'spec.date',
        'FieldValueTypeInvalid',
        'Invalid value: "yesterday": spec.date in body must be of type date-time: "yesterday"',
      ],
    ]),
  ],
  [
    'day',
    '2024-13-01',
    causes([
      [
        'spec.day',
        'FieldValueTypeInvalid',
        'Invalid value: "2024-13-01": spec.day in body must be of type date: "2024-13-01"',
      ],
    ]),
  ],
  [
    'uuid',
    'x',
    causes([['spec.uuid', 'FieldValueTypeInvalid', 'Invalid value: "x": spec.uuid in body must be of type uuid: "x"']]),
  ],
  [
    'byte',
    '*',
    causes([['spec.byte', 'FieldValueTypeInvalid', 'Invalid value: "*": spec.byte in body must be of type byte: "*"']]),
  ],
  [
    'email',
    'x',
    causes([
      ['spec.email', 'FieldValueTypeInvalid', 'Invalid value: "x": spec.email in body must be of type email: "x"'],
    ]),
  ],
  [
    'ipv4',
    '300.1.1.1',
    causes([
      [
        'spec.ipv4',
        'FieldValueTypeInvalid',
        'Invalid value: "300.1.1.1": spec.ipv4 in body must be of type ipv4: "300.1.1.1"',
      ],
    ]),
  ],
  [
    'duration',
    'long',
    causes([
      [
        'spec.duration',
        'FieldValueTypeInvalid',
        'Invalid value: "long": spec.duration in body must be of type duration: "long"',
      ],
    ]),
  ],
  [
    'embedded',
    {},
    causes([
      ['spec.embedded.apiVersion', 'FieldValueRequired', 'Required value'],
      ['spec.embedded.kind', 'FieldValueRequired', 'Required value'],
    ]),
  ],
  [
    'embedded',
    { apiVersion: 'a/b/c', kind: 'X' },
    causes([
      [
        'spec.embedded.apiVersion',
        'FieldValueInvalid',
        'Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      ],
    ]),
  ],
  [
    'embedded',
    { apiVersion: 'v1', kind: 'X Y' },
    causes([
      [
        'spec.embedded.kind',
        'FieldValueInvalid',
        invalidValue('X Y', `may have mixed case, but should otherwise match: ${nameRules.dns1035}`),
      ],
    ]),
  ],
];

conformance('refused values of a custom object', ({ check, prepare }) => {
  const items = inNamespace(`${group}/v1/values`, namespace);
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    await install(admin, { group, kind: 'Value', schema: specOf(properties) });
  });

  for (const [field, value, expected] of wrong) {
    check(`refuses ${field}: ${JSON.stringify(value)}`, async ({ admin }) => {
      const sent = {
        apiVersion: `${group}/v1`,
        kind: 'Value',
        metadata: { name: 'refused' },
        spec: { [field]: value },
      };

      expectRefusal(await admin.post(`${items()}?dryRun=All`, sent), expected);
    });
  }
});
