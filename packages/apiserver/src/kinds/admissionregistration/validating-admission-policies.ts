import { ADMISSION_GROUP, fillInMatchResources, type Policy } from '../../admission/policy-objects.ts';
import { policyCauses } from '../../admission/policy-causes.ts';
import { policyStatusCauses } from '../../admission/policy-status-causes.ts';
import { ageColumn, column, nameColumn, type Shown } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { condition } from '../meta/condition.ts';
import { atomicStruct, int64, keyed, list, must, named, ptr, struct, text, value } from '../types/fields.ts';
import { matchResources } from './match-resources.ts';

const paramKind = atomicStruct('ParamKind', 'The kind of the parameters of a policy.', {
  apiVersion: text('Group and version.'),
  kind: text('Kind.'),
});

const validation = struct('Validation', 'A condition that objects must meet.', {
  expression: must(text('CEL that is true for what is allowed.')),
  message: text('What clients are told otherwise.'),
  reason: ptr(named('StatusReason', 'Reason in the Status that clients get.')),
  messageExpression: text('CEL that results in the message.'),
});

const auditAnnotation = struct('AuditAnnotation', 'An annotation of audit events. This server has no audit log.', {
  key: must(text('Key of the annotation.')),
  valueExpression: must(text('CEL that results in its value.')),
});

const matchCondition = struct('MatchCondition', 'A condition that a request must meet to be looked at.', {
  name: must(text('Name of the condition.')),
  expression: must(text('CEL that is true for requests that are meant.')),
});

const variable = atomicStruct('Variable', 'A named expression that others can use.', {
  name: must(text('Name; others write variables.<name>.')),
  expression: must(text('CEL that results in the value.')),
});

const policySpec = struct('ValidatingAdmissionPolicySpec', 'What is allowed.', {
  paramKind: ptr(paramKind, 'Kind of the parameters; none if absent.'),
  matchConstraints: ptr(matchResources, 'Requests that the policy is about.'),
  validations: list(validation, 'Conditions that objects must meet.', { 'x-kubernetes-list-type': 'atomic' }),
  failurePolicy: ptr(named('FailurePolicyType', 'What becomes of requests when the policy fails: Fail or Ignore.')),
  auditAnnotations: list(auditAnnotation, 'Annotations of audit events.', { 'x-kubernetes-list-type': 'atomic' }),
  matchConditions: keyed('name', matchCondition, 'Further conditions that requests must meet to be looked at.'),
  variables: keyed('name', variable, 'Named expressions, in the order in which they may use each other.'),
});

const expressionWarning = struct('ExpressionWarning', 'A doubt about an expression.', {
  fieldRef: must(text('Path of the expression.')),
  warning: must(text('What is doubtful.')),
});

const typeChecking = struct('TypeChecking', 'What the types of expressions tell.', {
  expressionWarnings: list(expressionWarning, 'Doubts about expressions.', { 'x-kubernetes-list-type': 'atomic' }),
});

const policyStatus = struct('ValidatingAdmissionPolicyStatus', 'What was found out about a policy.', {
  observedGeneration: int64('Generation that was looked at.'),
  typeChecking: ptr(typeChecking, 'Outcome of type checking.'),
  conditions: keyed('type', condition, 'Conditions.', ''),
});

export const validatingAdmissionPolicies = defineKind({
  group: ADMISSION_GROUP,
  type: struct('ValidatingAdmissionPolicy', 'Which requests are denied.', {
    spec: value(policySpec, 'The policy.'),
    status: value(policyStatus, 'What was found out about it.'),
  }),
  resource: 'validatingadmissionpolicies',
  namespaced: false,
  categories: ['api-extensions'],
  hasStatus: true,
  columns: [
    nameColumn,
    {
      ...column(
        'Validations',
        'How many validations it has.',
        ({ spec }: Shown<Policy>) => spec?.validations?.length ?? 0,
      ),
      type: 'integer',
    },
    column('ParamKind', 'The kind of its parameters.', ({ spec }: Shown<Policy>) =>
      spec?.paramKind ? `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}` : '<unset>',
    ),
    ageColumn,
  ],
  strategy: {
    unconditionalUpdate: false,
    tracksGeneration: true,
    validateCreate: (object) => policyCauses(object as Policy),
    validateUpdate: (object, old) => policyCauses(object as Policy, old as Policy),
    validateStatusUpdate: (object) => policyStatusCauses(object),
  },
  fillIn: (object) => {
    const { spec } = object as Policy;
    spec.failurePolicy ??= 'Fail';
    fillInMatchResources(spec.matchConstraints);
  },
});
