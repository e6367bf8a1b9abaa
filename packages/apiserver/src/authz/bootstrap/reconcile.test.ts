import { describe, expect, it } from 'vitest';

import type { ClusterRole, ClusterRoleBinding } from '../rbac-objects.ts';
import { readRecording } from '../testing/recording.ts';
import { AUTO_UPDATE, BOOTSTRAP_POLICY } from './policy.ts';
import { type PolicyChange, reconcilePolicy } from './reconcile.ts';

type Kind = ClusterRole | ClusterRoleBinding;

const everything: readonly Kind[] = [...BOOTSTRAP_POLICY.clusterRoles, ...BOOTSTRAP_POLICY.clusterRoleBindings];
const reconcile = (existing: readonly Kind[]): PolicyChange[] =>
  reconcilePolicy(BOOTSTRAP_POLICY, {
    clusterRole: (name) => existing.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === name),
    clusterRoleBinding: (name) =>
      existing.find(
        ({ kind, metadata }) => kind === 'ClusterRoleBinding' && metadata.name === name,
      ) as ClusterRoleBinding,
  });
/** Reconciles a world in which one object is different. */
const withChanged = (kind: string, name: string, change: object) =>
  reconcile(
    everything.map((object) =>
      object.kind === kind && object.metadata.name === name ? { ...object, ...change } : object,
    ),
  );
const metadata = (name: string, annotations: object, labels: object) => ({
  metadata: { name, uid: 'u', annotations, labels },
});

describe('the roles and bindings of every cluster', () => {
  const real = readRecording<Kind>(new URL('../recorded/bootstrap.jsonl', import.meta.url));
  it.each(everything.map((object) => [object.kind, object.metadata.name ?? '', object] as const))(
    '%s %s is the one of Kubernetes',
    (kind, name, object) => {
      const recorded = real.find((other) => other.kind === kind && other.metadata.name === name);
      const collects = 'aggregationRule' in object;
      // What collecting roles contain is the work of a controller.
      expect(collects ? { ...object, rules: undefined } : object).toEqual(
        collects ? { ...recorded, rules: undefined } : recorded,
      );
    },
  );
});

describe('at start', () => {
  it('an empty cluster gets all of them, roles first', () => {
    const changes = reconcile([]);
    expect(changes.map(({ object }) => object)).toEqual(everything);
    expect(new Set(changes.map(({ operation }) => operation))).toEqual(new Set(['create']));
  });

  it('a cluster that has them gets no write', () => {
    expect(reconcile(everything)).toEqual([]);
    expect(reconcile(structuredClone(everything))).toEqual([]);
  });

  it('a deleted one comes back', () => {
    const rest = everything.filter(({ metadata: { name } }) => name !== 'system:auth-delegator');
    expect(reconcile(rest)).toMatchObject([
      { operation: 'create', object: { metadata: { name: 'system:auth-delegator' } } },
    ]);
  });

  it('rules that were taken away come back, and those that were added stay', () => {
    const added = { verbs: ['get'], nonResourceURLs: ['/mine'] };
    const [kept] =
      BOOTSTRAP_POLICY.clusterRoles.find(({ metadata: { name } }) => name === 'system:auth-delegator')?.rules ?? [];
    const [change] = withChanged('ClusterRole', 'system:auth-delegator', { rules: [added, kept] });
    expect(change).toMatchObject({
      operation: 'update',
      object: {
        rules: [
          added,
          kept,
          { verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'] },
        ],
      },
    });
  });

  it('rules that cover more count', () => {
    const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    expect(withChanged('ClusterRole', 'system:auth-delegator', { rules: [all] })).toEqual([]);
  });

  it('selectors come back, and those that were added stay', () => {
    const mine = { matchLabels: { mine: 'true' } };
    const [change] = withChanged('ClusterRole', 'view', { aggregationRule: { clusterRoleSelectors: [mine] } });
    expect(change?.object).toMatchObject({
      aggregationRule: {
        clusterRoleSelectors: [mine, { matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } }],
      },
    });
  });

  it('a plain role stops collecting', () => {
    const [change] = withChanged('ClusterRole', 'cluster-admin', { aggregationRule: { clusterRoleSelectors: [{}] } });
    expect(change?.operation).toBe('update');
    expect(change?.object).not.toHaveProperty('aggregationRule');
  });

  it('subjects that were taken away come back, and those that were added stay', () => {
    const mine = { kind: 'ServiceAccount', name: 'x', namespace: 'y' };
    const [change] = withChanged('ClusterRoleBinding', 'cluster-admin', { subjects: [mine] });
    expect(change).toMatchObject({
      operation: 'update',
      object: { subjects: [mine, { kind: 'Group', name: 'system:masters' }] },
    });
  });

  it('a binding without subjects gets them', () => {
    const [change] = withChanged('ClusterRoleBinding', 'cluster-admin', { subjects: undefined });
    expect(change?.object).toMatchObject({ subjects: [{ name: 'system:masters' }] });
  });

  it('a binding to another role is made anew, for a role cannot change', () => {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
    const [change] = withChanged('ClusterRoleBinding', 'cluster-admin', { roleRef });
    expect(change).toMatchObject({ operation: 'recreate', object: { roleRef: { name: 'cluster-admin' } } });
  });

  it('labels and annotations come back, but what administrators wrote wins', () => {
    const marks = metadata('cluster-admin', { [AUTO_UPDATE]: 'maybe' }, { mine: 'x' });
    const [change] = withChanged('ClusterRole', 'cluster-admin', marks);
    expect(change?.object.metadata).toEqual({
      name: 'cluster-admin',
      uid: 'u',
      annotations: { [AUTO_UPDATE]: 'maybe' },
      labels: { mine: 'x', 'kubernetes.io/bootstrapping': 'rbac-defaults' },
    });
  });

  it.each(['ClusterRole', 'ClusterRoleBinding'])('a protected %s stays as it is', (kind) => {
    const marks = metadata('cluster-admin', { [AUTO_UPDATE]: 'false' }, {});
    expect(withChanged(kind, 'cluster-admin', { ...marks, rules: [], subjects: [] })).toEqual([]);
  });
});
