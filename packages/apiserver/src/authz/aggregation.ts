import { deepEqual } from '@klutch/cel';
import { labelSelectorFrom } from '../select/label-selector.ts';
import type { ClusterRole, PolicyRule } from './rbac-objects.ts';

/**
 * The rules a cluster role collects from others, each once: by its selectors in their order, then by the names of the
 * selected roles. Undefined when the role does not collect any.
 */
export function aggregatedRules(role: ClusterRole, all: Iterable<ClusterRole>): PolicyRule[] | undefined {
  if (role.aggregationRule === undefined) return undefined;
  const others = [...all].filter(({ metadata }) => metadata.name !== role.metadata.name).sort(byName);
  const collected: PolicyRule[] = [];
  for (const object of role.aggregationRule.clusterRoleSelectors ?? []) {
    const selector = labelSelectorFrom(object);
    const rules = others
      .filter(({ metadata }) => selector.matches(metadata.labels))
      .flatMap((other) => other.rules ?? []);
    for (const rule of rules) if (!collected.some((known) => deepEqual(known, rule))) collected.push(rule);
  }
  return collected;
}

/**
 * Cluster roles whose rules are not what they collect, with the rules they should have. One round may make another one
 * necessary, as roles collect from roles that collect. Kubernetes applies the rules server-side under a manager of its
 * own, so that a role which finds nothing to collect keeps rules that somebody else wrote.
 */
export function staleAggregations(all: readonly ClusterRole[]): { role: ClusterRole; rules: PolicyRule[] }[] {
  return all.flatMap((role) => {
    const rules = aggregatedRules(role, all);
    return rules === undefined || deepEqual(rules, role.rules ?? []) ? [] : [{ role, rules }];
  });
}

function byName(left: ClusterRole, right: ClusterRole): number {
  const [one = '', other = ''] = [left.metadata.name, right.metadata.name];
  return one < other ? -1 : Number(one > other);
}
