import { expect } from 'vitest';
import { install, objectOf, specOf } from '../definition.ts';
import { inNamespace } from '../paths.ts';
import { type Causes, expectRefusal, invalid } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-rules';
const group = 'rules.conf.example';
const string = { type: 'string', maxLength: 100 };
const strings = { type: 'array', maxItems: 10, items: string };
const validated = (schema: object, ...rules: object[]) => ({ ...schema, 'x-kubernetes-validations': rules });

const properties = {
  plain: validated({ type: 'integer' }, { rule: 'self > 1' }),
  message: validated({ type: 'integer' }, { rule: 'self > 1', message: 'too small' }),
  expression: validated(string, { rule: 'self.size() > 1', messageExpression: '"got " + self', message: 'fallback' }),
  broken: validated(string, { rule: 'self.size() > 1', messageExpression: '["x"][self.size()]', message: 'fallback' }),
  reason: validated({ type: 'integer' }, { rule: 'self > 1', message: 'not allowed', reason: 'FieldValueForbidden' }),
  duplicate: validated({ type: 'integer' }, { rule: 'self > 1', message: 'not twice', reason: 'FieldValueDuplicate' }),
  path: validated(objectOf({ a: string, b: string }), {
    rule: 'self.a == self.b',
    message: 'a and b differ',
    fieldPath: '.b',
    reason: 'FieldValueRequired',
  }),
  optional: validated(objectOf({ a: string, b: string }), {
    rule: '!has(self.a) || has(self.b)',
    message: 'a needs b',
  }),
  several: validated({ type: 'integer' }, { rule: 'self > 1', message: 'one' }, { rule: 'self > 2', message: 'two' }),
  list: validated(strings, { rule: 'self.all(x, x.startsWith("a"))', message: 'all begin with a' }),
  exists: validated(strings, { rule: 'self.exists_one(x, x == "one")', message: 'exactly one' }),
  map: validated(
    { type: 'object', maxProperties: 10, additionalProperties: string },
    { rule: 'self.all(k, k != "bad")', message: 'no bad key' },
  ),
  regex: validated(string, { rule: 'self.matches("^[a-z]+$")', message: 'letters only' }),
  quantity: validated(string, { rule: 'quantity(self).isGreaterThan(quantity("1Gi"))', message: 'more than 1Gi' }),
  url: validated(string, { rule: 'isURL(self) && url(self).getScheme() == "https"', message: 'https only' }),
  ip: validated(string, { rule: 'isIP(self)', message: 'an address' }),
  format: validated(string, { rule: '!format.dns1123Label().validate(self).hasValue()', message: 'a label' }),
  duration: validated(
    { type: 'string', format: 'duration', maxLength: 20 },
    { rule: 'self > duration("1h")', message: 'longer than an hour' },
  ),
  time: validated(
    { type: 'string', format: 'date-time', maxLength: 40 },
    { rule: 'self > timestamp("2020-01-01T00:00:00Z")', message: 'later than 2020' },
  ),
  intOrString: validated(
    { 'x-kubernetes-int-or-string': true },
    { rule: 'type(self) == int ? self > 1 : self == "any"', message: 'a number or any' },
  ),
  escaped: validated(objectOf({ 'a-b': string, namespace: string }), {
    rule: 'self.a__dash__b == self.__namespace__',
    message: 'both alike',
  }),
  overflow: validated({ type: 'integer' }, { rule: '1 / self > 0', message: 'x' }),
  lists: validated(strings, { rule: 'self.isSorted() && self == ["a", "b"].filter(x, true)', message: 'a and b' }),
  strings: validated(string, {
    rule: 'self.lowerAscii().replace("-", "") == "ab" && self.indexOf("-") == 1 && self.charAt(1) == "-"',
    message: 'a and b',
  }),
};

