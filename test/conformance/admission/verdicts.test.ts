import { expect } from 'vitest';
import { inNamespace } from '../paths.ts';
import { expectRefusal, type Refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';
import { deniedBy, enforce, type Rule, valid } from './policies.ts';

const namespace = 'conf-policy-verdicts';
const at = inNamespace('v1/configmaps', namespace);

interface Verdict extends Rule {
  readonly data?: object;
  /** Undefined: the object is created. */
  readonly message?: string;
  readonly as?: readonly [reason: string, code: number];
}

const failing = "object.data.missing == 'x'";
const failure = `expression '${failing}' resulted in error: no such key: missing`;

/** By what happens, with the policy of that name. */
const verdicts: Readonly<Record<string, Verdict>> = {
  'admit what is true': { policy: valid("object.data.size == 'small'"), data: { size: 'small' } },
  'name the expression without a message': {
    policy: valid(" object.data.size == 'small' "),
    data: { size: 'large' },
    message: "failed expression: object.data.size == 'small'",
  },
  'tell the message': {
    policy: valid('false', { message: '  not like this ' }),
    message: 'not like this',
  },
  'compute the message': {
    policy: valid('false', { messageExpression: "'no ' + object.data.size", message: 'fixed' }),
    data: { size: 'large' },
    message: 'no large',
  },
  'tell the fixed message when the computed one fails': {
    policy: valid('false', { messageExpression: 'string(object.data.missing)', message: 'fixed' }),
    message: 'fixed',
  },
  'tell the fixed message when the computed one is empty': {
    policy: valid('false', { messageExpression: "'  '", message: 'fixed' }),
    message: 'fixed',
  },
  'tell the fixed message when the computed one has two lines': {
    policy: valid('false', { messageExpression: "'a\\nb'", message: 'fixed' }),
    message: 'fixed',
  },
  'refuse as forbidden': {
    policy: valid('false', { message: 'no', reason: 'Forbidden' }),
    message: 'no',
    as: ['Forbidden', 403],
  },
  'refuse as invalid': { policy: valid('false', { message: 'no', reason: 'Invalid' }), message: 'no' },
  'refuse as too large': {
    policy: valid('false', { message: 'no', reason: 'RequestEntityTooLarge' }),
    message: 'no',
    as: ['RequestEntityTooLarge', 413],
  },
  'refuse with the first of several': {
    policy: { validations: [{ expression: 'true' }, { expression: 'false', message: 'one' }, { expression: 'false' }] },
    message: 'one',
  },
  'refuse when an expression fails': { policy: valid(failing), message: failure },
  'admit when an expression fails and failures are ignored': { policy: { ...valid(failing), failurePolicy: 'Ignore' } },
  'refuse when another is false and failures are ignored': {
    policy: {
      validations: [{ expression: failing }, { expression: 'false', message: 'two' }],
      failurePolicy: 'Ignore',
    },
    message: 'two',
  },
  'refuse when an annotation for the audit log cannot be computed': {
    policy: { auditAnnotations: [{ key: 'a', valueExpression: 'string(object.data.missing)' }] },
    binding: { validationActions: ['Audit'] },
    message: "expression 'string(object.data.missing)' resulted in error: no such key: missing",
  },
  'admit with an annotation for the audit log': {
    policy: { auditAnnotations: [{ key: 'a', valueExpression: "'b'" }] },
    binding: { validationActions: ['Audit'] },
  },
  'admit when failures are only audited': {
    policy: valid('false'),
    binding: { validationActions: ['Audit'] },
  },
  'skip requests for which a condition is false': {
    policy: { ...valid('false'), matchConditions: [{ name: 'never', expression: "request.operation == 'DELETE'" }] },
  },
  'look at requests for which all conditions are true': {
    policy: {
      ...valid('false', { message: 'looked' }),
      matchConditions: [
        { name: 'named', expression: "object.metadata.labels.policy != ''" },
        { name: 'create', expression: "request.operation == 'CREATE'" },
      ],
    },
    message: 'looked',
  },
  'refuse when a condition fails': {
    policy: { ...valid('true'), matchConditions: [{ name: 'fails', expression: failing }] },
    message: failure,
  },
  'refuse with all conditions that fail': {
    policy: {
      ...valid('true'),
      matchConditions: [
        { name: 'one', expression: failing },
        { name: 'two', expression: "object.data.other == 'x'" },
      ],
    },
    message: `[${failure}, expression 'object.data.other == 'x'' resulted in error: no such key: other]`,
  },
  'skip requests when a condition fails and another is false': {
    policy: {
      ...valid('false'),
      matchConditions: [
        { name: 'fails', expression: failing },
        { name: 'never', expression: 'false' },
      ],
    },
  },
  'skip requests when a condition fails and failures are ignored': {
    policy: { ...valid('false'), matchConditions: [{ name: 'fails', expression: failing }], failurePolicy: 'Ignore' },
  },
};

const titles = Object.keys(verdicts);
const named = (title: string) => `conf-verdict-${titles.indexOf(title)}`;

conformance('verdicts of policies', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    const rules = Object.entries(verdicts).map(([title, rule]) => [named(title), rule] as const);
    await enforce(admin, namespace, {
      ...Object.fromEntries(rules),
      'conf-verdict-warns': {
        policy: { validations: [{ expression: 'false', message: 'one' }, { expression: failing }] },
        binding: { validationActions: ['Warn', 'Audit'] },
      },
    });
  });

  for (const [title, { message, as, data = { size: 'any' } }] of Object.entries(verdicts)) {
    check(title, async ({ admin }) => {
      const policy = named(title);
      const answer = await admin.post(at(), { metadata: { name: policy, labels: { policy } }, data });
      if (message === undefined) expect(answer.status).toBe(201);
      else expectRefusal(answer, expected(policy, message, as));
    });
  }

  check('are warnings when the binding says so', async ({ admin }) => {
    const policy = 'conf-verdict-warns';
    const { status, warnings } = await admin.post(at(), { metadata: { name: policy, labels: { policy } }, data: {} });

    const said = `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${policy}'`;
    expect([status, warnings]).toEqual([
      201,
      [`299 - "${said}: one"`, `299 - "${said}: expression '${failing}' resulted in error: no such key: data"`],
    ]);
  });
});

function expected(policy: string, message: string, as?: Verdict['as']): Refusal {
  return deniedBy(policy, 'configmaps', policy, message, as);
}
