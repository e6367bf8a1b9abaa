import { type ClusterBinding, clusterBindingCrd } from '@klutch/api';
import { accepted, creating, refused, reporting, requiredRows, type Row, updating, yields } from '../row.ts';
import type { Table } from '../table.ts';
import { conditionRows } from './conditions.ts';
import { localSecretKeyRefRows } from './secret-key-ref.ts';

const plain = {
  apiVersion: 'klutch.anynines.com/v1alpha1',
  kind: 'ClusterBinding',
  metadata: { name: 'cluster' },
  spec: { kubeconfigSecretRef: { name: 'kubeconfig', key: 'kubeconfig' }, providerPrettyName: 'Acme' },
} as const satisfies ClusterBinding;

const heartbeat = {
  lastHeartbeatTime: '2026-01-31T12:00:00Z',
  heartbeatInterval: '5m0s',
  konnectorVersion: 'v1.5.0',
};

const rows: readonly Row[] = [
  creating('requires spec', { spec: undefined }, refused('spec', 'Required')),
  creating('refuses another name', { 'metadata.name': 'other' }, refused('<nil>', 'must be cluster')),
  ...localSecretKeyRefRows,
  ...requiredRows('spec', ['providerPrettyName']),
  creating(
    'refuses an empty provider name',
    { 'spec.providerPrettyName': '' },
    refused('spec.providerPrettyName', 'at least 1'),
  ),
  updating('accepts another provider name', {}, { 'spec.providerPrettyName': 'Acme Ltd' }, accepted),
  creating(
    'keeps whatever the provider needs',
    { 'spec.serviceProviderSpec': { any: { thing: [1] } } },
    yields({ 'spec.serviceProviderSpec': { any: { thing: [1] } } }),
  ),
  creating(
    'accepts the status with which the Go backend creates it',
    { status: { heartbeatInterval: '0s' } },
    accepted,
  ),
  reporting('keeps a heartbeat', heartbeat, yields({ status: heartbeat })),
  reporting(
    'refuses a heartbeat without a proper time',
    { ...heartbeat, lastHeartbeatTime: 'now' },
    refused('status.lastHeartbeatTime', 'date-time'),
  ),
  ...conditionRows,
];

export const clusterBinding: Table = { crd: clusterBindingCrd, plain, rows };
