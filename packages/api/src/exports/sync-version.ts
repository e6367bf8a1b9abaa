import { KlutchError } from '../errors/klutch-error.ts';
import type { APIServiceExport } from '../kinds/api-service-export.ts';

/**
 * The version in which objects of an exported API travel between the clusters: the first served one in list order, not
 * the storage version. Both sides must choose alike. Throws `KLUTCH_EXPORT_INVALID` when no version is served.
 */
export function syncVersion(apiExport: APIServiceExport): string {
  const first = apiExport.spec.versions.find((version) => version.served);
  if (first === undefined) {
    throw new KlutchError(
      'KLUTCH_EXPORT_INVALID',
      `APIServiceExport ${apiExport.metadata.name} serves no version. Ask the provider to correct it.`,
    );
  }
  return first.name;
}
