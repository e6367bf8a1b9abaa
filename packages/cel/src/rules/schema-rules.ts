import { Correlation } from '../schema/correlation.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { buildNode } from '../schema/node.ts';
import { evaluateRules, NO_HISTORY, type RuleFailure } from './evaluate-rules.ts';
import { buildRuleTree } from './rule-tree.ts';

/** The rules of a schema, ready to judge values. */
export interface SchemaRules {
  /**
   * Every rule that refuses a value or cannot tell.
   *
   * @param old the value before, for transition rules; without it they are not asked
   * @param path what the value is called in failures; default: it is the whole object
   */
  check(value: unknown, old?: unknown, path?: string): readonly RuleFailure[];
  /**
   * The same for an update, as kube-apiserver judges it: what has not changed may break rules that came later.
   *
   * @param onTolerated hears of rules that are broken where nothing has changed
   */
  checkUpdate(value: unknown, old: unknown, onTolerated?: (failure: RuleFailure) => void): readonly RuleFailure[];
}

/**
 * Compiles the `x-kubernetes-validations` of a structural schema; undefined when it has none. A rule that does not
 * compile fails for every value: `checkSchemaRules` finds it without one.
 *
 * @param isResource whether values have `apiVersion`, `kind` and `metadata`, whatever the schema says of these
 */
export function compileSchemaRules(schema: JsonSchema, isResource = true): SchemaRules | undefined {
  const node = buildNode(schema);
  const tree = buildRuleTree(node, isResource);
  if (!tree) return undefined;
  return {
    check: (value, old, path) => evaluateRules(tree, value, old, NO_HISTORY, path),
    checkUpdate: (value, old, onTolerated) => {
      const history = { here: new Correlation(node, value, old), above: undefined };
      return evaluateRules(tree, value, old, history, '', { failures: [], onTolerated });
    },
  };
}
