import {
  type APIServiceExport,
  annotations,
  apiVersion,
  type ClusterScopedIsolation,
  type InformerScope,
} from '@klutch/api';
import type { Offer } from '../templates/catalogue.ts';
import type { SourceApi } from './source-api.ts';

/** How this backend exports. */
export interface ExportSettings {
  readonly consumerScope: InformerScope;
  readonly isolation: ClusterScopedIsolation;
}

/** The export of an offer to one app cluster. Claims are the template's; what a request says of them does not count. */
export function newExport(
  { name, permissionClaims }: Offer,
  { api, hash }: Extract<SourceApi, { readonly hash: string }>,
  clusterNamespace: string,
  { consumerScope, isolation }: ExportSettings,
): APIServiceExport {
  return {
    apiVersion,
    kind: 'APIServiceExport',
    metadata: { name, namespace: clusterNamespace, annotations: { [annotations.sourceSpecHash]: hash } },
    spec: {
      ...api,
      informerScope: consumerScope,
      ...(api.scope === 'Cluster' ? { clusterScopedIsolation: isolation } : {}),
      ...(permissionClaims.length > 0 ? { permissionClaims } : {}),
    },
  };
}
