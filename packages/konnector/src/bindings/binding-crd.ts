import { annotations, apiServiceBindingCrd, type CustomResourceDefinition } from '@klutch/api';
import { apiDigest } from '../schema/exported-api.ts';

/** The CRD of bindings as a konnector of that version makes it. */
export function bindingCrdOf(version: string): CustomResourceDefinition {
  return marked(apiServiceBindingCrd, version);
}

/**
 * The CRD of bindings brought to what a konnector of that version needs; undefined when it has to stay as it is. Only
 * one that a konnector of ours made is changed, and only by one that is not older than the one that changed it last.
 * Whatever version it serves it goes on to serve.
 */
export function renewedBindingCrd(
  found: CustomResourceDefinition,
  version: string,
  own: CustomResourceDefinition = apiServiceBindingCrd,
): CustomResourceDefinition | undefined {
  const marks = found.metadata.annotations ?? {};
  if (marks[annotations.schema] === apiDigest(own.spec) || found.spec.scope !== own.spec.scope) return undefined;
  if (!isAtLeast(version, marks[annotations.madeByVersion])) return undefined;
  const names = new Set(own.spec.versions.map(({ name }) => name));
  const others = found.spec.versions.filter(({ name }) => !names.has(name));
  const versions = [...own.spec.versions, ...others.map((other) => ({ ...other, storage: false }))];
  return marked(
    { ...found, spec: { ...found.spec, names: { ...found.spec.names, ...own.spec.names }, versions } },
    version,
    own,
  );
}

function marked(
  crd: CustomResourceDefinition,
  version: string,
  { spec }: CustomResourceDefinition = crd,
): CustomResourceDefinition {
  const marks = { [annotations.madeByVersion]: version, [annotations.schema]: apiDigest(spec) };
  return { ...crd, metadata: { ...crd.metadata, annotations: { ...crd.metadata.annotations, ...marks } } };
}

/** Whether a version is the same as another or later. What is no version is neither. */
function isAtLeast(version: string, other: string | undefined): boolean {
  const [own, theirs] = [partsOf(version), partsOf(other)];
  if (!own || !theirs) return false;
  const difference = own.numbers.map((number, index) => number - (theirs.numbers[index] ?? 0)).find((one) => one !== 0);
  if (difference !== undefined) return difference > 0;
  // A pre-release comes before its release.
  if (own.preRelease === theirs.preRelease || own.preRelease === '') return true;
  return theirs.preRelease !== '' && own.preRelease.localeCompare(theirs.preRelease, 'en', { numeric: true }) > 0;
}

function partsOf(version = ''): { readonly numbers: readonly number[]; readonly preRelease: string } | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(version);
  if (!match) return undefined;
  const [, major, minor, patch, preRelease = ''] = match;
  return { numbers: [Number(major), Number(minor), Number(patch)], preRelease };
}
