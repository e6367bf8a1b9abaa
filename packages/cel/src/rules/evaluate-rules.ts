import type { Expression } from '../expressions/compile.ts';
import { usableMessage } from '../expressions/usable-message.ts';
import { childPath, indexPath, keyPath } from '../schema/field-path.ts';
import type { Correlation } from '../schema/correlation.ts';
import { MapList } from '../schema/map-list.ts';
import { isObject } from '../schema/node.ts';
import { dataValue } from '../values/data.ts';
import { attempt, EvalError } from '../values/eval-error.ts';
import { Optional } from '../values/optional.ts';
import type { CelValue } from '../values/value.ts';
import type { CompiledRule } from './compile-rules.ts';
import type { RuleTree } from './rule-tree.ts';

/** What stood at a place before an update, for tolerating rules that were broken already. */
export interface History {
  /** Undefined where the place itself has no history. */
  readonly here: Correlation | undefined;
  /** The nearest place above that has one. */
  readonly above: Correlation | undefined;
}

/** A rule that refuses a value, or that cannot tell. */
export interface RuleFailure {
  /** The field that is wrong, as field errors write it; empty for the whole object. */
  readonly path: string;
  /** `FieldValueInvalid` unless the rule names another reason that Kubernetes knows. */
  readonly reason: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** What field errors show of the value; undefined where it may be large. */
  readonly value: unknown;
  readonly message: string;
}

/** What rules have to say. */
export interface RuleReport {
  readonly failures: RuleFailure[];
  /** Hears of rules that are broken where nothing has changed. */
  readonly onTolerated?: (failure: RuleFailure) => void;
}

export const NO_HISTORY: History = { here: undefined, above: undefined };

/** Runs the rules for a value and everything in it. `old` is the value at the same place before, if any. */
export function evaluateRules(
  tree: RuleTree,
  value: unknown,
  old: unknown,
  history: History,
  path = '',
  report: RuleReport = { failures: [] },
): RuleFailure[] {
  if (value === null || value === undefined) return report.failures;
  if (tree.rules.length > 0 || tree.problem !== undefined)
    evaluateHere(tree, value, old ?? undefined, history, path, report);
  if (Array.isArray(value)) evaluateItems(tree, value, old, history, path, report);
  else if (isObject(value)) evaluateFields(tree, value, old, history, path, report);
  return report.failures;
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
    evaluateRules(items, item, oldItems.find(item), below, indexPath(path, at), report);
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
  if (additional) for (const name of Object.keys(fields)) evaluate(additional, name, keyPath(path, name));
  for (const [name, property] of properties) {
    if (Object.hasOwn(fields, name)) evaluate(property, name, childPath(path, name));
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
    report.failures.push(cannotTell(path, node.type, `rule compiler initialization error: ${problem}`));
    return;
  }
  const self = attempt(() => dataValue(value, node));
  const oldSelf = old === undefined ? undefined : attempt(() => dataValue(old, node));
  const place: Place = { self, oldSelf, value, type: node.type, history, path };
  for (const rule of rules) {
    const failure = evaluateRule(rule, place, report.onTolerated);
    if (failure) report.failures.push(failure);
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
): RuleFailure | undefined {
  const { source, rule } = compiled;
  if (!rule) return undefined;
  if ('problem' in rule) return cannotTell(place.path, place.type, `rule compile error: ${rule.problem}`);
  const isOptional = source.optionalOldSelf === true;
  const usesOldSelf = rule.uses.has('oldSelf');
  if (usesOldSelf && place.oldSelf === undefined && !isOptional) return undefined;

  const verdict = run(rule, place, isOptional);
  if (verdict === true) return undefined;
  if (verdict instanceof EvalError) return failed(verdict.message, compiled, place);
  if (usesOldSelf || !isTolerated(place.history)) return violation(compiled, place);
  onTolerated?.(violation(compiled, place));
  return undefined;
}

function run(expression: Expression, { self, oldSelf }: Place, isOptional: boolean): CelValue | EvalError {
  const optional = () => (oldSelf === undefined ? Optional.none : Optional.of(oldSelf));
  const old = isOptional ? optional() : oldSelf;
  return expression.run({ self, oldSelf: old });
}

const isTolerated = ({ here, above }: History) => (here ?? above)?.unchanged === true;

function failed(problem: string, { source }: CompiledRule, { path, type }: Place): RuleFailure {
  const named = (source.message || source.rule).trim();
  const said = problem.startsWith('no such overload')
    ? `'${problem}': call arguments did not match a supported operator, function or macro signature for rule: ${named}`
    : `${problem} evaluating rule: ${named}`;
  return cannotTell(path, type, said);
}

/** Instead of the value, Kubernetes shows its type. */
const cannotTell = (path: string, type: string, message: string): RuleFailure => ({
  path,
  reason: 'FieldValueInvalid',
  value: type,
  message,
});

function violation(compiled: CompiledRule, place: Place): RuleFailure {
  const { source, fieldPath } = compiled;
  return {
    path: fieldPath === '' ? place.path : childPath(place.path, fieldPath),
    reason: reasonOf(source),
    value: place.type === 'object' || place.type === 'array' ? undefined : place.value,
    message: computedMessage(compiled, place) ?? fixedMessage(compiled),
  };
}

function reasonOf({ reason }: CompiledRule['source']): RuleFailure['reason'] {
  switch (reason) {
    case 'FieldValueForbidden':
    case 'FieldValueRequired':
    case 'FieldValueDuplicate':
      return reason;
    default:
      return 'FieldValueInvalid';
  }
}

const fixedMessage = ({ source }: CompiledRule) =>
  source.message ? source.message.trim() : `failed rule: ${source.rule.trim()}`;

/** What a message expression says; one that fails, or says nothing usable, is as if it were not there. */
function computedMessage({ message }: CompiledRule, place: Place): string | undefined {
  if (!message || 'problem' in message) return undefined;
  return usableMessage(run(message, place, false));
}
