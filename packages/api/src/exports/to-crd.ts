import { KlutchError } from '../errors/klutch-error.ts';
import type { APIServiceExport } from '../kinds/api-service-export.ts';
import type { CustomResourceDefinition } from '../kinds/custom-resource-definition.ts';

/**
 * The CRD an app cluster needs for an export, without owner. Throws `KLUTCH_EXPORT_INVALID` when the export cannot
 * become one, naming what is wrong with it.
 */
export function crdOfExport(apiExport: APIServiceExport): CustomResourceDefinition {
  const problem = problemOf(apiExport);
  if (problem !== undefined) {
    throw new KlutchError(
      'KLUTCH_EXPORT_INVALID',
      `APIServiceExport ${apiExport.metadata.name} cannot become a CustomResourceDefinition: ${problem}. Ask the provider to correct it.`,
    );
  }
  const { group, names, scope, versions } = apiExport.spec;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: apiExport.metadata.name },
    spec: {
      group,
      names,
      scope,
      versions: versions.map((version) => ({ ...version, subresources: version.subresources ?? {} })),
    },
  };
}

function problemOf(apiExport: APIServiceExport): string | undefined {
  const { group, names, versions } = apiExport.spec;
  const name = `${names.plural}.${group}`;
  const stored = versions.filter((version) => version.storage);
  if (apiExport.metadata.name !== name) return `its name is not ${name}`;
  if (!versions.some((version) => version.served)) return 'it serves no version';
  if (stored.length === 0) return 'it has no storage version';
  if (stored.length > 1) return `it has ${stored.length} storage versions`;
  return undefined;
}
