import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compileRule, ruleAllows } from './compiled-rule.ts';
import type { PolicyRule } from './rbac-objects.ts';
import { uncoveredRules } from './rule-cover.ts';
import { anyAttributes, anyRule } from './testing/arbitrary-rules.ts';

const resources = (verbs: string[], apiGroups: string[], names: string[], resourceNames?: string[]): PolicyRule => ({
  verbs,
  apiGroups,
  resources: names,
  ...(resourceNames ? { resourceNames } : {}),
});
const paths = (verbs: string[], nonResourceURLs: string[]): PolicyRule => ({ verbs, nonResourceURLs });
const covers = (owned: PolicyRule[], wanted: PolicyRule[]) => uncoveredRules(owned, wanted).length === 0;

describe('owned rules cover wanted ones', () => {
  it.each<[boolean, string, PolicyRule[], PolicyRule[]]>([
    [true, 'nothing by nothing', [], []],
    [true, 'a rule without verbs, which permits nothing', [], [resources([], [''], ['pods'])]],
    [true, 'a rule by itself', [resources(['get'], [''], ['pods'])], [resources(['get'], [''], ['pods'])]],
    [true, 'all verbs by the wildcard', [resources(['*'], [''], ['pods'])], [resources(['get', 'x'], [''], ['pods'])]],
    [
      false,
      'the wildcard by many verbs',
      [resources(['get', 'list'], [''], ['pods'])],
      [resources(['*'], [''], ['pods'])],
    ],
    [
      true,
      'all groups by the wildcard',
      [resources(['get'], ['*'], ['pods'])],
      [resources(['get'], ['', 'apps'], ['pods'])],
    ],
    [false, 'another group', [resources(['get'], [''], ['pods'])], [resources(['get'], ['apps'], ['pods'])]],
    [true, 'subresources by the wildcard', [resources(['get'], [''], ['*'])], [resources(['get'], [''], ['pods/log'])]],
    [true, 'one subresource of all', [resources(['get'], [''], ['*/log'])], [resources(['get'], [''], ['pods/log'])]],
    [
      false,
      'a resource by its subresource',
      [resources(['get'], [''], ['*/log'])],
      [resources(['get'], [''], ['pods'])],
    ],
    [
      false,
      'a subresource by its resource',
      [resources(['get'], [''], ['pods'])],
      [resources(['get'], [''], ['pods/log'])],
    ],
    [true, 'a name by all', [resources(['get'], [''], ['pods'])], [resources(['get'], [''], ['pods'], ['a'])]],
    [false, 'all by a name', [resources(['get'], [''], ['pods'], ['a'])], [resources(['get'], [''], ['pods'])]],
    [false, 'another name', [resources(['get'], [''], ['pods'], ['a'])], [resources(['get'], [''], ['pods'], ['b'])]],
    [
      true,
      'the sum of several rules',
      [resources(['get'], [''], ['pods']), resources(['list'], [''], ['pods'])],
      [resources(['get', 'list'], [''], ['pods'])],
    ],
    [true, 'a path by a beginning', [paths(['get'], ['/a/*'])], [paths(['get'], ['/a/b', '/a/c/*'])]],
    [false, 'a beginning by a path', [paths(['get'], ['/a/b'])], [paths(['get'], ['/a/*'])]],
    [true, 'all paths', [paths(['*'], ['*'])], [paths(['get'], ['*', '/x'])]],
    [false, 'paths by resources', [resources(['*'], ['*'], ['*'])], [paths(['get'], ['/x'])]],
    [false, 'resources by paths', [paths(['*'], ['*'])], [resources(['get'], [''], ['pods'])]],
  ])('%j: %s', (expected, _, owned, wanted) => {
    expect(covers(owned, wanted)).toBe(expected);
  });

  it('or are told apart piece by piece', () => {
    const owned = [resources(['get'], [''], ['pods'])];
    expect(uncoveredRules(owned, [resources(['get', 'list'], ['', 'apps'], ['pods'], ['x'])])).toEqual([
      resources(['list'], [''], ['pods'], ['x']),
      resources(['get'], ['apps'], ['pods'], ['x']),
      resources(['list'], ['apps'], ['pods'], ['x']),
    ]);
  });
});

describe('whatever the rules', () => {
  const permits = (rules: PolicyRule[], attributes: Parameters<typeof ruleAllows>[1]) =>
    rules.map(compileRule).some((rule) => ruleAllows(rule, attributes));
  const someRules = () => fc.array(anyRule(), { maxLength: 4 });

  it('who covers others may do all that those may do', () => {
    let covered = 0;
    fc.assert(
      fc.property(someRules(), someRules(), anyAttributes(), (owned, wanted, attributes) => {
        if (!covers(owned, wanted)) return;
        covered++;
        if (permits(wanted, attributes)) expect(permits(owned, attributes)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(covered).toBeGreaterThan(100);
  });

  it('the missing pieces are exactly what has to be added', () => {
    fc.assert(
      fc.property(someRules(), someRules(), (owned, wanted) => {
        const missing = uncoveredRules(owned, wanted);
        expect(covers([...owned, ...missing], wanted)).toBe(true);
        for (const piece of missing) expect(covers(owned, [piece])).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it('rules cover themselves and any part of themselves', () => {
    fc.assert(
      fc.property(someRules(), fc.nat(), (rules, cut) => {
        expect(covers(rules, rules)).toBe(true);
        expect(covers(rules, rules.slice(cut % (rules.length + 1)))).toBe(true);
      }),
    );
  });
});
