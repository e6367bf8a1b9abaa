import { type Causes, expectRefusal, invalid } from '../refusal.ts';
import { conformance } from '../suite.ts';
import { on, policies } from './policies.ts';

const group = 'admissionregistration.k8s.io';
const matchConstraints = { resourceRules: [on(['configmaps'])] };
const validations = [{ expression: 'true' }];

/** Why an expression is refused: where, what, and the marks below it. */
const uncompiled = (source: string, column: number, problem: string) =>
  `Invalid value: ${JSON.stringify(source)}: compilation failed: ERROR: <input>:1:${column}: ${problem}\n | ${source}\n | ${'.'.repeat(column - 1)}^`;

const undeclared = (name: string) => `undeclared reference to '${name}' (in container '')`;

type Row = readonly [title: string, spec: object, causes: Causes];

const validation = (
  one: object,
  field: string,
  message: string,
  reason = 'FieldValueInvalid',
): readonly [object, Causes] => [
  { matchConstraints, validations: [one] },
  [[`spec.validations[0].${field}`, reason, message]],
];

const rule = (one: object, causes: Causes): readonly [object, Causes] => [
  { matchConstraints: { resourceRules: [{ ...on(['configmaps']), ...one }] }, validations },
  causes.map(([field, reason, message]) => [`spec.matchConstraints.resourceRules[0].${field}`, reason, message]),
];

const nothingToDo = 'Required value: validations or auditAnnotations must contain at least one item';

