import { isDeepStrictEqual } from 'node:util';
import { dns1035LabelProblems, dnsSubdomainProblems } from '../metadata/name-rules.ts';
import { invalid, notSupported, required } from '../schema/fields/field-error.ts';
import type { FieldCause } from '../status/status-error.ts';
import { approvalProblems } from './api-approval.ts';
import { type Crd, type CrdVersion, isEstablished } from './crd.ts';
import { type HubSpec, hubSpecOf, shownVersions } from './hub-spec.ts';
import { conversionProblems } from './validate-conversion.ts';
import { namesProblems, wantedNamesProblems } from './validate-names.ts';
import { contentProblems, deprecationProblems } from './validate-version.ts';

/** Pure: what is wrong with a new CustomResourceDefinition, in the words and the order of Kubernetes. */
export function crdProblems(crd: Crd): readonly FieldCause[] {
  const { metadata, spec } = crd;
  const wanted = `${spec.names?.plural ?? ''}.${spec.group ?? ''}`;
  const misnamed = 'must be spec.names.plural+"."+spec.group';
  return [
    ...(metadata.name === wanted ? [] : [invalid('metadata.name', metadata.name ?? '', misnamed)]),
    ...specProblems(crd, undefined),
    ...restProblems(crd, undefined),
  ];
}

/** Pure: what is wrong with a changed definition. */
export function crdUpdateProblems(crd: Crd, old: Crd): readonly FieldCause[] {
  const immutable = (field: string, value: unknown, before: unknown): readonly FieldCause[] =>
    value === before ? [] : [invalid(field, value, 'field is immutable')];
  return [
    ...specProblems(crd, old),
    ...(isEstablished(old)
      ? [
          ...immutable('spec.scope', crd.spec.scope, old.spec.scope),
          ...immutable('spec.names.kind', crd.spec.names.kind, old.spec.names.kind),
        ]
      : []),
    ...immutable('spec.group', crd.spec.group, old.spec.group),
    ...immutable('spec.names.plural', crd.spec.names.plural, old.spec.names.plural),
    ...restProblems(crd, old),
  ];
}

/** Pure: what is wrong with a changed status of a definition. */
export function crdStatusProblems({ status }: Crd): readonly FieldCause[] {
  return namesProblems(status?.acceptedNames ?? {}, 'status.acceptedNames');
}

function specProblems(crd: Crd, old: Crd | undefined): readonly FieldCause[] {
  const { spec } = crd;
  const hub = hubSpecOf(crd);
  const anyStatus = spec.versions?.some((version) => version.subresources?.status !== undefined) ?? false;
  return [
    ...groupProblems(spec.group),
    ...scopeProblems(spec.scope),
    ...missingSchemas(spec.versions ?? []),
    ...hub.versions.flatMap((version, index) => versionProblems(version, spec.versions[index], index, old)),
    ...versionsProblems(hub, spec.versions ?? []),
    ...wantedNamesProblems(spec.names ?? {}, 'spec.names'),
    ...contentProblems(hub.shared, {
      field: 'spec',
      schemaField: 'spec.validation',
      hasStatus: anyStatus,
      isUnchanged: isSchemaUnchanged(spec.versions?.[0], old),
    }),
    ...conversionProblems(spec.conversion, 'spec.conversion'),
  ];
}

function restProblems(crd: Crd, old: Crd | undefined): readonly FieldCause[] {
  const { spec } = crd;
  const keep =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [
    ...crdStatusProblems(crd),
    ...storedVersionsProblems(crd),
    ...approvalProblems(crd, old),
    ...(spec.preserveUnknownFields && !old?.spec.preserveUnknownFields
      ? [invalid('spec.preserveUnknownFields', true, keep)]
      : []),
  ];
}

function groupProblems(group: string): readonly FieldCause[] {
  if (!group) return [required('spec.group')];
  const problems = dnsSubdomainProblems(group);
  if (problems.length > 0) return [invalid('spec.group', group, problems.join(','))];
  return group.includes('.') ? [] : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function scopeProblems(scope: string): readonly FieldCause[] {
  if (!scope) return [required('spec.scope')];
  const scopes = ['Cluster', 'Namespaced'];
  return scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)];
}

function missingSchemas(versions: readonly CrdVersion[]): readonly FieldCause[] {
  return versions.flatMap(({ schema }, index) =>
    schema?.openAPIV3Schema ? [] : [required(`spec.versions[${index}].schema.openAPIV3Schema`)],
  );
}

function versionProblems(
  version: CrdVersion,
  whole: CrdVersion | undefined,
  index: number,
  old: Crd | undefined,
): readonly FieldCause[] {
  const field = `spec.versions[${index}]`;
  const misnamed = dns1035LabelProblems(version.name ?? '');
  return [
    ...(misnamed.length > 0 ? [invalid(`${field}.name`, version.name ?? '', misnamed.join(','))] : []),
    ...deprecationProblems(version).map((problem) =>
      invalid(`${field}.deprecationWarning`, version.deprecationWarning, problem),
    ),
    ...contentProblems(version, {
      field,
      schemaField: `${field}.schema`,
      hasStatus: whole?.subresources?.status !== undefined,
      isUnchanged: isSchemaUnchanged(whole, old),
    }),
  ];
}

function versionsProblems({ versions }: HubSpec, whole: readonly CrdVersion[]): readonly FieldCause[] {
  const names = whole.map(({ name }) => name);
  const storageCount = whole.filter(({ storage }) => storage).length;
  const first = names[0] ? dns1035LabelProblems(names[0]) : [];
  const wrong = (problem: string) => invalid('spec.versions', shownVersions(versions), problem);
  return [
    ...(new Set(names).size < names.length ? [wrong('must contain unique version names')] : []),
    ...(storageCount === 1 ? [] : [wrong('must have exactly one version marked as storage version')]),
    ...(first.length > 0 ? [invalid('spec.version', names[0], first.join(','))] : []),
  ];
}

function storedVersionsProblems({ spec, status }: Crd): readonly FieldCause[] {
  const field = 'status.storedVersions';
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) return [invalid(field, null, 'must have at least one stored version')];
  const versions = spec.versions ?? [];
  const missing = versions.filter(({ storage, name }) => storage && !stored.includes(name));
  return [
    ...missing.map(({ name }) => invalid(field, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((version, index) => {
      if (versions.some(({ name }) => name === version)) return [];
      const problem = `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
      return [invalid(`${field}[${index}]`, version, problem)];
    }),
  ];
}

function isSchemaUnchanged(version: CrdVersion | undefined, old: Crd | undefined): boolean {
  const before = old?.spec.versions.find(({ name }) => name === version?.name);
  return before !== undefined && isDeepStrictEqual(version?.schema, before.schema);
}
