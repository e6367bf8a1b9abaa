import { annotations, type APIServiceBinding, type APIServiceNamespace } from '@klutch/api';
import type { KubeObject, ResourceType } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../objects/deployment.ts';
import type { Role, RoleBinding } from '../objects/rbac.ts';
import { someBinding } from './binding.fixture.ts';
import { decideDeletion, type Instance, type Remains } from './decide-deletion.ts';

const root = 'klutch-bind-team-shop-0123456789';
const named = (kind: string, name: string, metadata: object = {}): KubeObject => ({
  apiVersion: 'x',
  kind,
  metadata: { name, uid: `u-${name}`, ...metadata },
});
const Widgets: ResourceType = {
  group: 'example.org',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  namespaced: true,
};
const widget: Instance = { type: Widgets, object: named('PartialObjectMetadata', 'w', { namespace: 'service' }) };
const withDelete = someBinding({}, { [annotations.onUnbind]: 'Delete' });

function remains(change: Partial<Remains> = {}): Remains {
  return {
    binding: someBinding(),
    root: { verdict: 'use', name: root, namespace: named('Namespace', root) },
    instances: [],
    bindings: [],
    namespaces: [],
    konnector: {},
    legacy: {},
    ...change,
  };
}
const bindings = [named('APIServiceBinding', 'widgets.example.org', { namespace: root })] as APIServiceBinding[];
const namespaces = [named('APIServiceNamespace', 'prod', { namespace: root })] as APIServiceNamespace[];
const konnector = {
  deployment: named('Deployment', 'konnector-shop') as Deployment,
  account: named('ServiceAccount', 'klutch-binder'),
};
const all = { instances: [widget], bindings, namespaces };

function nextOf(seen: Remains) {
  const decision = decideDeletion(seen);
  if (decision.next === 'release') return 'release';
  return decision.writes.map((write) => `${write.verb} ${write.type.kind}`);
}

describe('a binding that is deleted', () => {
  it('is held, with all that belongs to it, while there are objects of bound APIs', () => {
    const decision = decideDeletion(remains(all));

    expect(decision).toMatchObject({
      next: 'wait',
      writes: [],
      condition: { status: 'False', reason: 'DeletionHeld' },
    });
    expect(decision.next === 'wait' && decision.condition.message).toMatch(
      /^1 objects .* Widget service\/w\. .*on-unbind: Delete/,
    );
  });

  it.each<[string, Partial<Remains>, string | string[]]>([
    ['bindings go first', { bindings, namespaces }, ['delete APIServiceBinding']],
    ['also when all objects are to go', { ...all, binding: withDelete }, ['delete APIServiceBinding']],
    ['then the objects', { ...all, bindings: [], binding: withDelete }, ['delete Widget']],
    ['then the konnector', { namespaces, konnector }, ['delete Deployment', 'delete ServiceAccount']],
    ['then the namespaces', { namespaces }, ['delete APIServiceNamespace']],
    ['then the root namespace', {}, ['delete Namespace']],
    ['then the binding itself', { root: { verdict: 'create', name: root } }, 'release'],
    ['and what is not its own stays', { root: { verdict: 'foreign', name: root } }, 'release'],
  ])('%s', (_, change, expected) => {
    expect(nextOf(remains(change))).toEqual(expected);
  });

  it('deletes nothing twice, and nothing that has taken the place of what it saw', () => {
    const ending = bindings.map((one) => ({ ...one, metadata: { ...one.metadata, deletionTimestamp: 'now' } }));

    expect(nextOf(remains({ bindings: ending }))).toEqual([]);
    expect(decideDeletion(remains({ bindings }))).toMatchObject({ writes: [{ uid: 'u-widgets.example.org' }] });
  });

  it('takes along what earlier backends have granted, if it is of this root namespace alone', () => {
    const role = named('ClusterRole', 'klutch-konnector-team-shop') as Role;
    const granted = (...places: string[]): RoleBinding => ({
      ...named('ClusterRoleBinding', 'klutch-konnector-team-shop'),
      subjects: places.map((namespace) => ({ kind: 'ServiceAccount', name: 'klutch-binder', namespace })),
      roleRef: { apiGroup: '', kind: 'ClusterRole', name: 'x' },
    });

    expect(nextOf(remains({ legacy: { role, roleBinding: granted(root) } }))).toEqual([
      'delete ClusterRoleBinding',
      'delete ClusterRole',
      'delete Namespace',
    ]);
    expect(nextOf(remains({ legacy: { role, roleBinding: granted(root, 'other') } }))).toEqual(['delete Namespace']);
    expect(nextOf(remains({ legacy: { role } }))).toEqual(['delete Namespace']);
  });
});
