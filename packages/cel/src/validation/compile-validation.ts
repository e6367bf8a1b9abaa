import { OBJECT_FORMATS } from '../formats/formats.ts';
import { compileSchemaRules, type SchemaRules } from '../rules/schema-rules.ts';
import { Correlation } from '../schema/correlation.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { buildNode, isObject, type Node } from '../schema/node.ts';
import { errorText, type FieldCause, invalid } from './field-error.ts';
import { listTypeProblems } from './list-type-check.ts';
import { ruleCause } from './rule-cause.ts';
import { valueCheck, type ValueRules } from './value-check.ts';
import { type Check, Walk } from './walk.ts';

/** Hears of rules that are broken by a part of the object that has not changed. */
export type OnTolerated = (problem: string) => void;

/** What is wrong with objects, in the words of kube-apiserver: values first, then CEL rules. */
export interface ObjectValidation {
  /** @param old enables transition rules and ratcheting */
  validate(object: object, old?: object, onTolerated?: OnTolerated): readonly FieldCause[];
  /** The same for an update of the status subresource: only the status is held to the schema, rules see everything. */
  validateStatus(object: object, old: object, onTolerated?: OnTolerated): readonly FieldCause[];
}

const OBJECT_RULES: ValueRules = { formats: OBJECT_FORMATS, intOrString: ['integer', 'string'] };

/** Problems after which rules are not run, because they count on values of the right type and size. */
const BLOCKING = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/**
 * Compiles a structural schema that kube-apiserver accepts.
 *
 * @param moreProblems finds what the caller alone can find, such as problems of embedded resources; not asked about the status
 */
export function compileValidation(
  source: JsonSchema,
  moreProblems: (object: object) => readonly FieldCause[] = () => [],
): ObjectValidation {
  const node = buildNode(source);
  const check = valueCheck(source, OBJECT_RULES);
  const statusCheck = source.properties?.['status'] && valueCheck(source.properties['status'], OBJECT_RULES);
  const rules = compileSchemaRules(source);

  const withRules = (
    causes: readonly FieldCause[],
    object: object,
    old: object | undefined,
    onTolerated: OnTolerated | undefined,
  ) => [...causes, ...(rules ? ruleProblems(rules, causes, object, old, onTolerated) : [])];

  return {
    validate: (object, old, onTolerated) => {
      const causes = [
        ...valueProblems(check, object, old && new Correlation(node, object, old)),
        ...moreProblems(object),
        ...newDuplicates(node, object, old),
      ];
      return withRules(causes, object, old, onTolerated);
    },
    validateStatus: (object, old, onTolerated) => {
      const causes = [...statusProblems(statusCheck, node, object, old), ...newDuplicates(node, object, old)];
      return withRules(causes, object, old, onTolerated);
    },
  };
}

/** An unchanged part of an object may break rules that came later; only if there are problems is history looked at. */
function valueProblems(check: Check, value: unknown, history: Correlation | undefined): readonly FieldCause[] {
  const walk = new Walk();
  walk.visit(value, check);
  if (walk.causes.length === 0 || !history) return walk.causes;
  const tolerant = new Walk(history);
  tolerant.visit(value, check);
  return tolerant.causes;
}

/** The status is checked as an object of its own; messages name fields within it, fields are named from the root. */
function statusProblems(check: Check | undefined, node: Node, object: object, old: object): FieldCause[] {
  if (!check || !isObject(object) || !Object.hasOwn(object, 'status')) return [];
  const history = new Correlation(node, object, old).key('status');
  return valueProblems(check, object['status'], history).map((cause) => ({
    ...cause,
    field: cause.field === '<nil>' ? 'status' : `status.${cause.field}`,
  }));
}

/** Duplicates are tolerated when there were some before. */
function newDuplicates(node: Node, object: object, old: object | undefined): FieldCause[] {
  const found = listTypeProblems(object, node);
  if (found.length === 0 || !old) return found;
  return listTypeProblems(old, node).length > 0 ? [] : found;
}

function ruleProblems(
  rules: SchemaRules,
  causes: readonly FieldCause[],
  object: object,
  old: object | undefined,
  onTolerated: OnTolerated | undefined,
): FieldCause[] {
  if (causes.some(({ reason }) => BLOCKING.has(reason))) return [invalid('', null, NOT_CHECKED)];
  const failures = old
    ? rules.checkUpdate(object, old, (failure) => onTolerated?.(errorText(ruleCause(failure))))
    : rules.check(object);
  return failures.map(ruleCause);
}
