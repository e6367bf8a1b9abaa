import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Attributes } from './attributes.ts';
import { compileRule, ruleAllows } from './compiled-rule.ts';
import type { PolicyRule } from './rbac-objects.ts';
import { anyAttributes, anyRule } from './testing/arbitrary-rules.ts';

const user = { name: 'ann', groups: [] };
const allows = (rule: PolicyRule, asks: object) =>
  ruleAllows(compileRule(rule), { user, ...asks } as unknown as Attributes);

describe('a rule about resources', () => {
  const rule: PolicyRule = { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments', 'pods/log', '*/scale'] };
  it.each([
    [true, { verb: 'get', group: 'apps', resource: 'deployments' }],
    [true, { verb: 'get', group: 'apps', resource: 'deployments', name: 'any', namespace: 'any' }],
    [true, { verb: 'get', group: 'apps', resource: 'pods', subresource: 'log' }],
    [true, { verb: 'get', group: 'apps', resource: 'anything', subresource: 'scale' }],
    [false, { verb: 'list', group: 'apps', resource: 'deployments' }],
    [false, { verb: 'get', group: '', resource: 'deployments' }],
    [false, { verb: 'get', group: 'apps', resource: 'deployments', subresource: 'status' }],
    [false, { verb: 'get', group: 'apps', resource: 'pods' }],
    [false, { verb: 'get', group: 'apps', resource: 'pods', subresource: 'scales' }],
    [false, { verb: 'get', group: 'apps', resource: '*' }],
    [false, { verb: 'get', path: '/deployments' }],
  ])('answers %j to %j', (expected, asks) => {
    expect(allows(rule, asks)).toBe(expected);
  });

  it('with names is silent about requests without one', () => {
    const named: PolicyRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: ['a', 'b'] };
    expect(allows(named, { verb: 'get', group: '', resource: 'pods', name: 'b' })).toBe(true);
    expect(allows(named, { verb: 'get', group: '', resource: 'pods', name: 'c' })).toBe(false);
    expect(allows(named, { verb: 'create', group: '', resource: 'pods' })).toBe(false);
    expect(allows(named, { verb: 'list', group: '', resource: 'pods' })).toBe(false);
  });

  it('does not take a name for a wildcard', () => {
    const named: PolicyRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: ['*'] };
    expect(allows(named, { verb: 'get', group: '', resource: 'pods', name: 'a' })).toBe(false);
  });
});

describe('a rule about paths', () => {
  it.each([
    [['/healthz'], '/healthz', true],
    [['/healthz'], '/healthz/', false],
    [['/logs/*'], '/logs/a/b', true],
    [['/logs/*'], '/logs', false],
    [['/logs**'], '/logs-of-today', true],
    [['*'], '/anything', true],
    [['/a*b'], '/axb', false],
    [['/a*b'], '/a*b', true],
    [[], '/', false],
  ])('%j permits %s: %j', (nonResourceURLs, path, expected) => {
    expect(allows({ verbs: ['get'], nonResourceURLs }, { verb: 'get', path })).toBe(expected);
  });
});

describe('any rule', () => {
  it('permits what is asked exactly when one by one comparison of its lists says so', () => {
    fc.assert(
      fc.property(anyRule(), anyAttributes(), (rule, attributes) => {
        expect(ruleAllows(compileRule(rule), attributes)).toBe(allowsBySearch(rule, attributes));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The definition of RBAC, written down without any thought of speed. */
function allowsBySearch(rule: PolicyRule, asks: Attributes): boolean {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  if (!verbs.some((verb) => verb === '*' || verb === asks.verb)) return false;
  if ('path' in asks) {
    return nonResourceURLs.some((url) => {
      if (url === '*' || url === asks.path) return true;
      return url.endsWith('*') && asks.path.startsWith(url.slice(0, url.search(/\*+$/)));
    });
  }
  const wanted = asks.subresource ? `${asks.resource}/${asks.subresource}` : asks.resource;
  return (
    apiGroups.some((group) => group === '*' || group === asks.group) &&
    resources.some(
      (resource) =>
        resource === '*' || resource === wanted || (asks.subresource && resource === `*/${asks.subresource}`),
    ) &&
    (resourceNames.length === 0 || resourceNames.includes(asks.name ?? ''))
  );
}
