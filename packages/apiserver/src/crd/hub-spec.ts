import { isDeepStrictEqual } from 'node:util';
import { goJson } from '@klutch/cel';
import { ShownAs } from '../schema/fields/field-error.ts';
import { internalSchema } from '../schema/crd/internal-form.ts';
import type { Crd, CrdVersion } from './crd.ts';

/** What versions of a definition may have in common. */
export type VersionContent = Pick<
  CrdVersion,
  'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'
>;

/**
 * A definition as Kubernetes holds it in memory, which is the form its errors speak of: what all versions have in common
 * is said once.
 */
export interface HubSpec {
  readonly shared: VersionContent;
  /** Versions with what is particular to them. */
  readonly versions: readonly CrdVersion[];
}

const contentFields = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/** Pure: what is common to all versions, and what is left in each. */
export function hubSpecOf({ spec }: Crd): HubSpec {
  const versions = spec.versions ?? [];
  const [first] = versions;
  if (!first) return { shared: {}, versions };
  const common = contentFields.filter((field) =>
    versions.every((version) => isDeepStrictEqual(version[field], first[field])),
  );
  const shared = Object.fromEntries(common.map((field) => [field, first[field]]));
  return {
    shared,
    versions: versions.map((version) => ({
      ...version,
      ...Object.fromEntries(common.map((field) => [field, undefined])),
    })),
  };
}

/** Versions in an error: every field, by its Go name. */
export function shownVersions(versions: readonly CrdVersion[]): ShownAs {
  return new ShownAs(`[${versions.map(shownVersion).join(',')}]`);
}

function shownVersion(version: CrdVersion): string {
  const { name, served, storage, deprecated = false, schema, subresources } = version;
  const root = schema?.openAPIV3Schema;
  const fields = [
    ['Name', goJson(name)],
    ['Served', goJson(served)],
    ['Storage', goJson(storage)],
    ['Deprecated', goJson(deprecated)],
    ['DeprecationWarning', goJson(version.deprecationWarning ?? null)],
    ['Schema', schema ? `{"OpenAPIV3Schema":${root ? internalSchema(root).text : 'null'}}` : 'null'],
    ['Subresources', goJson(subresources ?? null)],
    ['AdditionalPrinterColumns', goJson(version.additionalPrinterColumns ?? null)],
    ['SelectableFields', goJson(version.selectableFields ?? null)],
  ];
  return `{${fields.map(([field, text]) => `"${field}":${text}`).join(',')}}`;
}
