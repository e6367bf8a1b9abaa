import { type CompiledPolicy, compilePolicy, deepEqual, isReserved, type Validation } from '@klutch/cel';
import { dns1035LabelProblems, dnsSubdomainProblems, qualifiedNameProblems } from '../metadata/name-rules.ts';
import { duplicate, invalid, required, tooMany } from '../schema/fields/field-error.ts';
import { child, index } from '../schema/fields/field-path.ts';
import type { FieldCause } from '../status/status-error.ts';
import { expressionCauses } from './expression-causes.ts';
import { matchCauses, supportedCauses } from './match-causes.ts';
import type { ParamKind, Policy, PolicySpec } from './policy-objects.ts';

/**
 * What is wrong with a policy, its expressions included.
 *
 * @param old state before; its conditions are not looked at again while they stay
 */
export function policyCauses({ metadata, spec }: Policy, old?: Policy): readonly FieldCause[] {
  const { failurePolicy = '', paramKind, matchConstraints } = spec;
  const compiled = compilePolicy(spec);
  const areConditionsSame =
    old !== undefined &&
    deepEqual(spec.paramKind, old.spec.paramKind) &&
    deepEqual(spec.matchConditions, old.spec.matchConditions);
  return [
    ...supportedCauses('spec.failurePolicy', failurePolicy, ['Fail', 'Ignore']),
    ...paramKindCauses(paramKind),
    ...(matchConstraints
      ? matchCauses(matchConstraints, 'spec.matchConstraints')
      : [required('spec.matchConstraints')]),
    ...(matchConstraints && !matchConstraints.resourceRules?.length
      ? [required('spec.matchConstraints.resourceRules')]
      : []),
    ...(areConditionsSame ? [] : conditionCauses(spec, compiled)),
    ...variableCauses(spec, compiled),
    ...validationCauses(spec, compiled),
    ...annotationCauses(metadata.name ?? '', spec, compiled),
  ];
}

function paramKindCauses(kind: ParamKind | undefined): readonly FieldCause[] {
  if (!kind) return [];
  const { apiVersion = '', kind: name = '' } = kind;
  const field = 'spec.paramKind.kind';
  const problems = dns1035LabelProblems(name.toLowerCase());
  const mixed = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
  return [
    ...versionCauses(apiVersion, 'spec.paramKind.apiVersion'),
    ...(name === '' ? [required(field)] : problems.length > 0 ? [invalid(field, name, mixed)] : []),
  ];
}

function versionCauses(apiVersion: string, field: string): readonly FieldCause[] {
  if (apiVersion === '') return [required(field)];
  const parts = apiVersion === '/' ? ['', ''] : apiVersion.split('/');
  if (parts.length > 2) return [invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const [group = '', version = ''] = parts.length === 2 ? parts : ['', apiVersion];
  const joined = (value: string, problems: readonly string[]) =>
    problems.length === 0 ? [] : [invalid(field, value, problems.join(','))];
  return [
    ...(group === '' ? [] : joined(group, dnsSubdomainProblems(group))),
    ...(version === ''
      ? [invalid(field, apiVersion, 'version must be specified')]
      : joined(version, dns1035LabelProblems(version))),
  ];
}

function conditionCauses({ matchConditions = [] }: PolicySpec, compiled: CompiledPolicy): readonly FieldCause[] {
  const field = 'spec.matchConditions';
  const names = matchConditions.map(({ name }) => name);
  return [
    ...(matchConditions.length > 64 ? [tooMany(field, matchConditions.length, 64)] : []),
    ...matchConditions.flatMap(({ name, expression }, at) => {
      const here = index(field, at);
      return [
        ...expressionAt(expression, compiled.matchConditions[at], child(here, 'expression'), ''),
        ...(name === ''
          ? [required(child(here, 'name'))]
          : qualifiedNameProblems(name).map((problem) => invalid(child(here, 'name'), name, problem))),
        ...(name !== '' && names.indexOf(name) < at ? [duplicate(child(here, 'name'), name)] : []),
      ];
    }),
  ];
}

const notSpecified = 'expression is not specified';

function variableCauses({ variables = [] }: PolicySpec, compiled: CompiledPolicy): readonly FieldCause[] {
  return variables.flatMap(({ name, expression }, at) => {
    const here = index('spec.variables', at);
    return [
      ...identifierCauses(name, child(here, 'name')),
      ...expressionAt(expression, compiled.variables[at]?.expression, child(here, 'expression'), notSpecified),
    ];
  });
}

function identifierCauses(name: string, field: string): readonly FieldCause[] {
  if (name.trim() === '') return [required(field, 'name is not specified')];
  const isIdentifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !isReserved(name);
  return isIdentifier ? [] : [invalid(field, name, 'must be a valid CEL identifier')];
}

function validationCauses(spec: PolicySpec, compiled: CompiledPolicy): readonly FieldCause[] {
  const { validations = [], auditAnnotations = [] } = spec;
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    return [required('spec.validations', detail), required('spec.auditAnnotations', detail)];
  }
  return validations.flatMap((validation, at) => {
    const here = index('spec.validations', at);
    const { expression, message } = compiled.validations[at] ?? {};
    return [
      ...expressionAt(validation.expression, expression, child(here, 'expression'), notSpecified),
      ...messageExpressionCauses(validation, message, child(here, 'messageExpression')),
      ...messageCauses(validation, child(here, 'message')),
      ...(validation.reason === undefined
        ? []
        : supportedCauses(child(here, 'reason'), validation.reason, ['Forbidden', 'Invalid', 'RequestEntityTooLarge'])),
    ];
  });
}

