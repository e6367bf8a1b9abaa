import type { APIServiceExport } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import type { CompleteCatalogue } from '../templates/catalogue.ts';
import { tenantOf } from '../templates/tenant-of.ts';

/**
 * The exports of an app cluster from which rights follow: those that last, and whose API is still offered to the tenant.
 * The catalogue is asked, not the condition of the export, which the app cluster can write.
 */
export function grantingExports(
  exports: readonly APIServiceExport[],
  clusterNamespace: Namespace | undefined,
  catalogue: Pick<CompleteCatalogue, 'withdrawal'>,
): readonly APIServiceExport[] {
  const tenant = clusterNamespace && tenantOf(clusterNamespace);
  return exports.filter(({ metadata, spec: { group, names } }) => {
    if (metadata.deletionTimestamp) return false;
    return catalogue.withdrawal({ group, resource: names.plural }, tenant) === undefined;
  });
}
