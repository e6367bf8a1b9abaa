import type { RuleProblem } from './rule-problem.ts';

/** The most that one rule, and all rules of a schema together, may cost. */
const RULE_LIMIT = 10_000_000;
const SCHEMA_LIMIT = 100_000_000;

/** Adds up what the rules of a schema cost. */
export class CostLedger {
  readonly #isRuleLimited: boolean;
  #total = 0;
  #expensive: { readonly path: string; readonly cost: number }[] = [];

  /** @param isRuleLimited whether single rules are held to their limit; not so for a schema that is in use already */
  constructor(isRuleLimited: boolean) {
    this.#isRuleLimited = isRuleLimited;
  }

  /** Notes the cost of an expression, and says when it is too much. */
  note(path: string, cost: number, what: string): RuleProblem[] {
    this.#total += cost;
    if (cost >= SCHEMA_LIMIT / 100) {
      this.#expensive = [...this.#expensive, { path, cost }].sort((a, b) => b.cost - a.cost).slice(0, 4);
    }
    return this.#isRuleLimited && cost > RULE_LIMIT ? [forbidden(path, excess(what, cost / RULE_LIMIT))] : [];
  }

  /** What there is to say about all rules together. */
  verdict(path: string): RuleProblem[] {
    if (this.#total <= SCHEMA_LIMIT) return [];
    const contributed = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const all = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map((rule) => forbidden(rule.path, contributed)),
      forbidden(path, excess(all, this.#total / SCHEMA_LIMIT)),
    ];
  }
}

function excess(what: string, factor: number): string {
  const shown = factor > 100 ? 'more than 100' : factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1);
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${shown}x (${advice})`;
}

const forbidden = (path: string, message: string): RuleProblem => ({ path, reason: 'FieldValueForbidden', message });
