import { type APIServiceNamespace, apiServiceNamespaceCrd } from '@klutch/api';
import { accepted, creating, reporting, type Row, yields } from '../row.ts';
import type { Table } from '../table.ts';

const plain = {
  apiVersion: 'klutch.anynines.com/v1alpha1',
  kind: 'APIServiceNamespace',
  metadata: { name: 'team-a' },
} as const satisfies APIServiceNamespace;

const rows: readonly Row[] = [
  creating('accepts a name and nothing else', {}, accepted),
  creating('accepts the empty spec and status of the Go konnector', { spec: {}, status: {} }, accepted),
  reporting(
    'keeps the namespace',
    { namespace: 'cluster-x-team-a' },
    yields({ 'status.namespace': 'cluster-x-team-a' }),
  ),
];

export const apiServiceNamespace: Table = { crd: apiServiceNamespaceCrd, plain, rows };
