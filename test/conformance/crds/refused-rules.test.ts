import { expect } from 'vitest';
import { crds, definition, objectOf, specOf } from '../definition.ts';
import { type Causes, expectRefusal, invalid, type Refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const group = 'refused.conf.example';
const string = { type: 'string' };
const list = (items: object, more: object) => specOf({ list: { type: 'array', items, ...more } });

/** Everything that is wrong with the definition. */
const causes = (found: Causes) =>
  invalid({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, `wrongs.${group}`, found);

const rule = (validation: object, type: object = { type: 'integer' }) =>
  specOf({ a: { ...type, 'x-kubernetes-validations': [validation] } });

/** Definitions by what is wrong with their CEL rules. */
const rules: readonly (readonly [title: string, sent: object, refusal: Refusal])[] = [
  [
    'a rule that is no condition',
    rule({ rule: 'self + 1' }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[0].rule',
        'FieldValueInvalid',
        'Invalid value: {"Rule":"self + 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool',
      ],
    ]),
  ],
  [
    'an empty rule',
    rule({ rule: '' }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[0].rule',
        'FieldValueRequired',
        'Required value: rule is not specified',
      ],
    ]),
  ],
  [
    'a message over several lines',
    rule({ rule: 'self > 1', message: 'a\nb' }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[0].message',
        'FieldValueInvalid',
        'Invalid value: "a\\nb": must not contain line breaks',
      ],
    ]),
  ],
  [
    'a blank message',
    rule({ rule: 'self > 1', message: ' ' }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[0].message',
        'FieldValueInvalid',
        'Invalid value: " ": must be non-empty if specified',
      ],
    ]),
  ],
  [
    'a message expression that is no text',
    rule({ rule: 'self > 1', messageExpression: 'self' }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[0].messageExpression',
        'FieldValueInvalid',
        'Invalid value: {"Rule":"self \\u003e 1","Message":"","MessageExpression":"self","Reason":null,"FieldPath":"","OptionalOldSelf":null}: messageExpression must evaluate to a string',
      ],
    ]),
  ],
  [
    'an unknown reason',
    rule({ rule: 'self > 1', reason: 'Because' }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[0].reason',
        'FieldValueNotSupported',
        'Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      ],
    ]),
  ],
  [
    'a field path that leads nowhere',
    specOf({
      a: { ...objectOf({ b: string }), 'x-kubernetes-validations': [{ rule: 'self.b != ""', fieldPath: '.c' }] },
    }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[0].fieldPath',
        'FieldValueInvalid',
        'Invalid value: ".c": must be a valid path',
      ],
    ]),
  ],
  [
    'optionalOldSelf without oldSelf',
    rule({ rule: 'self > 1', optionalOldSelf: true }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[0].optionalOldSelf',
        'FieldValueInvalid',
        'Invalid value: true: may not be set if oldSelf is not used in rule',
      ],
    ]),
  ],
  [
    'oldSelf where items cannot be told apart',
    list({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] }, {}),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[list].items.x-kubernetes-validations[0].rule',
        'FieldValueInvalid',
        'Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within spec.validation.openAPIV3Schema.properties[spec].properties[list]',
      ],
    ]),
  ],
  [
    'a rule that may take too long',
    list({ type: 'string', 'x-kubernetes-validations': [{ rule: 'self.matches("a.*b.*c")' }] }, {}),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[list].items.x-kubernetes-validations[0].rule',
        'FieldValueForbidden',
        'Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
      ],
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[list].items.x-kubernetes-validations[0].rule',
        'FieldValueForbidden',
        'Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      ],
      [
        'spec.validation.openAPIV3Schema',
        'FieldValueForbidden',
        'Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
      ],
    ]),
  ],
  [
    'a rule about an untyped value',
    specOf({
      a: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-validations': [{ rule: 'self.b == 1' }] },
    }),
    causes([
      [
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations',
        'InternalError',
        'Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
      ],
    ]),
  ],
];

/** Rules that do not compile. What the compiler says about them is its own matter. */
const uncompiled: readonly (readonly [title: string, rule: string])[] = [
  ['does not parse', 'self >'],
  ['uses an unknown name', 'itself.b == ""'],
  ['uses an unknown field', 'self.c == 1'],
  ['compares what cannot be compared', 'self.b == 1'],
  ['calls an unknown function', 'self.b.shout()'],
];

conformance('refused definitions: rules', ({ check }) => {
  for (const [title, schema, expected] of rules) {
    check(`have ${title}`, async ({ admin }) => {
      expectRefusal(await admin.post(`${crds()}?dryRun=All`, definition({ group, kind: 'Wrong', schema })), expected);
    });
  }

  for (const [title, text] of uncompiled) {
    check(`have a rule that ${title}`, async ({ admin }) => {
      const schema = rule({ rule: text }, objectOf({ b: string }));
      const { status, body } = await admin.post(`${crds()}?dryRun=All`, definition({ group, kind: 'Wrong', schema }));

      const { causes: found } = body.details as {
        causes: readonly { field: string; reason: string; message: string }[];
      };
      expect([status, found.map(({ field, reason }) => [field, reason])]).toEqual([
        422,
        [
          [
            'spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[0].rule',
            'FieldValueInvalid',
          ],
        ],
      ]);
      expect(found[0]?.message).toMatch(/^Invalid value: \{"Rule":.*\}: compilation failed: /);
    });
  }

  const chains: readonly (readonly [title: string, rule: string, problem?: string])[] = [
    ['thousands of conditions', Array.from({ length: 3_000 }, () => 'self > 1').join(' && ')],
    ['a sum of 250', `${Array.from({ length: 250 }, () => '1').join('+')} > 1`],
    ['a sum of 251', `${Array.from({ length: 251 }, () => '1').join('+')} > 1`, 'max recursion depth exceeded'],
    ['249 parentheses', `${'('.repeat(249)}true${')'.repeat(249)}`],
    ['250 parentheses', `${'('.repeat(250)}true${')'.repeat(250)}`, 'expression recursion limit exceeded: 250'],
  ];
  for (const [title, text, problem] of chains) {
    check(`have a rule of ${title}`, async ({ admin }) => {
      const sent = definition({ group, kind: 'Wrong', schema: rule({ rule: text }) });
      const { status, body } = await admin.post(`${crds()}?dryRun=All`, sent);

      const said = problem && `compilation failed: ERROR: <input>:-1:0: ${problem}`;
      expect([status, body.message?.slice(-(said?.length ?? 1))]).toEqual(said ? [422, said] : [201, undefined]);
    });
  }
});