/** Values by field that a rule refuses, and why. */
const wrong: readonly (readonly [field: string, value: unknown, causes: Causes])[] = [
  ['plain', 1, [['spec.plain', 'FieldValueInvalid', 'Invalid value: 1: failed rule: self > 1']]],
  ['message', 1, [['spec.message', 'FieldValueInvalid', 'Invalid value: 1: too small']]],
  ['expression', 'x', [['spec.expression', 'FieldValueInvalid', 'Invalid value: "x": got x']]],
  ['broken', 'x', [['spec.broken', 'FieldValueInvalid', 'Invalid value: "x": fallback']]],
  ['reason', 1, [['spec.reason', 'FieldValueForbidden', 'Forbidden: not allowed']]],
  ['duplicate', 1, [['spec.duplicate', 'FieldValueDuplicate', 'Duplicate value: 1']]],
  ['path', { a: 'x', b: 'y' }, [['spec.path.b', 'FieldValueRequired', 'Required value: a and b differ']]],
  [
    'path',
    { a: 'x' },
    [['spec.path', 'FieldValueInvalid', 'Invalid value: "object": no such key: b evaluating rule: a and b differ']],
  ],
  ['optional', { a: 'x' }, [['spec.optional', 'FieldValueInvalid', 'Invalid value: a needs b']]],
  [
    'several',
    1,
    [
      ['spec.several', 'FieldValueInvalid', 'Invalid value: 1: one'],
      ['spec.several', 'FieldValueInvalid', 'Invalid value: 1: two'],
    ],
  ],
  ['several', 2, [['spec.several', 'FieldValueInvalid', 'Invalid value: 2: two']]],
  ['list', ['a', 'b'], [['spec.list', 'FieldValueInvalid', 'Invalid value: all begin with a']]],
  ['exists', ['one', 'one'], [['spec.exists', 'FieldValueInvalid', 'Invalid value: exactly one']]],
  ['map', { bad: 'x' }, [['spec.map', 'FieldValueInvalid', 'Invalid value: no bad key']]],
  ['regex', 'A', [['spec.regex', 'FieldValueInvalid', 'Invalid value: "A": letters only']]],
  ['quantity', '512Mi', [['spec.quantity', 'FieldValueInvalid', 'Invalid value: "512Mi": more than 1Gi']]],
  [
    'quantity',
    'lots',
    [
      [
        'spec.quantity',
        'FieldValueInvalid',
        'Invalid value: "string": quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\' evaluating rule: more than 1Gi',
      ],
    ],
  ],
  ['url', 'http://x', [['spec.url', 'FieldValueInvalid', 'Invalid value: "http://x": https only']]],
  ['ip', 'x', [['spec.ip', 'FieldValueInvalid', 'Invalid value: "x": an address']]],
  ['format', 'A_b', [['spec.format', 'FieldValueInvalid', 'Invalid value: "A_b": a label']]],
  ['duration', '30m', [['spec.duration', 'FieldValueInvalid', 'Invalid value: "30m": longer than an hour']]],
  [
    'time',
    '2019-01-01T00:00:00Z',
    [['spec.time', 'FieldValueInvalid', 'Invalid value: "2019-01-01T00:00:00Z": later than 2020']],
  ],
  ['intOrString', 1, [['spec.intOrString', 'FieldValueInvalid', 'Invalid value: 1: a number or any']]],
  ['intOrString', 'x', [['spec.intOrString', 'FieldValueInvalid', 'Invalid value: "x": a number or any']]],
  ['escaped', { 'a-b': 'x', namespace: 'y' }, [['spec.escaped', 'FieldValueInvalid', 'Invalid value: both alike']]],
  [
    'overflow',
    0,
    [['spec.overflow', 'FieldValueInvalid', 'Invalid value: "integer": division by zero evaluating rule: x']],
  ],
  ['lists', ['b', 'a'], [['spec.lists', 'FieldValueInvalid', 'Invalid value: a and b']]],
  ['strings', 'a-c', [['spec.strings', 'FieldValueInvalid', 'Invalid value: "a-c": a and b']]],
];

/** Values by field that all rules let through. */
const right: readonly (readonly [field: string, value: unknown])[] = [
  ['plain', 2],
  ['path', { a: 'x', b: 'x' }],
  ['optional', {}],
  ['list', []],
  ['exists', ['one', 'two']],
  ['map', { good: 'x' }],
  ['quantity', '2Gi'],
  ['url', 'https://x/y'],
  ['ip', '::1'],
  ['format', 'a-b'],
  ['duration', '90m'],
  ['time', '2024-05-06T07:08:09.5Z'],
  ['intOrString', 'any'],
  ['escaped', { 'a-b': 'x', namespace: 'x' }],
  ['lists', ['a', 'b']],
  ['strings', 'A-b'],
];

conformance('rules of a custom kind', ({ check, prepare }) => {
  const items = inNamespace(`${group}/v1/ruleds`, namespace);
  const ruled = (spec: object, name = 'refused') => ({
    apiVersion: `${group}/v1`,
    kind: 'Ruled',
    metadata: { name },
    spec,
  });
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    await install(admin, { group, kind: 'Ruled', schema: specOf(properties) });
  });

  for (const [field, value, causes] of wrong) {
    check(`refuse ${field}: ${JSON.stringify(value)}`, async ({ admin }) => {
      const answer = await admin.post(`${items()}?dryRun=All`, ruled({ [field]: value }));

      expectRefusal(answer, invalid({ group, kind: 'Ruled' }, 'refused', causes));
    });
  }

  for (const [field, value] of right) {
    check(`let through ${field}: ${JSON.stringify(value)}`, async ({ admin }) => {
      const { status, body } = await admin.post(`${items()}?dryRun=All`, ruled({ [field]: value }));

      expect([status, body.spec]).toEqual([201, { [field]: value }]);
    });
  }

  check('are not asked about values that the schema refuses', async ({ admin }) => {
    expectRefusal(
      await admin.post(`${items()}?dryRun=All`, ruled({ plain: 'x' })),
      invalid({ group, kind: 'Ruled' }, 'refused', [
        [
          'spec.plain',
          'FieldValueTypeInvalid',
          'Invalid value: "string": spec.plain in body must be of type integer: "string"',
        ],
        [
          '<nil>',
          'FieldValueInvalid',
          'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
        ],
      ]),
    );
  });

  check('may look at name and kind of the object', async ({ admin }) => {
    const schema = {
      ...specOf({ a: string }),
      'x-kubernetes-validations': [
        {
          rule: 'self.metadata.name.startsWith("ok") && self.kind == "Named" && has(self.spec)',
          message: 'name begins with ok',
        },
      ],
    };
    await install(admin, { group, kind: 'Named', schema });
    const nameds = inNamespace(`${group}/v1/nameds`, namespace);
    const named = (name: string) => ({ apiVersion: `${group}/v1`, kind: 'Named', metadata: { name }, spec: {} });

    expectRefusal(
      await admin.post(`${nameds()}?dryRun=All`, named('bad')),
      invalid({ group, kind: 'Named' }, 'bad', [['<nil>', 'FieldValueInvalid', 'Invalid value: name begins with ok']]),
    );
    expect((await admin.post(`${nameds()}?dryRun=All`, named('ok-1'))).status).toBe(201);
  });
});