type MaybeCompiled = Parameters<typeof expressionCauses>[0] | undefined;

function expressionAt(source: string, compiled: MaybeCompiled, field: string, missing: string): readonly FieldCause[] {
  if (source.trim() === '') return [required(field, missing)];
  return compiled ? expressionCauses(compiled, field) : [];
}

const emptyMessage = 'must be non-empty if specified';

function messageExpressionCauses(
  { messageExpression = '' }: Validation,
  compiled: MaybeCompiled,
  field: string,
): readonly FieldCause[] {
  if (messageExpression === '') return [];
  if (messageExpression.trim() === '') return [invalid(field, messageExpression, emptyMessage)];
  return compiled ? expressionCauses(compiled, field) : [];
}

function messageCauses({ message = '' }: Validation, field: string): readonly FieldCause[] {
  if (message === '') return [];
  if (message.trim() === '') return [invalid(field, message, emptyMessage)];
  return /[\n\r]/.test(message.trim()) ? [invalid(field, message, 'must not contain line breaks')] : [];
}

const MAX_ANNOTATIONS = 20;
const MAX_VALUE_BYTES = 5 * 1024;

function annotationCauses(
  policy: string,
  { auditAnnotations = [] }: PolicySpec,
  compiled: CompiledPolicy,
): readonly FieldCause[] {
  const field = 'spec.auditAnnotations';
  const keys = auditAnnotations.map(({ key }) => key);
  const tooManyOfThem = `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`;
  return [
    ...(auditAnnotations.length > MAX_ANNOTATIONS ? [invalid(field, auditAnnotations, tooManyOfThem)] : []),
    ...auditAnnotations.flatMap(({ key, valueExpression }, at) => {
      const here = index(field, at);
      const qualified = `${policy}/${key}`;
      return [
        ...qualifiedNameProblems(qualified).map((problem) => invalid(child(here, 'key'), qualified, problem)),
        ...valueCauses(valueExpression, compiled.auditAnnotations[at], child(here, 'valueExpression')),
        ...(keys.indexOf(key) < at ? [duplicate(child(here, 'key'), key)] : []),
      ];
    }),
  ];
}

function valueCauses(source: string, compiled: MaybeCompiled, field: string): readonly FieldCause[] {
  if (Buffer.byteLength(source.trim()) > MAX_VALUE_BYTES)
    return [required(field, `must not exceed ${MAX_VALUE_BYTES} bytes in length`)];
  return expressionAt(source, compiled, field, 'valueExpression is not specified');
}
