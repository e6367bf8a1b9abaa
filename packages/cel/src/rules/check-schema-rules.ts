import type { JsonSchema } from '../schema/json-schema.ts';
import { isSchema } from '../schema/node.ts';
import { CostLedger } from './cost-ledger.ts';
import { RulePlace } from './rule-place.ts';
import type { RuleProblem } from './rule-problem.ts';
import { ruleProblems } from './rule-problems.ts';

/**
 * What kube-apiserver would hold against the rules of a structural schema: they do not compile, cost too much, or want an
 * old value where none can be told.
 *
 * @param path where the schema stands in its definition; default: nowhere
 */
export function checkSchemaRules(schema: JsonSchema, path = ''): RuleProblem[] {
  const ledger = new CostLedger(true);
  const problems = problemsWithin(RulePlace.ofRoot(schema, path), ledger);
  return [...problems, ...ledger.verdict(path)];
}

function problemsWithin(place: RulePlace, ledger: CostLedger): RuleProblem[] {
  const below = placesBelow(place).flatMap((part) => problemsWithin(part, ledger));
  const hasRules = (place.schema['x-kubernetes-validations'] ?? []).length > 0;
  return hasRules ? [...below, ...ruleProblems(place, ledger)] : below;
}

function placesBelow(place: RulePlace): RulePlace[] {
  const { additionalProperties, properties = {}, items } = place.schema;
  return [
    ...(isSchema(additionalProperties) ? [place.entry(additionalProperties)] : []),
    ...Object.entries(properties).map(([name, property]) => place.property(name, property)),
    ...(items ? [place.item(items)] : []),
  ];
}
