import { apiServiceBindingCrd, clusterScopedAPIServiceBindingCrd, type APIServiceBinding } from '@klutch/api';
import { accepted, creating, reporting, type Row, yields } from '../row.ts';
import type { Table } from '../table.ts';
import { conditionRows } from './conditions.ts';
import { acceptablePermissionClaimRows } from './permission-claims.ts';
import { clusterSecretKeyRefRows } from './secret-key-ref.ts';

const plain = {
  apiVersion: 'klutch.anynines.com/v1alpha1',
  kind: 'APIServiceBinding',
  metadata: { name: 'widgets.example.org' },
  spec: { kubeconfigSecretRef: { name: 'kubeconfig-x', namespace: 'klutch-bind', key: 'kubeconfig' } },
} as const satisfies APIServiceBinding;

const rows: readonly Row[] = [
  creating('accepts an object without spec', { spec: undefined }, accepted),
  ...clusterSecretKeyRefRows,
  ...acceptablePermissionClaimRows('spec.permissionClaims'),
  reporting(
    'keeps the name of the provider',
    { providerPrettyName: 'Acme' },
    yields({ 'status.providerPrettyName': 'Acme' }),
  ),
  ...conditionRows,
];

export const apiServiceBinding: Table = { crd: apiServiceBindingCrd, plain, rows };

/** The form of released components: but for the scope the same CRD. */
export const clusterScopedAPIServiceBinding: Table = { crd: clusterScopedAPIServiceBindingCrd, plain, rows: [] };
