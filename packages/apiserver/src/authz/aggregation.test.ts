import { describe, expect, it } from 'vitest';

import { aggregatedRules, staleAggregations } from './aggregation.ts';
import { BOOTSTRAP_POLICY } from './bootstrap/policy.ts';
import type { ClusterRole, PolicyRule } from './rbac-objects.ts';
import { readRecording } from './testing/recording.ts';

const recorded = readRecording<{ role: ClusterRole; collected?: PolicyRule[] }>(
  new URL('./recorded/aggregation.jsonl', import.meta.url),
);
const all = recorded.map(({ role }) => role);
const named = (roles: readonly ClusterRole[], name: string) =>
  roles.find(({ metadata }) => metadata.name === name) as ClusterRole;

/** Writes what is stale until nothing is, as the server does. */
function settle(roles: readonly ClusterRole[]): { roles: readonly ClusterRole[]; rounds: number } {
  let current = roles;
  for (let rounds = 0; ; rounds++) {
    const stale = staleAggregations(current);
    if (stale.length === 0) return { roles: current, rounds };
    current = current.map((role) => {
      const found = stale.find((change) => change.role === role);
      return found === undefined ? role : { ...role, rules: found.rules };
    });
  }
}

describe('a role that collects rules', () => {
  it('has the rules kube-controller-manager gives it', () => {
    const total = recorded.find(({ role }) => role.metadata.name === 'agg-total');
    expect(aggregatedRules(named(all, 'agg-total'), all)).toEqual(total?.collected);
  });

  it('does not depend on the order in which roles are listed', () => {
    const role = named(all, 'agg-total');
    expect(aggregatedRules(role, all.toReversed())).toEqual(aggregatedRules(role, all));
  });

  it('collects nothing when no role has the labels', () => {
    expect(aggregatedRules(named(all, 'agg-empty'), all)).toEqual([]);
  });

  it('is not one without an aggregation rule', () => {
    expect(aggregatedRules(named(all, 'agg-a'), all)).toBeUndefined();
  });

  it('is stale until it has its rules', () => {
    const stale = staleAggregations(all).map(({ role }) => role.metadata.name);
    expect(stale).toEqual(['agg-total', 'agg-empty']);
    expect(staleAggregations(settle(all).roles)).toEqual([]);
  });
});

describe('admin, edit and view', () => {
  it('end with the rules they have in a real cluster, as they collect from each other', () => {
    const real = readRecording<ClusterRole>(new URL('./recorded/bootstrap.jsonl', import.meta.url));
    const { roles, rounds } = settle(BOOTSTRAP_POLICY.clusterRoles);
    for (const name of ['admin', 'edit', 'view'])
      expect(named(roles, name).rules, name).toEqual(named(real, name).rules);
    expect(rounds).toBeGreaterThan(1);
  });
});
