import { annotations } from '@klutch/api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accessEnd,
  checkPresented,
  clusterNamespaceName,
  isClusterNamespace,
  tenantDigest,
} from './cluster-namespace.ts';

const id = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);

describe('the name of a cluster namespace', () => {
  it('S-4 differs for different ids, also those that differ in case only', () => {
    expect(clusterNamespaceName('cluster', 'aIhhek')).not.toBe(clusterNamespaceName('cluster', 'AIhhek'));
    fc.assert(
      fc.property(id, id, (a, b) => {
        fc.pre(a !== b);

        expect(clusterNamespaceName('cluster', a)).not.toBe(clusterNamespaceName('cluster', b));
      }),
    );
  });

  it('is a name that a namespace can have, whatever the prefix, and always the same', () => {
    const prefix = fc.stringMatching(/^[a-z]([-a-z0-9]{0,80}[a-z0-9])?-?$/);
    fc.assert(
      fc.property(prefix, id, (prefix, id) => {
        const name = clusterNamespaceName(prefix, id);

        expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
        expect(name.length).toBeLessThanOrEqual(63);
        expect(clusterNamespaceName(prefix, id)).toBe(name);
      }),
    );
  });

  it('begins with the prefix, which may end in a dash as Go wants it', () => {
    expect(clusterNamespaceName('kube-bind-', 'a')).toBe(clusterNamespaceName('kube-bind', 'a'));
    expect(clusterNamespaceName('kube-bind', 'a')).toMatch(/^kube-bind-[0-9a-v]{16}$/);
  });
});

describe('an app cluster that presents itself', () => {
  it.each([{ id: 'aIhhek' }, { id: 'my.cluster_1-x', uid: 'c5e0f0a2-1d2f-4a8a-9d55-1c7f4d9b7c11' }])(
    'may do so as %j',
    (cluster) => {
      expect(() => checkPresented(cluster)).not.toThrow();
    },
  );

  it.each([{ id: '' }, { id: 'ä' }, { id: 'a b' }, { id: 'a\n' }, { id: 'a'.repeat(65) }, { id: 'a', uid: '' }])(
    'may not do so as %j, and its words are not repeated',
    (cluster) => {
      expect(() => checkPresented(cluster)).toThrow(expect.objectContaining({ code: 'KLUTCH_REQUEST_INVALID' }));
    },
  );
});

describe('a namespace', () => {
  const namespace = (values: Record<string, string>) => ({ metadata: { name: 'x', annotations: values } });

  it.each([annotations.identity, annotations.tenantIdentity])('stands for an app cluster when it has %s', (key) => {
    expect(isClusterNamespace(namespace({ [key]: 'y' }))).toBe(true);
    expect(isClusterNamespace(namespace({}))).toBe(false);
  });

  it.each([
    ['Revoked', 'Revoked'],
    ['Expired', 'Expired'],
    ['revoked', undefined],
    ['', undefined],
  ])('with access %j has lost it: %s', (access, end) => {
    expect(accessEnd(namespace({ [annotations.access]: access }))).toBe(end);
  });

  it('is labelled with a digest that can be a label', () => {
    expect(tenantDigest('["group","https://issuer.example","red"]')).toMatch(/^[0-9a-v]{16}$/);
  });
});
