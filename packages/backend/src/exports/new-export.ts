import { type APIServiceExport, apiVersion, type ClusterScopedIsolation, type InformerScope } from '@klutch/api';
import type { Offer } from '../templates/catalogue.ts';
import { exportMarks, type SourceApi } from './source-api.ts';

/** How this backend exports. */
export interface ExportSettings {
  readonly consumerScope: InformerScope;
  readonly isolation: ClusterScopedIsolation;
}

/** The export of an offer to one app cluster. Claims are the template's; what a request says of them does not count. */
export function newExport(
  { name, permissionClaims }: Offer,
  source: Extract<SourceApi, { readonly hash: string }>,
  clusterNamespace: string,
  { consumerScope, isolation }: ExportSettings,
): APIServiceExport {
  const { api } = source;
  return {
    apiVersion,
    kind: 'APIServiceExport',
    metadata: { name, namespace: clusterNamespace, annotations: exportMarks(source) },
    spec: {
      ...api,
      informerScope: consumerScope,
      ...(api.scope === 'Cluster' ? { clusterScopedIsolation: isolation } : {}),
      ...(permissionClaims.length > 0 ? { permissionClaims } : {}),
    },
  };
}
