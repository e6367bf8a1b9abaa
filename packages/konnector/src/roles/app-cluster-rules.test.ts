import { describe, expect, it } from 'vitest';
import { appClusterRules } from './app-cluster-rules.ts';

const widgets = { group: 'example.org', plural: 'widgets' };
const gadgets = { group: 'example.org', plural: 'gadgets' };

describe('the rights of a konnector', () => {
  it('never are a wildcard', () => {
    const rules = appClusterRules([widgets, gadgets], [{ resource: 'secrets', owner: 'Provider' }]);

    for (const rule of [...rules.cluster, ...rules.namespace]) {
      expect([...rule.apiGroups, ...rule.resources, ...rule.verbs]).not.toContain('*');
    }
  });

  it('do not reach Secrets outside of its namespace unless they are claimed', () => {
    const resources = (claims: Parameters<typeof appClusterRules>[1]) =>
      appClusterRules([widgets], claims).cluster.flatMap((rule) => rule.resources);

    expect(resources([])).not.toContain('secrets');
    expect(resources([{ resource: 'secrets' }])).toContain('secrets');
  });

  it('are for every API and its status, in one rule for each group', () => {
    const { cluster } = appClusterRules([widgets, gadgets]);

    expect(cluster.filter(({ apiGroups }) => apiGroups.includes('example.org'))).toEqual([
      {
        apiGroups: ['example.org'],
        resources: ['gadgets', 'widgets'],
        verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
      },
      {
        apiGroups: ['example.org'],
        resources: ['gadgets/status', 'widgets/status'],
        verbs: ['get', 'patch', 'update'],
      },
    ]);
  });

  it('change only CRDs of bound APIs', () => {
    const changing = appClusterRules([widgets]).cluster.filter(
      ({ resources, verbs }) => resources.includes('customresourcedefinitions') && verbs.includes('update'),
    );

    expect(changing.map(({ resourceNames }) => resourceNames)).toEqual([
      ['apiservicebindings.klutch.anynines.com', 'widgets.example.org'],
    ]);
  });

  it.each([
    ['told so', { resource: 'configmaps', owner: 'Consumer' }],
    ['given the claim itself', { resource: 'configmaps', selector: { owner: 'Consumer' } }],
  ] as const)("never make or delete the user's objects when %s", (_, claim) => {
    const { cluster } = appClusterRules([widgets], [claim]);

    expect(cluster.find(({ resources }) => resources.includes('configmaps'))?.verbs).toEqual([
      'get',
      'list',
      'watch',
      'patch',
    ]);
  });
});
