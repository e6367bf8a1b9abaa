import { childPath, indexPath } from '../schema/field-path.ts';
import { buildNode } from '../schema/node.ts';
import { type CompiledRule, compileRules } from './compile-rules.ts';
import type { CostLedger } from './cost-ledger.ts';
import type { RulePlace } from './rule-place.ts';
import type { RuleProblem } from './rule-problem.ts';

const RULES = 'x-kubernetes-validations';

/** Said of rules about values whose type cannot be told. */
const NO_TYPE = {
  unknown:
    'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
  hidden: 'failed to convert to declType for CEL validation rules',
} as const;

/** Compiles the rules at one place and says what is wrong with them, their cost included. */
export function ruleProblems(place: RulePlace, ledger: CostLedger): RuleProblem[] {
  const { schema, path, typing } = place;
  if (!typing) return [];
  if (typeof typing === 'string') {
    return [{ path: childPath(path, RULES), reason: 'InternalError', message: NO_TYPE[typing] }];
  }
  return compileRules(buildNode(schema), typing).flatMap((compiled, at) => {
    const here = indexPath(childPath(path, RULES), at);
    return [
      ...expressionProblems(compiled, here, place, ledger),
      ...messageProblems(compiled, here, ledger),
      ...oldSelfProblems(compiled, here, place),
    ];
  });
}

function invalid(path: string, value: RuleProblem['value'], message: string): RuleProblem {
  return { path, reason: 'FieldValueInvalid', value, message };
}

function expressionProblems(
  { source, rule, maxOccurrences }: CompiledRule,
  path: string,
  place: RulePlace,
  ledger: CostLedger,
): RuleProblem[] {
  if (!rule) return [];
  const at = childPath(path, 'rule');
  if ('problem' in rule) return [invalid(at, source, rule.problem)];
  return ledger.note(at, place.total(rule.maxCost, maxOccurrences), 'estimated rule cost');
}

function messageProblems({ source, message }: CompiledRule, path: string, ledger: CostLedger): RuleProblem[] {
  if (!message) return [];
  const at = childPath(path, 'messageExpression');
  if ('problem' in message) return [invalid(at, source, message.problem)];
  return ledger.note(at, message.maxCost, 'estimated messageExpression cost');
}

function oldSelfProblems({ source, rule }: CompiledRule, path: string, { uncorrelated }: RulePlace): RuleProblem[] {
  const usesOldSelf = rule !== undefined && !('problem' in rule) && rule.uses.has('oldSelf');
  if (usesOldSelf && uncorrelated !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    return [invalid(childPath(path, 'rule'), source.rule, detail)];
  }
  const { optionalOldSelf } = source;
  if (usesOldSelf || optionalOldSelf === undefined) return [];
  return [
    invalid(childPath(path, 'optionalOldSelf'), optionalOldSelf, 'may not be set if oldSelf is not used in rule'),
  ];
}
