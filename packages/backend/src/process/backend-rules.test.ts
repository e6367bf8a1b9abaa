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
  const shapes = [
    { ...grounds },
    { ...grounds, consumerScope: 'Cluster' as const },
    { ...grounds, controlPlaneMode: true },
  ];

  it.each(shapes)('S-14 never hold a wildcard, nor a way to more: %j', (given) => {
    const rules = Object.values(backendRules(given)).flat() as readonly Rule[];
    const words = rules.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs]);

    for (const word of ['*', 'escalate', 'impersonate', 'pods', 'nodes']) expect(words).not.toContain(word);
    expect(rules.filter(({ verbs }) => verbs.includes('bind'))).toEqual([
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['clusterroles'],
        verbs: ['bind'],
        resourceNames: ['klutch-backend-tenant'],
      },
    ]);
  });

  it.each(shapes)('S-14 reach no Secret and no token in the whole cluster: %j', (given) => {
    const { cluster } = backendRules(given);

    expect(cluster.filter(({ resources }) => resources.some((one) => /^secrets|token$/.test(one)))).toEqual([]);
  });

  it('S-14 let it issue tokens for app clusters and for no other account, also in their own namespaces', () => {
    const { tenant } = backendRules({ ...grounds, controlPlaneMode: true });

    expect(tenant.filter(({ resources }) => resources.includes('serviceaccounts/token'))).toMatchObject([
      { verbs: ['create'], resourceNames: ['klutch-binder'] },
    ]);
  });

  it('write nothing in the whole cluster but what cannot be bound to namespaces, which a policy does', () => {
    const writes = backendRules(grounds).cluster.flatMap(({ resources, verbs, resourceNames = [] }) =>
      verbs
        .filter((verb) => !['get', 'list', 'watch'].includes(verb))
        .flatMap((verb) => resources.map((resource) => [verb, resource, ...resourceNames].join(' '))),
    );

    expect(writes.sort()).toEqual([
      'bind clusterroles klutch-backend-tenant',
      'create namespaces',
      'create rolebindings',
      'create tokenreviews',
      'delete clusterrolebindings',
      'delete namespaces',
      'delete rolebindings klutch-backend',
      'patch apiservicenamespaces',
      'patch apiservicenamespaces/status',
      'patch namespaces',
      'patch rolebindings klutch-backend',
    ]);
  });

  it('hold all that is handed out, in the namespaces of tenants', () => {
    const { tenant } = backendRules(grounds);

    for (const { apiGroups, resources, verbs } of binderRules) {
      for (const verb of verbs) expect(allows(tenant, verb, apiGroups[0] ?? '', resources[0] ?? '')).toBe(true);
    }
    for (const verb of ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']) {
      expect(allows(tenant, verb, 'example.org', 'widgets')).toBe(true);
      expect(allows(tenant, verb, 'other.org', 'gadgets')).toBe(true);
    }
    expect(allows(tenant, 'update', '', 'secrets')).toBe(true);
  });

  it('hold in the scope of the cluster what is exported, and nothing of permission claims', () => {
    const { cluster, tenant } = backendRules({ ...grounds, consumerScope: 'Cluster' });

    expect(allows(cluster, 'create', 'example.org', 'widgets')).toBe(true);
    for (const rules of [cluster, tenant]) expect(allows(rules, 'get', 'other.org', 'gadgets')).toBe(false);
  });

  it('grow with scope and mode only', () => {
    const { cluster, tenant } = backendRules(grounds);

    expect(allows(cluster, 'create', 'rbac.authorization.k8s.io', 'clusterrolebindings')).toBe(false);
    expect(allows(tenant, 'create', 'apps', 'deployments')).toBe(false);
    expect(allows(cluster, 'create', 'coordination.k8s.io', 'leases')).toBe(false);
    const wide = backendRules({ ...grounds, consumerScope: 'Cluster' }).cluster;
    expect(allows(wide, 'create', 'rbac.authorization.k8s.io', 'clusterrolebindings')).toBe(true);
    const deploying = backendRules({ ...grounds, controlPlaneMode: true });
    expect(allows(deploying.tenant, 'create', 'apps', 'deployments')).toBe(true);
    expect(allows(deploying.cluster, 'create', 'apps', 'deployments')).toBe(false);
  });

  it('are objects that can be applied, the same for the same offers in any order', () => {
    const other = { group: 'a.org', resource: 'things', permissionClaims: [] };
    const roles = (offers: (typeof widgets | typeof other)[]) =>
      backendRoles({ ...grounds, offers }, { name: 'klutch-backend', namespace: 'bind' });

    expect(roles([widgets, other])).toEqual(roles([other, widgets]));
    expect(roles([widgets]).role.metadata).toEqual({ name: 'klutch-backend', namespace: 'bind' });
    expect(roles([widgets]).clusterRoles.map(({ metadata }) => metadata.name)).toEqual([
      'klutch-backend',
      'klutch-backend-tenant',
    ]);
  });
});

describe('rules', () => {
  it('are kept apart when they name objects', () => {
    const rule = (verb: string, resourceNames?: string[]) => ({
      apiGroups: ['a'],
      resources: ['x'],
      verbs: [verb],
      ...(resourceNames ? { resourceNames } : {}),
    });

    expect(mergeRules([rule('get'), rule('patch', ['one']), rule('delete', ['one'])])).toEqual([
      { apiGroups: ['a'], resources: ['x'], verbs: ['get'] },
      { apiGroups: ['a'], resources: ['x'], verbs: ['patch', 'delete'], resourceNames: ['one'] },
    ]);
  });

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
