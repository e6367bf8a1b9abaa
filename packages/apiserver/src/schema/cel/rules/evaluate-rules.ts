import type { FieldCause } from '../../../status/status-error.ts';
import { duplicate, errorText, forbidden, invalid, OMITTED, required } from '../../fields/field-error.ts';
import { child, index, key } from '../../fields/field-path.ts';
import type { Correlation } from '../../object/correlation.ts';
import { MapList } from '../../object/map-list.ts';
import { isObject } from '../../object/node.ts';
import { dataValue } from '../values/data.ts';
import { attempt, EvalError } from '../values/eval-error.ts';
import { Optional } from '../values/optional.ts';
import type { CelValue } from '../values/value.ts';
import type { CompiledRule } from './compile-rules.ts';
import type { Expression } from './expression.ts';
import type { RuleTree } from './rule-tree.ts';

const MAX_MESSAGE_BYTES = 5 * 1024;

/** What stood at a place before an update, for tolerating rules that were broken already. */
export interface History {
  /** Undefined where the place itself has no history. */
  readonly here: Correlation | undefined;
  /** The nearest place above that has one. */
  readonly above: Correlation | undefined;
}

/** What rules have to say. */
export interface RuleReport {
  readonly causes: FieldCause[];
  /** Hears of rules that are broken where nothing has changed. */
  readonly onTolerated?: (problem: string) => void;
}

export const NO_HISTORY: History = { here: undefined, above: undefined };

/** Runs the rules for a value and everything in it. `old` is the value at the same place before, if any. */
export function evaluateRules(
  tree: RuleTree,
  value: unknown,
  old: unknown,
  history: History,
  path = '',
  report: RuleReport = { causes: [] },
): FieldCause[] {
  if (value === null || value === undefined) return report.causes;
  if (tree.rules.length > 0 || tree.problem !== undefined)
    evaluateHere(tree, value, old ?? undefined, history, path, report);
  if (Array.isArray(value)) evaluateItems(tree, value, old, history, path, report);
  else if (isObject(value)) evaluateFields(tree, value, old, history, path, report);
  return report.causes;
}

function evaluateItems(
  { items, node }: RuleTree,
  list: readonly unknown[],
  old: unknown,
  history: History,
  path: string,
  report: RuleReport,
): void {
  if (!items) return;
  const oldItems = new MapList(node, Array.isArray(old) ? old : []);
  for (const [at, item] of list.entries()) {
    const below = history.here ? { here: history.here.index(at), above: history.here } : history;
    evaluateRules(items, item, oldItems.find(item), below, index(path, at), report);
  }
}

function evaluateFields(
  { additional, properties }: RuleTree,
  fields: Record<string, unknown>,
  old: unknown,
  history: History,
  path: string,
  report: RuleReport,
): void {
  const oldFields = isObject(old) ? old : {};
  const evaluate = (tree: RuleTree, name: string, at: string) => {
    const oldValue = Object.hasOwn(oldFields, name) ? oldFields[name] : undefined;
    evaluateRules(tree, fields[name], oldValue, historyOf(history, name), at, report);
  };
  if (additional) for (const name of Object.keys(fields)) evaluate(additional, name, key(path, name));
  for (const [name, property] of properties) {
    if (Object.hasOwn(fields, name)) evaluate(property, name, child(path, name));
  }
}

function historyOf(history: History, name: string): History {
  if (!history.here) return history;
  // Old and new object have the same type now, whatever it was before.
  if (!history.above && (name === 'apiVersion' || name === 'kind')) return NO_HISTORY;
  return { here: history.here.key(name), above: history.here };
}

function evaluateHere(
  { node, rules, problem }: RuleTree,
  value: unknown,
  old: unknown,
  history: History,
  path: string,
  report: RuleReport,
): void {
  if (problem !== undefined) {
    report.causes.push(invalid(path, node.type, `rule compiler initialization error: ${problem}`));
    return;
  }
  const self = attempt(() => dataValue(value, node));
  const oldSelf = old === undefined ? undefined : attempt(() => dataValue(old, node));
  const place: Place = { self, oldSelf, value, type: node.type, history, path };
  for (const rule of rules) {
    const cause = evaluateRule(rule, place, report.onTolerated);
    if (cause) report.causes.push(cause);
  }
}

interface Place {
  readonly self: CelValue | EvalError;
  readonly oldSelf: CelValue | EvalError | undefined;
  readonly value: unknown;
  readonly type: string;
  readonly history: History;
  readonly path: string;
}

function evaluateRule(
  compiled: CompiledRule,
  place: Place,
  onTolerated: RuleReport['onTolerated'],
): FieldCause | undefined {
  const { source, rule } = compiled;
  if (!rule) return undefined;
  if ('problem' in rule) return invalid(place.path, place.type, `rule compile error: ${rule.problem}`);
  const isOptional = source.optionalOldSelf === true;
  if (rule.usesOldSelf && place.oldSelf === undefined && !isOptional) return undefined;

  const verdict = run(rule, place, isOptional);
  if (verdict === true) return undefined;
  if (verdict instanceof EvalError) return failure(verdict.message, compiled, place);
  if (rule.usesOldSelf || !isTolerated(place.history)) return violation(compiled, place);
  onTolerated?.(errorText(violation(compiled, place)));
  return undefined;
}

function run(expression: Expression, { self, oldSelf }: Place, isOptional: boolean): CelValue | EvalError {
  const optional = () => (oldSelf === undefined ? Optional.none : Optional.of(oldSelf));
  const old = isOptional ? optional() : oldSelf;
  return attempt(() => expression.run(self, old));
}

const isTolerated = ({ here, above }: History) => (here ?? above)?.unchanged === true;

function failure(problem: string, { source }: CompiledRule, { path, type }: Place): FieldCause {
  const named = (source.message || source.rule).trim();
  const said = problem.startsWith('no such overload')
    ? `'${problem}': call arguments did not match a supported operator, function or macro signature for rule: ${named}`
    : `${problem} evaluating rule: ${named}`;
  return invalid(path, type, said);
}

function violation(compiled: CompiledRule, place: Place): FieldCause {
  const { source, fieldPath } = compiled;
  const path = fieldPath === '' ? place.path : child(place.path, fieldPath);
  const detail = computedMessage(compiled, place) ?? fixedMessage(compiled);
  const value = place.type === 'object' || place.type === 'array' ? OMITTED : place.value;
  switch (source.reason) {
    case 'FieldValueForbidden':
      return forbidden(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return duplicate(path, value);
    default:
      return invalid(path, value, detail);
  }
}

const fixedMessage = ({ source }: CompiledRule) =>
  source.message ? source.message.trim() : `failed rule: ${source.rule.trim()}`;

/** What a message expression says; one that fails, or says nothing usable, is as if it were not there. */
function computedMessage({ message }: CompiledRule, place: Place): string | undefined {
  if (!message || 'problem' in message) return undefined;
  const said = run(message, place, false);
  if (typeof said !== 'string') return undefined;
  const trimmed = said.trim();
  const isUsable = trimmed !== '' && !trimmed.includes('\n') && Buffer.byteLength(trimmed) <= MAX_MESSAGE_BYTES;
  return isUsable ? trimmed : undefined;
}
