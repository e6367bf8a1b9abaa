import type { APIServiceBinding } from '@klutch/api';
import { expect, it } from 'vitest';
import { merged, namespacedBinding } from './saved-bindings.ts';

const spec = (name: string) => ({
  kubeconfigSecretRef: { namespace: 'klutch-bind', name, key: 'kubeconfig' as const },
});
const live: APIServiceBinding = {
  apiVersion: 'klutch.anynines.com/v1alpha1',
  kind: 'APIServiceBinding',
  metadata: { name: 'a', uid: 'u', resourceVersion: '7', finalizers: ['x'], annotations: { note: 'mine' } },
  spec: spec('new'),
};

it('keeps what was saved and takes what is alive, without what belongs to the old object', () => {
  const saved = [
    { metadata: { name: 'a' }, spec: spec('old') },
    { metadata: { name: 'b' }, spec: spec('other') },
  ];

  expect(merged(saved, [live])).toEqual([
    { metadata: { name: 'a', labels: undefined, annotations: { note: 'mine' } }, spec: spec('new') },
    { metadata: { name: 'b' }, spec: spec('other') },
  ]);
});

it('brings a binding into the namespace of Klutch', () => {
  const [saved] = merged([], [live]);

  expect(saved && namespacedBinding(saved)).toMatchObject({
    metadata: { name: 'a', namespace: 'klutch-bind', annotations: { note: 'mine' } },
    spec: spec('new'),
  });
});
