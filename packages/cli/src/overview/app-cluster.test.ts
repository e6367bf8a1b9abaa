import { annotations, apiVersion, labels } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { appClustersIn } from './app-cluster.ts';

const namespace = (name: string, notes: Readonly<Record<string, string>>, metadata: object = {}): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, annotations: notes, ...metadata },
});
const tenant = { [annotations.tenantIdentity]: '["group","i","acme"]', [annotations.tenantName]: 'acme' };
const none = { bindings: [], exports: [], credentials: [] };

describe('the app clusters of a control plane', () => {
  it('are those bound by a login, with this backend or one in Go, and those of AppClusterBindings', () => {
    const found = appClustersIn({
      ...none,
      namespaces: [
        namespace('c-1', tenant),
        namespace('c-2', { [annotations.identity]: 'ann#x' }),
        namespace('c-3', {}, { labels: { [labels.appClusterBindingName]: 'shop' } }),
        namespace('kube-system', {}),
        namespace('s-1', { [annotations.apiServiceNamespace]: 'c-1/prod' }),
      ],
    });

    expect(found.map((one) => one.namespace)).toEqual(['c-2', 'c-3', 'c-1']);
    expect(found.at(-1)).toMatchObject({ tenant: 'acme', serviceNamespaces: ['s-1'] });
  });

  it.each<[string, Readonly<Record<string, string>>, object, string]>([
    ['have access', {}, {}, 'Granted'],
    ['are silent', { [annotations.silentUntil]: '2026-04-01T00:00:00Z' }, {}, 'ExpiresSoon'],
    ['have expired', { [annotations.access]: 'Expired' }, {}, 'Expired'],
    ['were revoked', { [annotations.access]: 'Revoked' }, {}, 'Revoked'],
    ['are being removed', {}, { deletionTimestamp: '2026-04-01T00:00:00Z' }, 'BeingRemoved'],
  ])('%s', (_, notes, metadata, access) => {
    const namespaces = [namespace('c-1', { ...tenant, ...notes }, metadata)];

    expect(appClustersIn({ ...none, namespaces })[0]?.access).toBe(access);
  });

  it('show what is wrong, and the end of the newest credential', () => {
    const at = '2026-01-01T00:00:00Z';
    const holder = (expiresAt: string) => ({
      metadata: { namespace: 'c-1', annotations: { [annotations.expiresAt]: expiresAt } },
    });
    const [found] = appClustersIn({
      namespaces: [namespace('c-1', tenant)],
      bindings: [
        {
          apiVersion,
          kind: 'ClusterBinding',
          metadata: { name: 'cluster', namespace: 'c-1' },
          spec: { kubeconfigSecretRef: { name: 'kubeconfig', key: 'kubeconfig' }, providerPrettyName: 'P' },
          status: {
            konnectorVersion: 'v2.0.0',
            conditions: [
              { type: 'Healthy', status: 'False', message: 'Silent.', lastTransitionTime: at },
              { type: 'Ready', status: 'False', message: 'Silent.', lastTransitionTime: at },
            ],
          },
        },
      ],
      exports: [],
      credentials: [holder('2026-01-08T00:00:00Z'), holder('2026-01-04T00:00:00Z')],
    });

    expect(found).toMatchObject({
      konnectorVersion: 'v2.0.0',
      credentialEnds: '2026-01-08T00:00:00Z',
      problems: ['Healthy: Silent.'],
    });
  });
});
