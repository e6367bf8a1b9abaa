import { describe, expect, it } from 'vitest';
import { binderRules } from '../grants/binder-rules.ts';
import type { Rule } from '../objects/rbac.ts';
import { backendRoles, backendRules } from './backend-rules.ts';
import { mergeRules } from './merge-rules.ts';

const widgets = {
  group: 'example.org',
  resource: 'widgets',
  permissionClaims: [
    { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' as const } },
    { group: 'other.org', resource: 'gadgets', version: 'v1' },
  ],
};
const grounds = { offers: [widgets], consumerScope: 'Namespaced' as const, controlPlaneMode: false };
const allows = (rules: readonly Rule[], verb: string, group: string, resource: string) =>
  rules.some(
    (rule) => rule.apiGroups.includes(group) && rule.resources.includes(resource) && rule.verbs.includes(verb),
  );

describe('the rights of a backend', () => {
  it.each([{ ...grounds }, { ...grounds, consumerScope: 'Cluster' as const }, { ...grounds, controlPlaneMode: true }])(
    'S-14 never hold a wildcard, nor a way to more: %j',
    (given) => {
      const { cluster, namespace } = backendRules(given);
      const words = [...cluster, ...namespace].flatMap(({ apiGroups, resources, verbs }) => [
        ...apiGroups,
        ...resources,
        ...verbs,
      ]);

      for (const word of ['*', 'escalate', 'bind', 'impersonate', 'pods', 'nodes']) expect(words).not.toContain(word);
    },
  );

  it('hold all that is handed out', () => {
    const { cluster } = backendRules(grounds);

    for (const { apiGroups, resources, verbs } of binderRules) {
      for (const verb of verbs) expect(allows(cluster, verb, apiGroups[0] ?? '', resources[0] ?? '')).toBe(true);
    }
    for (const verb of ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']) {
      expect(allows(cluster, verb, 'example.org', 'widgets')).toBe(true);
      expect(allows(cluster, verb, 'other.org', 'gadgets')).toBe(true);
    }
    expect(allows(cluster, 'update', '', 'secrets')).toBe(true);
  });

  it('grow with scope and mode only', () => {
    const plain = backendRules(grounds).cluster;

    expect(allows(plain, 'create', 'rbac.authorization.k8s.io', 'clusterrolebindings')).toBe(false);
    expect(allows(plain, 'create', 'apps', 'deployments')).toBe(false);
    expect(allows(plain, 'create', 'coordination.k8s.io', 'leases')).toBe(false);
    const wide = backendRules({ ...grounds, consumerScope: 'Cluster' }).cluster;
    expect(allows(wide, 'create', 'rbac.authorization.k8s.io', 'clusterrolebindings')).toBe(true);
    const deploying = backendRules({ ...grounds, controlPlaneMode: true }).cluster;
    expect(allows(deploying, 'create', 'apps', 'deployments')).toBe(true);
  });

  it('are objects that can be applied, the same for the same offers in any order', () => {
    const other = { group: 'a.org', resource: 'things', permissionClaims: [] };
    const roles = (offers: (typeof widgets | typeof other)[]) =>
      backendRoles({ ...grounds, offers }, { name: 'klutch-backend', namespace: 'bind' });

    expect(roles([widgets, other])).toEqual(roles([other, widgets]));
    expect(roles([widgets]).role.metadata).toEqual({ name: 'klutch-backend', namespace: 'bind' });
  });
});

describe('rules', () => {
  it('are merged by group and verbs, in order', () => {
    const rule = (group: string, resource: string, ...verbs: string[]) => ({
      apiGroups: [group],
      resources: [resource],
      verbs,
    });

    expect(
      mergeRules([
        rule('b', 'y', 'list'),
        rule('b', 'x', 'get'),
        rule('b', 'y', 'get'),
        rule('b', 'x', 'list'),
        rule('a', 'z', 'get'),
      ]),
    ).toEqual([
      { apiGroups: ['a'], resources: ['z'], verbs: ['get'] },
      { apiGroups: ['b'], resources: ['x', 'y'], verbs: ['get', 'list'] },
    ]);
  });
});
