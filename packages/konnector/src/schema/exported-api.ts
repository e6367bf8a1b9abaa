import { type CustomResourceDefinition, type ExportedApi, sourceSpecHash } from '@klutch/api';
import { type Api, listKindOf, singularOf } from './compare/compare-apis.ts';

/**
 * Digest of an API as an export states it. Two specs with the same digest mean the same API: what API servers fill in,
 * and fields that no export can carry, do not count.
 */
export function apiDigest(spec: Api): string {
  const { group, names, scope, versions } = spec;
  return sourceSpecHash({
    group,
    names: { ...names, singular: singularOf(names), listKind: listKindOf(names) },
    scope,
    versions: versions.map(exportedPart),
  });
}

/** The spec of a CRD brought to another API; what an export says nothing of stays. */
export function withApi(spec: CustomResourceDefinition['spec'], api: Api): CustomResourceDefinition['spec'] {
  const { group, names, scope, versions } = api;
  return { ...spec, group, names, scope, versions };
}

function exportedPart(version: Api['versions'][number]): ExportedApi['versions'][number] {
  const { name, served, storage, deprecated, deprecationWarning, schema, subresources, additionalPrinterColumns } =
    version;
  return {
    name,
    served,
    storage,
    deprecated,
    deprecationWarning,
    schema: { openAPIV3Schema: schema?.openAPIV3Schema ?? {} },
    subresources,
    additionalPrinterColumns,
  };
}
