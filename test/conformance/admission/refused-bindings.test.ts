import { type Causes, expectRefusal, invalid } from '../refusal.ts';
import { conformance } from '../suite.ts';
import { bindings } from './policies.ts';

const group = 'admissionregistration.k8s.io';

type Row = readonly [title: string, spec: object, causes: Causes];

const policyName = 'conf-refused';
const validationActions = ['Deny'];

const refusedBindings: readonly Row[] = [
  [
    'nothing at all',
    {},
    [
      ['spec.policyName', 'FieldValueRequired', 'Required value'],
      ['spec.validationActions', 'FieldValueRequired', 'Required value: at least one validation action is required'],
    ],
  ],
  [
    'actions that are unknown, double or do not go together',
    { policyName, validationActions: ['Deny', 'Warn', 'Shout', 'Shout'] },
    [
      [
        'spec.validationActions[2]',
        'FieldValueNotSupported',
        'Unsupported value: "Shout": supported values: "Audit", "Deny", "Warn"',
      ],
      [
        'spec.validationActions[3]',
        'FieldValueNotSupported',
        'Unsupported value: "Shout": supported values: "Audit", "Deny", "Warn"',
      ],
      ['spec.validationActions[3]', 'FieldValueDuplicate', 'Duplicate value: "Shout"'],
      [
        'spec.validationActions',
        'FieldValueInvalid',
        'Invalid value: ["Deny","Warn","Shout","Shout"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
    ],
  ],
  [
    'parameters without anything',
    { policyName, validationActions, paramRef: {} },
    [
      ['spec.paramRef', 'FieldValueRequired', 'Required value: one of name or selector must be specified'],
      ['spec.paramRef.parameterNotFoundAction', 'FieldValueRequired', 'Required value'],
    ],
  ],
  [
    'parameters by name and by labels',
    {
      policyName,
      validationActions,
      paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Maybe' },
    },
    [
      ['spec.paramRef.name', 'FieldValueForbidden', 'Forbidden: name and selector are mutually exclusive'],
      ['spec.paramRef.selector', 'FieldValueForbidden', 'Forbidden: name and selector are mutually exclusive'],
      [
        'spec.paramRef.parameterNotFoundAction',
        'FieldValueNotSupported',
        'Unsupported value: "Maybe": supported values: "Deny", "Allow"',
      ],
    ],
  ],
  [
    'a selector that is wrong',
    {
      policyName,
      validationActions,
      matchResources: { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
    },
    [
      [
        'spec.matchResources.objectSelector.matchExpressions[0].operator',
        'FieldValueInvalid',
        'Invalid value: "Is": not a valid selector operator',
      ],
    ],
  ],
];

conformance('bindings of policies that are refused', ({ check }) => {
  for (const [title, spec, causes] of refusedBindings) {
    check(`for ${title}`, async ({ admin }) => {
      const answer = await admin.post(bindings(), { metadata: { name: 'conf-refused' }, spec });
      expectRefusal(answer, invalid({ group, kind: 'ValidatingAdmissionPolicyBinding' }, 'conf-refused', causes));
    });
  }
});
