import { annotations } from '@klutch/api';
import { expect, it } from 'vitest';
import { tenantsIn } from './instances.ts';

const namespace = (name: string, notes: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, annotations: notes },
});

it('finds the tenant of a namespace by the app cluster that it was made for', () => {
  const identity = '["group","i","acme"]';
  const tenants = tenantsIn([
    namespace('cluster-a', { [annotations.tenantIdentity]: identity, [annotations.tenantName]: 'acme' }),
    namespace('cluster-a-default', { [annotations.apiServiceNamespace]: 'cluster-a/default' }),
    namespace('cluster-go', { [annotations.identity]: 'alice#x' }),
    namespace('cluster-go-default', { [annotations.apiServiceNamespace]: 'cluster-go/default' }),
    namespace('kube-system'),
  ]);
  expect([...tenants]).toEqual([
    ['cluster-a-default', { name: 'acme', clusterNamespace: 'cluster-a', identity }],
    ['cluster-go-default', { name: 'cluster-go', clusterNamespace: 'cluster-go', identity: 'alice#x' }],
  ]);
});