const refusedPolicies: readonly Row[] = [
  [
    'nothing at all',
    {},
    [
      ['spec.matchConstraints', 'FieldValueRequired', 'Required value'],
      ['spec.validations', 'FieldValueRequired', nothingToDo],
      ['spec.auditAnnotations', 'FieldValueRequired', nothingToDo],
    ],
  ],
  [
    'no rules',
    { matchConstraints: {}, validations },
    [['spec.matchConstraints.resourceRules', 'FieldValueRequired', 'Required value']],
  ],
  [
    'an unknown failure policy',
    { matchConstraints, validations, failurePolicy: 'Hope' },
    [['spec.failurePolicy', 'FieldValueNotSupported', 'Unsupported value: "Hope": supported values: "Fail", "Ignore"']],
  ],
  [
    'an empty expression',
    ...validation(
      { expression: ' ' },
      'expression',
      'Required value: expression is not specified',
      'FieldValueRequired',
    ),
  ],
  [
    'an expression that is no CEL',
    ...validation(
      { expression: 'object.' },
      'expression',
      'Invalid value: "object.": compilation failed: ERROR: <input>:1:8: Syntax error: no viable alternative at input \'.\'\n | object.\n | .......^',
    ),
  ],
  [
    'an expression with unknown names',
    ...validation({ expression: 'subject == 1' }, 'expression', uncompiled('subject == 1', 1, undeclared('subject'))),
  ],
  [
    'an expression with variables that are not there',
    ...validation({ expression: 'variables.a' }, 'expression', uncompiled('variables.a', 1, undeclared('variables'))),
  ],
  [
    'an expression with parameters that are not there',
    ...validation({ expression: 'params.a == 1' }, 'expression', uncompiled('params.a == 1', 1, undeclared('params'))),
  ],
  [
    'a field that requests do not have',
    ...validation(
      { expression: "request.uid == ''" },
      'expression',
      uncompiled("request.uid == ''", 8, "undefined field 'uid'"),
    ),
  ],
  [
    'an expression without a truth value',
    ...validation({ expression: "'a'" }, 'expression', `Invalid value: "'a'": must evaluate to bool but got string`),
  ],
  [
    'an expression that may have any value',
    ...validation(
      { expression: 'object.a' },
      'expression',
      'Invalid value: "object.a": must evaluate to bool but got dyn',
    ),
  ],
  [
    'a message that is blank',
    ...validation(
      { expression: 'true', message: ' ' },
      'message',
      'Invalid value: " ": must be non-empty if specified',
    ),
  ],
  [
    'a message of two lines',
    ...validation(
      { expression: 'true', message: 'a\nb' },
      'message',
      'Invalid value: "a\\nb": must not contain line breaks',
    ),
  ],
  [
    'a computed message that is no text',
    ...validation(
      { expression: 'true', messageExpression: '1' },
      'messageExpression',
      'Invalid value: "1": must evaluate to string but got int',
    ),
  ],
  [
    'a computed message that is blank',
    ...validation(
      { expression: 'true', messageExpression: ' ' },
      'messageExpression',
      'Invalid value: " ": must be non-empty if specified',
    ),
  ],
  [
    'a computed message that tells of rights',
    ...validation(
      { expression: 'true', messageExpression: "authorizer.path('/a').check('get').reason()" },
      'messageExpression',
      uncompiled("authorizer.path('/a').check('get').reason()", 1, undeclared('authorizer')),
    ),
  ],
  [
    'an unknown reason',
    ...validation(
      { expression: 'true', reason: 'Unauthorized' },
      'reason',
      'Unsupported value: "Unauthorized": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      'FieldValueNotSupported',
    ),
  ],
  [
    'a variable whose name is no identifier',
    { matchConstraints, validations, variables: [{ name: 'a-b', expression: '1' }] },
    [['spec.variables[0].name', 'FieldValueInvalid', 'Invalid value: "a-b": must be a valid CEL identifier']],
  ],
  [
    'a variable that uses a later one',
    {
      matchConstraints,
      validations,
      variables: [
        { name: 'a', expression: 'variables.b' },
        { name: 'b', expression: '1' },
      ],
    },
    [['spec.variables[0].expression', 'FieldValueInvalid', uncompiled('variables.b', 10, "undefined field 'b'")]],
  ],
  [
    'a condition with variables',
    {
      matchConstraints,
      validations,
      variables: [{ name: 'a', expression: 'true' }],
      matchConditions: [{ name: 'a', expression: 'variables.a' }],
    },
    [
      [
        'spec.matchConditions[0].expression',
        'FieldValueInvalid',
        uncompiled('variables.a', 1, undeclared('variables')),
      ],
    ],
  ],
  [
    'conditions without a name and of the same name',
    {
      matchConstraints,
      validations,
      matchConditions: [
        { name: '', expression: 'true' },
        { name: 'a', expression: 'true' },
        { name: 'a', expression: '' },
      ],
    },
    [
      ['spec.matchConditions[0].name', 'FieldValueRequired', 'Required value'],
      ['spec.matchConditions[2].expression', 'FieldValueRequired', 'Required value'],
      ['spec.matchConditions[2].name', 'FieldValueDuplicate', 'Duplicate value: "a"'],
    ],
  ],
  [
    'an annotation that is a number',
    { matchConstraints, auditAnnotations: [{ key: 'a', valueExpression: '1' }] },
    [
      [
        'spec.auditAnnotations[0].valueExpression',
        'FieldValueInvalid',
        'Invalid value: "1": must evaluate to one of [string null_type] but got int',
      ],
    ],
  ],
  [
    'a kind of parameters that is none',
    { matchConstraints, validations, paramKind: { apiVersion: 'a/b/c', kind: 'A_b' } },
    [
      [
        'spec.paramKind.apiVersion',
        'FieldValueInvalid',
        'Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      ],
      [
        'spec.paramKind.kind',
        'FieldValueInvalid',
        "Invalid value: \"A_b\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
  ],
  [
    'a kind of parameters without version',
    { matchConstraints, validations, paramKind: { apiVersion: 'a/', kind: '' } },
    [
      ['spec.paramKind.apiVersion', 'FieldValueInvalid', 'Invalid value: "a/": version must be specified'],
      ['spec.paramKind.kind', 'FieldValueRequired', 'Required value'],
    ],
  ],
  [
    'an unknown match policy',
    { matchConstraints: { ...matchConstraints, matchPolicy: 'Maybe' }, validations },
    [
      [
        'spec.matchConstraints.matchPolicy',
        'FieldValueNotSupported',
        'Unsupported value: "Maybe": supported values: "Equivalent", "Exact"',
      ],
    ],
  ],
  [
    'a rule without anything',
    { matchConstraints: { resourceRules: [{}] }, validations },
    ['operations', 'apiGroups', 'apiVersions', 'resources'].map(
      (field) => [`spec.matchConstraints.resourceRules[0].${field}`, 'FieldValueRequired', 'Required value'] as const,
    ),
  ],
  [
    'all and others',
    ...rule(
      { operations: ['*', 'CREATE'], apiGroups: ['*', ''], apiVersions: ['*', 'v1'], resources: ['*/*', 'pods'] },
      [
        [
          'operations',
          'FieldValueInvalid',
          'Invalid value: ["*","CREATE"]: if \'*\' is present, must not specify other operations',
        ],
        [
          'apiGroups',
          'FieldValueInvalid',
          'Invalid value: ["*",""]: if \'*\' is present, must not specify other API groups',
        ],
        [
          'apiVersions',
          'FieldValueInvalid',
          'Invalid value: ["*","v1"]: if \'*\' is present, must not specify other API versions',
        ],
        [
          'resources',
          'FieldValueInvalid',
          'Invalid value: ["*/*","pods"]: if \'*/*\' is present, must not specify other resources',
        ],
      ],
    ),
  ],
  [
    'resources that others include',
    ...rule({ resources: ['pods/*', 'pods/log', '*/scale', 'a/scale', ''] }, [
      [
        'resources[1]',
        'FieldValueInvalid',
        'Invalid value: "pods/log": if \'pods/*\' is present, must not specify pods/log',
      ],
      [
        'resources[3]',
        'FieldValueInvalid',
        'Invalid value: "a/scale": if \'*/scale\' is present, must not specify a/scale',
      ],
      ['resources[4]', 'FieldValueRequired', 'Required value'],
    ]),
  ],
  [
    'unknown operations and scopes, and wrong names',
    ...rule({ operations: ['READ'], scope: 'World', resourceNames: ['a/b', 'c', 'c'], apiVersions: [''] }, [
      ['resourceNames[0]', 'FieldValueInvalid', 'Invalid value: "a/b": may not contain \'/\''],
      ['resourceNames[2]', 'FieldValueDuplicate', 'Duplicate value: "c"'],
      [
        'operations[0]',
        'FieldValueNotSupported',
        'Unsupported value: "READ": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
      ],
      ['apiVersions[0]', 'FieldValueRequired', 'Required value'],
      ['scope', 'FieldValueNotSupported', 'Unsupported value: "World": supported values: "*", "Cluster", "Namespaced"'],
    ]),
  ],
];

conformance('policies that are refused', ({ check }) => {
  for (const [title, spec, causes] of refusedPolicies) {
    check(`for ${title}`, async ({ admin }) => {
      const answer = await admin.post(policies(), { metadata: { name: 'conf-refused' }, spec });
      expectRefusal(answer, invalid({ group, kind: 'ValidatingAdmissionPolicy' }, 'conf-refused', causes));
    });
  }
});
