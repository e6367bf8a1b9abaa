import { type ClusterBinding, falseCondition, findCondition } from '@klutch/api';
import { renderKubeconfig, type Secret } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { decide, goDuration, konnectorVersion, type Seen } from './decide.ts';

const now = new Date('2026-01-31T12:00:00.500Z');
const intervalMs = 300_000;
const good = renderKubeconfig({ server: 'https://cp.example', namespace: 'cluster-a', user: { token: 'hush-hush' } });

function secret(data: Record<string, string>): Secret {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
    type: 'Opaque',
    data: Object.fromEntries(encoded),
  };
}

function clusterBinding(status: ClusterBinding['status'] = {}): ClusterBinding {
  return {
    apiVersion: 'klutch.anynines.com/v1alpha1',
    kind: 'ClusterBinding',
    metadata: { name: 'cluster', namespace: 'cluster-a' },
    spec: { kubeconfigSecretRef: { name: 'kubeconfig', key: 'kubeconfig' }, providerPrettyName: 'P' },
    status,
  };
}

const seen = (rest: Partial<Seen> = {}): Seen => ({
  clusterBinding: clusterBinding(),
  offered: secret({ kubeconfig: good }),
  used: secret({ kubeconfig: good }),
  version: { is: 'known', version: 'v1.2.3' },
  carriesSecret: true,
  intervalMs,
  isDue: true,
  now,
  ...rest,
});
const conditionsOf = (status: ClusterBinding['status']) => status?.conditions;

/** The status once a decision was carried out. */
function after(first: Seen): ClusterBinding {
  return clusterBinding({ ...first.clusterBinding.status, ...decide(first).status });
}

describe('a heartbeat', () => {
  it('tells everything the first time', () => {
    const { status, secret: carried } = decide(seen());

    expect(status).toMatchObject({
      lastHeartbeatTime: '2026-01-31T12:00:00Z',
      heartbeatInterval: '5m0s',
      konnectorVersion: 'v1.2.3',
    });
    expect(conditionsOf(status)?.map(({ type, status: is }) => [type, is])).toEqual([
      ['Ready', 'True'],
      ['SecretValid', 'True'],
      ['ValidVersion', 'True'],
    ]);
    expect(carried).toBeUndefined();
  });

  it.each(['2026-01-31T11:59:59Z', '2026-01-31T02:00:00Z', '2027-01-01T00:00:00Z'])(
    'is sent when it is due and not before, whatever time the last one has: %s',
    (lastHeartbeatTime) => {
      const before = clusterBinding({ ...after(seen()).status, lastHeartbeatTime });

      expect(decide(seen({ clusterBinding: before, isDue: false })).status).toBeUndefined();
      expect(decide(seen({ clusterBinding: before })).status).toEqual({ lastHeartbeatTime: '2026-01-31T12:00:00Z' });
    },
  );

  it('has a time that differs from the last', () => {
    const again = seen({ clusterBinding: after(seen()) });

    expect(decide(again).status).toBeUndefined();
    const later = decide({ ...again, now: new Date(now.getTime() + 500) });
    expect(later.status).toEqual({ lastHeartbeatTime: '2026-01-31T12:00:01Z' });
  });

  it('keeps what the backend says', () => {
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const unhealthy = { ...falseCondition('Healthy', 'Warning', 'HeartbeatTimeDrift', 'Drift.'), lastTransitionTime };
    const { status } = decide(seen({ clusterBinding: clusterBinding({ conditions: [unhealthy] }) }));

    expect(findCondition(conditionsOf(status), 'Healthy')).toEqual(unhealthy);
    expect(findCondition(conditionsOf(status), 'Ready')).toMatchObject({
      status: 'False',
      reason: 'HeartbeatTimeDrift',
    });
  });

  it('admits a version that is none', () => {
    const { status } = decide(seen({ version: konnectorVersion('dev') }));

    expect(status).toMatchObject({ konnectorVersion: 'unknown' });
    expect(findCondition(conditionsOf(status), 'ValidVersion')).toMatchObject({
      status: 'False',
      severity: 'Warning',
      reason: 'ParseError',
    });
  });
});

describe('the kubeconfig that a control plane offers', () => {
  it.each<[string, Secret | undefined]>([
    ['is missing here', undefined],
    ['differs', secret({ kubeconfig: 'old' })],
    ['has keys that are gone', secret({ kubeconfig: good, extra: 'x' })],
  ])('is carried over when it %s', (_, used) => {
    expect(decide(seen({ used })).secret).toEqual({ type: 'Opaque', data: secret({ kubeconfig: good }).data });
  });

  it.each<[string, Secret | undefined, string]>([
    ['is missing', undefined, 'ProviderSecretNotFound'],
    ['has no kubeconfig', secret({ other: 'x' }), 'ProviderSecretInvalid'],
    ['cannot be read', secret({ kubeconfig: '{"' }), 'ProviderSecretInvalid'],
    [
      'KON-56 runs a command',
      secret({ kubeconfig: good.replace(/token: .*/, 'exec: {command: evil}') }),
      'ProviderSecretInvalid',
    ],
  ])('is not carried over when it %s', (_, offered, reason) => {
    const { secret: carried, status } = decide(seen({ offered, used: undefined }));

    expect(carried).toBeUndefined();
    const valid = findCondition(conditionsOf(status), 'SecretValid');
    expect(valid).toMatchObject({ status: 'False', severity: 'Warning', reason });
    expect(valid?.message).not.toContain('hush-hush');
  });

  it('is none of our business on the control plane itself', () => {
    const { secret: carried, status } = decide(seen({ carriesSecret: false, offered: undefined, used: undefined }));

    expect(carried).toBeUndefined();
    expect(findCondition(conditionsOf(status), 'SecretValid')).toBeUndefined();
  });
});

describe('what is written for Go to read', () => {
  it.each([
    [300_000, '5m0s'],
    [90_000, '1m30s'],
    [4_000, '4s'],
    [3_600_000, '1h0m0s'],
  ])('%i ms is %s', (ms, text) => {
    expect(goDuration(ms)).toBe(text);
  });

  it.each([
    ['1.5.0', 'v1.5.0'],
    ['v1.5.0', 'v1.5.0'],
    ['1.5.0-rc.1+abc', 'v1.5.0-rc.1'],
  ])('version %s is %s', (text, version) => {
    expect(konnectorVersion(text)).toEqual({ is: 'known', version });
  });
});
