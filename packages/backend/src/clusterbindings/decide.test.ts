import { annotations, type APIServiceExport, type ClusterBinding, labels } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { changedConditions } from './conditions.ts';
import { decide, granted, notGranted, refusedMs, type Seen } from './decide.ts';

const now = new Date('2026-01-31T12:00:00Z');

const binding = (metadata: ClusterBinding['metadata'] = {}): ClusterBinding => ({
  apiVersion: 'klutch.anynines.com/v1alpha1',
  kind: 'ClusterBinding',
  metadata: { name: 'cluster', namespace: 'cluster-a', ...metadata },
  spec: { kubeconfigSecretRef: { name: 'kubeconfig', key: 'kubeconfig' }, providerPrettyName: 'P' },
});
const namespace = (metadata: Namespace['metadata'] = {}): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'cluster-a', annotations: { [annotations.identity]: 'ann#x' }, ...metadata },
});
const exported = (plural: string, metadata: APIServiceExport['metadata'] = {}): APIServiceExport => ({
  apiVersion: 'klutch.anynines.com/v1alpha1',
  kind: 'APIServiceExport',
  metadata: { name: `${plural}.x.org`, namespace: 'cluster-a', ...metadata },
  spec: {
    group: 'x.org',
    names: { plural, kind: 'Kind' },
    scope: 'Namespaced',
    versions: [],
    informerScope: 'Namespaced',
  },
});
const seen = (rest: Partial<Seen> = {}): Seen => ({
  binding: binding(),
  namespace: namespace(),
  exports: [exported('widgets')],
  scope: 'Namespaced',
  isMarked: true,
  now,
  ...rest,
});

describe('an app cluster', () => {
  it('gets the rights of its exports, in its namespaces only', () => {
    expect(decide(seen())).toMatchObject({
      is: 'serve',
      isClusterWide: false,
      rules: [{ apiGroups: ['x.org'], resources: ['widgets'] }],
      healthy: { reason: 'FirstHeartbeatPending' },
    });
  });

  it('gets nothing for permission claims where its rights would reach all namespaces', () => {
    const claiming = exported('widgets');
    const claims = [{ resource: 'secrets', version: 'v1' }];
    const one = { ...claiming, spec: { ...claiming.spec, permissionClaims: claims } };

    expect(decide(seen({ exports: [one] }))).toMatchObject({ rules: [{ resources: ['secrets'] }, {}] });
    expect(decide(seen({ exports: [one], scope: 'Cluster' }))).toMatchObject({ rules: [{ resources: ['widgets'] }] });
  });

  it('is none when its namespace is not one of this backend', () => {
    expect(decide(seen({ isMarked: false }))).toEqual({ is: 'ignore' });
  });

  it('has rights everywhere only where that is the scope', () => {
    expect(decide(seen({ scope: 'Cluster' }))).toMatchObject({ isClusterWide: true });
  });

  it.each<[string, Partial<Seen>]>([
    ['has no ClusterBinding', { binding: undefined }],
    ['has no namespace', { namespace: undefined }],
    ['is being removed', { namespace: namespace({ deletionTimestamp: '2026-01-01T00:00:00Z' }) }],
    ['is not one that a backend made', { namespace: namespace({ annotations: {} }) }],
  ])('is ignored when it %s', (_, rest) => {
    expect(decide(seen(rest))).toEqual({ is: 'ignore' });
  });

  it('is served as well when an AppClusterBinding made it', () => {
    const derived = binding({ labels: { [labels.appClusterBindingName]: 'prod' } });

    expect(decide(seen({ binding: derived, namespace: namespace({ annotations: {} }) })).is).toBe('serve');
  });
});

describe('what a ClusterBinding says', () => {
  const said = (...states: Parameters<typeof changedConditions>[1]) =>
    changedConditions({ status: {} }, states, now) ?? [];

  it('is summed up in Ready', () => {
    expect(said(granted).map(({ type, status }) => [type, status])).toEqual([
      ['Ready', 'True'],
      ['RightsGranted', 'True'],
    ]);
    expect(said(notGranted('no.'))[0]).toMatchObject({ type: 'Ready', status: 'False', reason: 'GrantFailed' });
  });

  it('is not written twice', () => {
    const later = new Date(now.getTime() + 60_000);

    expect(changedConditions({ status: { conditions: said(granted) } }, [granted], later)).toBeUndefined();
  });

  it('keeps what others say, and counts it', () => {
    const others = [
      {
        type: 'SecretValid',
        status: 'False' as const,
        severity: 'Error' as const,
        reason: 'X',
        lastTransitionTime: 'y',
      },
    ];
    const after = changedConditions({ status: { conditions: others } }, [granted], now);

    expect(after).toContainEqual(others[0]);
    expect(after?.[0]).toMatchObject({ type: 'Ready', status: 'False', reason: 'X' });
  });
});

describe('a refused grant is tried again', () => {
  const refusedFor = (seconds: number) => {
    const since = new Date(now.getTime() - seconds * 1000);
    return { ...binding(), status: { conditions: changedConditions(binding(), [notGranted('no')], since) } };
  };

  it.each([
    ['at once when it is new', binding(), 1_000],
    ['soon while it lasts for seconds', refusedFor(5), 5_000],
    ['once a minute when it lasts', refusedFor(3_600), 60_000],
    ['at once after a clock that was ahead', refusedFor(-30), 1_000],
    [
      'at once when rights were granted before',
      { ...binding(), status: { conditions: changedConditions(binding(), [granted], now) } },
      1_000,
    ],
  ])('%s', (_, present, expected) => {
    expect(refusedMs(present, now)).toBe(expected);
  });
});
