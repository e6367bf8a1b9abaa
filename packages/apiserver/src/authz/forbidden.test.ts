import { describe, expect, it } from 'vitest';

import type { Attributes } from './attributes.ts';
import { forbiddenRequest } from './forbidden.ts';

const user = { name: 'bob', groups: [] };
const on = (verb: string, resource: string, more: object = {}): Attributes => ({
  user,
  verb,
  group: '',
  resource,
  ...more,
});
const missing = 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found';

describe('a refusal', () => {
  // Texts and details recorded from kube-apiserver 1.35.4.
  it.each<[Attributes, string, string, object]>([
    [
      on('list', 'secrets', { namespace: 'a' }),
      '',
      'secrets is forbidden: User "bob" cannot list resource "secrets" in API group "" in the namespace "a"',
      { kind: 'secrets' },
    ],
    [
      on('list', 'secrets'),
      '',
      'secrets is forbidden: User "bob" cannot list resource "secrets" in API group "" at the cluster scope',
      { kind: 'secrets' },
    ],
    [
      on('get', 'secrets', { namespace: 'a', name: 'x' }),
      '',
      'secrets "x" is forbidden: User "bob" cannot get resource "secrets" in API group "" in the namespace "a"',
      { name: 'x', kind: 'secrets' },
    ],
    [
      on('get', 'deployments', { group: 'apps', subresource: 'scale', namespace: 'a', name: 'x' }),
      '',
      'deployments.apps "x" is forbidden: User "bob" cannot get resource "deployments/scale" in API group "apps" in the namespace "a"',
      { name: 'x', group: 'apps', kind: 'deployments' },
    ],
    [
      on('list', 'configmaps', { namespace: 'a', name: 'three' }),
      '',
      'configmaps "three" is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "a"',
      { name: 'three', kind: 'configmaps' },
    ],
    [
      on('', 'secrets'),
      '',
      'secrets is forbidden: User "bob" cannot  resource "secrets" in API group "" at the cluster scope',
      { kind: 'secrets' },
    ],
    [{ user, verb: 'get', path: '/metrics' }, '', 'forbidden: User "bob" cannot get path "/metrics"', {}],
    [{ user, verb: 'get', path: '/a<b>&c' }, '', 'forbidden: User "bob" cannot get path "/a&lt;b&gt;&amp;c"', {}],
    [
      { user, verb: 'get', path: '/metrics' },
      missing,
      `forbidden: User "bob" cannot get path "/metrics": ${missing}`,
      {},
    ],
    [
      on('list', 'pods'),
      missing,
      `pods is forbidden: User "bob" cannot list resource "pods" in API group "" at the cluster scope: ${missing}`,
      { kind: 'pods' },
    ],
  ])('of %j because of %j', (attributes, reason, message, details) => {
    expect(forbiddenRequest(attributes, reason).toStatus()).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason: 'Forbidden',
      details,
      code: 403,
    });
  });

  it('quotes names as Go does', () => {
    const odd = { name: 'a"b\n', groups: [] };
    expect(forbiddenRequest({ user: odd, verb: 'get', path: '/' }, '').message).toBe(
      'forbidden: User "a\\"b\\n" cannot get path "/"',
    );
  });
});
