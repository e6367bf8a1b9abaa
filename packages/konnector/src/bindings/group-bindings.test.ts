import type { APIServiceBinding } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { groupBindings, linkOf } from './group-bindings.ts';

const binding = (name: string, secret?: string): APIServiceBinding => ({
  apiVersion: 'klutch.anynines.com/v1alpha1',
  kind: 'APIServiceBinding',
  metadata: { name },
  ...(secret ? { spec: { kubeconfigSecretRef: { name: secret, namespace: 'klutch-bind', key: 'kubeconfig' } } } : {}),
});

describe('the link of a binding', () => {
  it('is that of its Secret', () => {
    const groups = groupBindings([binding('a', 'x'), binding('b', 'y'), binding('c', 'x')], { by: 'secret' });

    expect([...groups].map(([link, members]) => [link, members.map(({ metadata }) => metadata.name)])).toEqual([
      ['klutch-bind/x', ['a', 'c']],
      ['klutch-bind/y', ['b']],
    ]);
  });

  it('is the only one on a control plane', () => {
    const grouping = { by: 'one', link: 'root/app' } as const;

    expect([linkOf(binding('a', 'x'), grouping), linkOf(binding('b'), grouping)]).toEqual(['root/app', 'root/app']);
  });

  it('is none without a Secret', () => {
    expect(linkOf(binding('a'), { by: 'secret' })).toBeUndefined();
    expect(groupBindings([binding('a')], { by: 'secret' }).size).toBe(0);
  });
});
