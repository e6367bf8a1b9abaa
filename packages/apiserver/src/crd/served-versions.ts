import { compileType, customResourceResetFields, type OwnershipScope, type ValueType } from '../apply/index.ts';
import {
  allVerbs,
  bucketOf,
  type PrinterColumn,
  type ServedResource,
  type Strategy,
} from '../registry/served-resource.ts';
import { compileSchema } from '../schema/index.ts';
import { fieldAtPath } from '../select/index.ts';
import type { Crd, CrdVersion } from './crd.ts';

/** The column shown when a CRD names none. */
const age: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'CreationTimestamp is a timestamp representing the server time when this object was created.',
};

const strategy: Strategy = { unconditionalUpdate: false, tracksGeneration: true };

/** Pure: the resource types that clients can address once a CRD is established, one per served version. */
export function servedVersions(crd: Crd): readonly ServedResource[] {
  const storage = crd.spec.versions.find(({ storage }) => storage);
  const names = crd.status?.acceptedNames ?? crd.spec.names;
  const { group } = crd.spec;
  const types = new Map(
    crd.spec.versions.map((version) => [`${group}/${version.name}`, compileType(schemaOf(version))]),
  );
  const schemas = new Map(crd.spec.versions.map((version) => [version.name, compileSchema(schemaOf(version))]));
  const withStatus = crd.spec.versions
    .filter((version) => version.subresources?.status)
    .map(({ name }) => `${group}/${name}`);
  return crd.spec.versions
    .filter(({ served }) => served)
    .map((version) => ({
      group,
      version: version.name,
      resource: names.plural,
      singular: names.singular ?? '',
      kind: names.kind,
      listKind: names.listKind ?? `${names.kind}List`,
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      namespaced: crd.spec.scope === 'Namespaced',
      verbs: allVerbs,
      bucket: bucketOf({ group, resource: names.plural }),
      storageApiVersion: `${group}/${storage?.name ?? version.name}`,
      schema: schemas.get(version.name),
      storageSchema: storage && storage !== version ? schemas.get(storage.name) : undefined,
      hasStatus: version.subresources?.status !== undefined,
      scale: version.subresources?.scale,
      columns: version.additionalPrinterColumns ?? [age],
      selectableFields: selectableFields(version),
      strategy,
      ownership: (subresource) => ownership(crd, version, subresource, types, withStatus),
      builtIn: false,
      deprecationWarning: deprecationWarning(crd, version),
    }));
}

function schemaOf(version: CrdVersion) {
  return version.schema?.openAPIV3Schema ?? {};
}

function ownership(
  crd: Crd,
  version: CrdVersion,
  subresource: string | undefined,
  types: ReadonlyMap<string, ValueType>,
  withStatus: readonly string[],
): OwnershipScope {
  const apiVersion = `${crd.spec.group}/${version.name}`;
  const reset = customResourceResetFields(apiVersion, subresource, withStatus);
  return { apiVersion, kind: crd.spec.names.kind, subresource, types, reset };
}

function selectableFields(version: CrdVersion): ServedResource['selectableFields'] {
  return Object.fromEntries(
    (version.selectableFields ?? []).map(({ jsonPath }) => [jsonPath.replace(/^\./, ''), fieldAtPath(jsonPath)]),
  );
}

function deprecationWarning(crd: Crd, { name, deprecated, deprecationWarning: text }: CrdVersion): string | undefined {
  return deprecated ? (text ?? `${crd.spec.group}/${name} ${crd.spec.names.kind} is deprecated`) : undefined;
}
