import type { UnknownObject } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { neverTravels } from './never-travels.ts';

function object(kind: string, metadata: UnknownObject['metadata'], type?: string): UnknownObject {
  return { apiVersion: 'v1', kind, metadata: { namespace: 'team-a', ...metadata }, ...(type ? { type } : {}) };
}

describe('what stays where it is', () => {
  const rows: readonly (readonly [string, UnknownObject, boolean])[] = [
    ['an ordinary Secret', object('Secret', { name: 'db' }, 'Opaque'), false],
    ['a Secret of a type of its own', object('Secret', { name: 'db' }, 'example.org/db'), false],
    ['the token of a service account', object('Secret', { name: 't' }, 'kubernetes.io/service-account-token'), true],
    ['a bootstrap token', object('Secret', { name: 't' }, 'bootstrap.kubernetes.io/token'), true],
    ['a release of Helm', object('Secret', { name: 'sh.helm.release.v1.x' }, 'helm.sh/release.v1'), true],
    [
      'a pull secret made for a service account',
      object(
        'Secret',
        { name: 'p', annotations: { 'kubernetes.io/service-account.name': 'x' } },
        'kubernetes.io/dockercfg',
      ),
      true,
    ],
    ['the kubeconfig of this link', object('Secret', { namespace: 'ops', name: 'control-plane' }), true],
    ['a Secret of that name elsewhere', object('Secret', { name: 'control-plane' }), false],
    ['the kubeconfig of another link', object('Secret', { namespace: 'klutch-bind', name: 'kubeconfig-x7' }), true],
    ['the kubeconfig of an old konnector', object('Secret', { namespace: 'kube-bind', name: 'kubeconfig-x7' }), true],
    ['a Secret of the user that is called so', object('Secret', { name: 'kubeconfig-x7' }), false],
    ['the certificates of a cluster', object('ConfigMap', { name: 'kube-root-ca.crt' }), true],
    ['an ordinary ConfigMap', object('ConfigMap', { name: 'settings' }), false],
    ['another kind', object('Widget', { name: 'kube-root-ca.crt' }), false],
    [
      'an instance of a bound API',
      object('Widget', { name: 'w', annotations: { 'klutch.anynines.com/bound': 'true' } }),
      true,
    ],
  ];
  it.each(rows)('%s', (_, given, expected) => {
    expect(neverTravels(given, 'ops/control-plane')).toBe(expected);
  });
});
