import {
  annotations,
  apiVersion,
  type ClusterBinding,
  goBindingRootNamespaceName,
  kubeconfigKey,
  labels,
} from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BindingRef, bindingLabels } from './binding-labels.ts';
import { chooseRoot, rootNamespaceName } from './root-namespace.ts';

const binding = { namespace: 'team', name: 'shop' };
const other = { namespace: 'other', name: 'shop' };

const namespace = (name: string, metadata: Namespace['metadata'] = {}): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { ...metadata, name },
});
const own = (metadata?: Namespace['metadata']) => namespace(rootNamespaceName(binding), metadata);
const go = (metadata?: Namespace['metadata']) => namespace(goBindingRootNamespaceName(binding), metadata);
const clusterBindingOf = (ref?: BindingRef): ClusterBinding => ({
  apiVersion,
  kind: 'ClusterBinding',
  metadata: { name: 'cluster', ...(ref ? { labels: bindingLabels(ref) } : {}) },
  spec: { kubeconfigSecretRef: { name: 'app', key: kubeconfigKey }, providerPrettyName: 'x' },
});
const ours = { labels: bindingLabels(binding) };
const service = { annotations: { [annotations.apiServiceNamespace]: 'cluster-x/prod' } };

describe('the name of a root namespace', () => {
  it('BE-38 differs where the parts are cut differently', () => {
    expect(rootNamespaceName({ namespace: 'a-b', name: 'c' })).not.toBe(
      rootNamespaceName({ namespace: 'a', name: 'b-c' }),
    );
  });

  it('differs for all different bindings, and can be a namespace', () => {
    const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?$/);
    const ref = fc.record({ namespace: label, name: label });
    fc.assert(
      fc.property(ref, ref, (a, b) => {
        const isSame = a.namespace === b.namespace && a.name === b.name;
        expect(rootNamespaceName(a) === rootNamespaceName(b)).toBe(isSame);
        expect(rootNamespaceName(a)).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
      }),
    );
  });
});

describe('the root namespace', () => {
  it.each([
    ['is made when there is none', {}, 'create', 'own'],
    ['is the one made before', { own: own(ours) }, 'use', 'own'],
    ['is refused without labels', { own: own() }, 'foreign', 'own'],
    ['is refused with labels of another binding', { own: own({ labels: bindingLabels(other) }) }, 'foreign', 'own'],
    ['is refused when it serves an app cluster', { own: own({ ...ours, ...service }) }, 'foreign', 'own'],
    [
      'is that of a Go backend, as its ClusterBinding says',
      { go: go(), goClusterBinding: clusterBindingOf(binding) },
      'use',
      'go',
    ],
    ['is that of a Go backend, once adopted', { go: go(ours) }, 'use', 'go'],
    ['is not that of another binding', { go: go(), goClusterBinding: clusterBindingOf(other) }, 'create', 'own'],
    [
      'is not one whose ClusterBinding says nothing',
      { go: go(), goClusterBinding: clusterBindingOf() },
      'create',
      'own',
    ],
    ['is not one without ClusterBinding', { go: go() }, 'create', 'own'],
    [
      'S-3 is not a namespace of an app cluster that happens to have the name',
      { go: go(service), goClusterBinding: clusterBindingOf(binding) },
      'create',
      'own',
    ],
    ['is its own rather than that of a Go backend', { own: own(ours), go: go(ours) }, 'use', 'own'],
  ] as const)('%s', (_, candidates, verdict, which) => {
    const name = which === 'own' ? rootNamespaceName(binding) : goBindingRootNamespaceName(binding);

    expect(chooseRoot(binding, candidates)).toMatchObject({ verdict, name });
  });

  it('is not known by one label alone', () => {
    const half = { [labels.appClusterBindingName]: 'shop' };

    expect(chooseRoot(binding, { own: own({ labels: half }) }).verdict).toBe('foreign');
  });
});
