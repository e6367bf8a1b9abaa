import { isDeepStrictEqual } from 'node:util';
import type { CrdVersion, CustomResourceDefinition } from '@klutch/api';
import { compareSchemas } from './compare-schemas.ts';
import { breaking, type Finding, needsCare } from './finding.ts';
import { asSchema } from './structural-schema.ts';

/** The part of a CRD that makes up its API. */
export type Api = Pick<CustomResourceDefinition['spec'], 'group' | 'names' | 'scope' | 'versions'>;

/** What happens to objects and users of an API when it changes. `stored` are the versions objects may be stored in. */
export function compareApis(before: Api, after: Api, stored: readonly string[]): readonly Finding[] {
  return [
    ...compareIdentity(before, after),
    ...compareAliases(before, after),
    ...before.versions.flatMap((version) => compareVersion(version, versionOf(after, version.name), stored)),
    ...compareStorage(before, after),
    ...compareFirstServed(before, after),
  ];
}

function compareIdentity(before: Api, after: Api): readonly Finding[] {
  const facts: readonly (readonly [string, string, string])[] = [
    ['group', before.group, after.group],
    ['scope', before.scope, after.scope],
    ['kind', before.names.kind, after.names.kind],
    ['plural', before.names.plural, after.names.plural],
  ];
  return facts.flatMap(([fact, was, is]) =>
    was === is ? [] : [breaking('', `the ${fact} changes from ${was} to ${is}`)],
  );
}

function compareAliases({ names: before }: Api, { names: after }: Api): readonly Finding[] {
  const gone = (['shortNames', 'categories'] as const).flatMap((list) =>
    (before[list] ?? []).filter((alias) => !after[list]?.includes(alias)).map((alias) => `${list} loses ${alias}`),
  );
  const changed = [
    ...(singularOf(before) === singularOf(after) ? [] : [`the singular changes to ${singularOf(after)}`]),
    ...(listKindOf(before) === listKindOf(after) ? [] : [`the kind of lists changes to ${listKindOf(after)}`]),
  ];
  return [...gone, ...changed].map((sentence) => needsCare('', sentence));
}

/** Singular as API servers fill it in. */
export function singularOf(names: Api['names']): string {
  return names.singular || names.kind.toLowerCase();
}

/** Kind of lists as API servers fill it in. */
export function listKindOf(names: Api['names']): string {
  return names.listKind || `${names.kind}List`;
}

function compareVersion(
  before: CrdVersion,
  after: CrdVersion | undefined,
  stored: readonly string[],
): readonly Finding[] {
  const { name } = before;
  if (after === undefined) {
    if (stored.includes(name)) return [breaking(name, 'is removed although objects may be stored in it')];
    return before.served ? [breaking(name, 'is removed although it is served')] : [];
  }
  if (before.served && !after.served) return [breaking(name, 'is no longer served')];
  return [
    ...compareSchemas(schemaOf(before), schemaOf(after), `${name} `),
    ...compareSubresources(before, after),
    ...compareDeprecation(before, after),
    ...compareColumns(before, after),
  ];
}

function compareSubresources(before: CrdVersion, after: CrdVersion): readonly Finding[] {
  const [was, is] = [before.subresources ?? {}, after.subresources ?? {}];
  const status = was.status === undefined ? 'absent' : 'present';
  const statusFindings =
    status === (is.status === undefined ? 'absent' : 'present')
      ? []
      : status === 'present'
        ? [breaking(before.name, 'loses its subresource status')]
        : [needsCare(before.name, 'gains the subresource status')];
  if (was.scale === undefined || isDeepStrictEqual(was.scale, is.scale)) return statusFindings;
  const scale =
    is.scale === undefined
      ? breaking(before.name, 'loses its subresource scale')
      : needsCare(before.name, 'changes the paths of its subresource scale');
  return [...statusFindings, scale];
}

function compareDeprecation(before: CrdVersion, after: CrdVersion): readonly Finding[] {
  if (after.deprecated !== true || before.deprecated === true) return [];
  return [
    needsCare(before.name, `is now deprecated${after.deprecationWarning ? `: ${after.deprecationWarning}` : ''}`),
  ];
}

function compareColumns(before: CrdVersion, after: CrdVersion): readonly Finding[] {
  const columns = after.additionalPrinterColumns ?? [];
  return (before.additionalPrinterColumns ?? []).flatMap((column) => {
    const now = columns.find(({ name }) => name === column.name);
    if (now === undefined) return [needsCare(before.name, `no longer shows the column ${column.name}`)];
    const same = now.jsonPath === column.jsonPath && now.type === column.type;
    return same ? [] : [needsCare(before.name, `shows something else in the column ${column.name}`)];
  });
}

/** Without a webhook, an object is read in another version as it is: fields that the version does not know are lost. */
function compareStorage(before: Api, after: Api): readonly Finding[] {
  const [was, is] = [storageOf(before), storageOf(after)];
  if (was === undefined || is === undefined || was.name === is.name) return [];
  return [
    needsCare('', `objects are stored as ${is.name} instead of ${was.name}`),
    ...compareSchemas(schemaOf(was), schemaOf(is), `${was.name} read as ${is.name} `),
  ];
}

function compareFirstServed(before: Api, after: Api): readonly Finding[] {
  const [was, is] = [before, after].map((api) => api.versions.find(({ served }) => served)?.name);
  if (was === undefined || is === undefined || was === is || versionOf(after, was) === undefined) return [];
  return [needsCare('', `objects travel as ${is} instead of ${was}`)];
}

function storageOf(api: Api): CrdVersion | undefined {
  return api.versions.find(({ storage }) => storage);
}

function versionOf(api: Api, name: string): CrdVersion | undefined {
  return api.versions.find((version) => version.name === name);
}

function schemaOf(version: CrdVersion) {
  return asSchema(version.schema?.openAPIV3Schema);
}
