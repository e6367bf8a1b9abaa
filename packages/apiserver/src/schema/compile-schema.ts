import {
  buildNode,
  compileSchemaRules,
  Correlation,
  isObject,
  type JsonSchema,
  type Node,
  OBJECT_FORMATS,
  type SchemaRules,
} from '@klutch/cel';
import type { FieldCause } from '../status/status-error.ts';
import { errorText, invalid } from './fields/field-error.ts';
import { ruleCause } from './fields/rule-cause.ts';
import { coerceEmbedded } from './object/coerce-embedded.ts';
import { applyDefaults } from './object/defaults.ts';
import { embeddedProblems } from './object/embedded-check.ts';
import { listTypeProblems } from './object/list-type-check.ts';
import { prune } from './object/prune.ts';
import { UnreadableResource } from './object/unreadable-resource.ts';
import { valueCheck, type ValueRules } from './object/value-check.ts';
import { type Check, Walk } from './object/walk.ts';
import type { CompiledSchema, PruneOptions } from './types.ts';

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

type OnTolerated = Parameters<CompiledSchema['validate']>[2];

/** Compiles a schema that `checkCrdSchema` finds nothing wrong with. */
export function compileSchema(source: JsonSchema): CompiledSchema {
  const node = buildNode(source);
  const resource: Node = { ...node, embedded: true };
  const check = valueCheck(source, OBJECT_RULES);
  const statusCheck = source.properties?.['status'] && valueCheck(source.properties['status'], OBJECT_RULES);
  const rules = compileSchemaRules(source);

  const withRules = (
    causes: readonly FieldCause[],
    object: object,
    old: object | undefined,
    onTolerated: OnTolerated,
  ) => [...causes, ...(rules ? ruleProblems(rules, causes, object, old, onTolerated) : [])];

  return {
    source,
    prune: (object, options) => pruneObject(object, resource, node, options),
    applyDefaults: (object) => applyDefaults(object, node),
    validate: (object, old, onTolerated) => {
      const causes = [
        ...valueProblems(check, object, old && new Correlation(node, object, old)),
        ...embeddedProblems(object, node),
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

function pruneObject(
  object: object,
  resource: Node,
  node: Node,
  { isStored = false }: PruneOptions = {},
): readonly string[] {
  const removed = prune(object, resource, { dropsNulls: true });
  if (!node.anyEmbedded) return removed;
  const { unknown, problem } = coerceEmbedded(object, node, '', isStored);
  if (problem) throw new UnreadableResource(object, errorText(problem));
  return [...removed, ...unknown];
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
  onTolerated: OnTolerated,
): FieldCause[] {
  if (causes.some(({ reason }) => BLOCKING.has(reason))) return [invalid('', null, NOT_CHECKED)];
  const failures = old
    ? rules.checkUpdate(object, old, (failure) => onTolerated?.(errorText(ruleCause(failure))))
    : rules.check(object);
  return failures.map(ruleCause);
}
