import { KlutchError } from '../errors/klutch-error.ts';
import type { APIServiceExportSpec } from '../kinds/api-service-export.ts';
import type { CrdVersion, CustomResourceDefinition } from '../kinds/custom-resource-definition.ts';
import type { ExportedVersion } from '../kinds/exported-version.ts';

/** The part of an export that comes from its CRD. The rest comes from the template and the backend's settings. */
export type ExportedApi = Pick<APIServiceExportSpec, 'group' | 'names' | 'scope' | 'versions'>;

/**
 * What to publish of a CRD: its served versions, or with webhook conversion only the storage version, since the app
 * cluster cannot call the webhook. Throws `KLUTCH_CRD_STORAGE_NOT_SERVED` or `KLUTCH_CRD_NOT_EXPORTABLE` for a CRD of
 * which the app cluster could not make one of its own.
 */
export function exportedApi(crd: CustomResourceDefinition): ExportedApi {
  const { group, names, scope, versions, conversion } = crd.spec;
  const served = versions.filter((version) => version.served);
  const storage = versions.find((version) => version.storage);
  if (served.length === 0) throw notExportable(crd, 'it serves no version; set served: true on one');
  if (!storage?.served) throw storageNotServed(crd, storage?.name);
  const exported = conversion?.strategy === 'Webhook' ? [storage] : served;
  return { group, names, scope, versions: exported.map((version) => exportedVersion(crd, version)) };
}

function exportedVersion(crd: CustomResourceDefinition, version: CrdVersion): ExportedVersion {
  const openAPIV3Schema = version.schema?.openAPIV3Schema;
  if (openAPIV3Schema === undefined) throw notExportable(crd, `version ${version.name} has no schema; add one`);
  // A version may have fields that no export knows; they stay on the control plane.
  const { name, served, storage, deprecated, deprecationWarning, subresources, additionalPrinterColumns } = version;
  return {
    name,
    served,
    storage,
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
    schema: { openAPIV3Schema },
    ...(subresources === undefined ? {} : { subresources }),
    ...(additionalPrinterColumns === undefined ? {} : { additionalPrinterColumns }),
  };
}

function storageNotServed(crd: CustomResourceDefinition, storage: string | undefined): KlutchError {
  return new KlutchError(
    'KLUTCH_CRD_STORAGE_NOT_SERVED',
    `CustomResourceDefinition ${crd.metadata.name} cannot be exported: its storage version ${storage ?? '(none)'} is not served. ` +
      'Serve that version, or store a version that is served.',
  );
}

function notExportable(crd: CustomResourceDefinition, why: string): KlutchError {
  return new KlutchError(
    'KLUTCH_CRD_NOT_EXPORTABLE',
    `CustomResourceDefinition ${crd.metadata.name} cannot be exported: ${why}.`,
  );
}
