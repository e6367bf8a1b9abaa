import { describe, expect, it } from 'vitest';
import { describeRight } from './preflight.ts';

describe('describeRight', () => {
  it.each([
    [
      { verb: 'create', group: 'rbac.authorization.k8s.io', resource: 'clusterroles' },
      'create clusterroles.rbac.authorization.k8s.io',
    ],
    [{ verb: 'list', group: '', resource: 'secrets', namespace: 'a' }, 'list secrets in namespace a'],
    [
      { verb: 'patch', group: 'apps', resource: 'deployments', namespace: 'a', name: 'b' },
      'patch deployments.apps "b" in namespace a',
    ],
    [{ verb: 'update', group: 'x.org', resource: 'ys', subresource: 'status' }, 'update ys.x.org/status'],
  ])('puts %j into words', (right, words) => {
    expect(describeRight(right)).toBe(words);
  });
});
