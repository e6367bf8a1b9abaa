import { goQuote } from '@klutch/cel';
import type { ApiObject, Metadata, OwnerReference } from '../objects/api-object.ts';
import { hasOwnServer, type ServedResource } from '../registry/served-resource.ts';
import type { FieldCause } from '../status/status-error.ts';
import {
  asPrefix,
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from './name-rules.ts';

const maxAnnotationBytes = 256 * 1024;

/** Pure: what is wrong with the metadata of a new object. */
export function metadataProblems(object: ApiObject, resource: ServedResource): readonly FieldCause[] {
  const { metadata } = object;
  return [
    ...nameCauses(metadata, resource),
    ...namespaceCauses(metadata, resource),
    ...generationCauses(metadata),
    ...contentProblems(metadata, resource),
  ];
}

const immutableFields = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/** Pure: what is wrong with changed metadata, given what it was. */
export function metadataUpdateProblems(
  { metadata }: ApiObject,
  { metadata: old }: ApiObject,
  resource: ServedResource,
): readonly FieldCause[] {
  const immutable = immutableFields
    .filter((field) => metadata[field] !== old[field])
    .map((field) => invalidValue(`metadata.${field}`, metadata[field], 'field is immutable'));
  return [
    ...(old.deletionTimestamp === undefined ? [] : newFinalizers(metadata, old)),
    ...immutable,
    ...contentProblems(metadata, resource),
  ];
}

/** A cause of reason FieldValueInvalid, with the value shown as Kubernetes shows it. */
export function invalidValue(field: string, value: unknown, problem: string): FieldCause {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${shown(value)}: ${problem}` };
}

function shown(value: unknown): string {
  if (value === undefined) return '""';
  return typeof value === 'string' ? goQuote(value) : JSON.stringify(value);
}

function nameCauses({ name, generateName }: Metadata, { strategy }: ServedResource): readonly FieldCause[] {
  const nameProblems = strategy.nameProblems ?? dnsSubdomainProblems;
  const prefixProblems = asPrefix((prefix) => [...nameProblems(prefix)]);
  const causes = generateName
    ? prefixProblems(generateName).map((problem) => invalidValue('metadata.generateName', generateName, problem))
    : [];
  if (name) return [...causes, ...nameProblems(name).map((problem) => invalidValue('metadata.name', name, problem))];
  const message = 'Required value: name or generateName is required';
  return [...causes, { reason: 'FieldValueRequired', field: 'metadata.name', message }];
}

function namespaceCauses({ namespace }: Metadata, { namespaced }: ServedResource): readonly FieldCause[] {
  if (!namespaced || !namespace) return [];
  return dnsLabelProblems(namespace).map((problem) => invalidValue('metadata.namespace', namespace, problem));
}

function generationCauses({ generation = 0 }: Metadata): readonly FieldCause[] {
  return generation < 0 ? [invalidValue('metadata.generation', generation, 'must be greater than or equal to 0')] : [];
}

function contentProblems(metadata: Metadata, resource: ServedResource): readonly FieldCause[] {
  return [
    ...labelCauses(metadata.labels ?? {}),
    ...annotationCauses(metadata.annotations ?? {}),
    ...ownerCauses(metadata.ownerReferences ?? []),
    ...finalizerCauses(metadata.finalizers ?? []),
    ...(hasOwnServer(resource) ? [] : bareFinalizers(metadata.finalizers ?? [])),
  ];
}

function labelCauses(labels: { readonly [key: string]: string }): readonly FieldCause[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalidValue('metadata.labels', key, problem)),
    ...labelValueProblems(value).map((problem) => invalidValue('metadata.labels', value, problem)),
  ]);
}

function annotationCauses(annotations: { readonly [key: string]: string }): readonly FieldCause[] {
  const causes = Object.keys(annotations).flatMap((key) =>
    qualifiedNameProblems(key.toLowerCase()).map((problem) => invalidValue('metadata.annotations', key, problem)),
  );
  const bytes = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes <= maxAnnotationBytes) return causes;
  const message = `Too long: may not be more than ${maxAnnotationBytes} bytes`;
  return [...causes, { reason: 'FieldValueTooLong', field: 'metadata.annotations', message }];
}

function ownerCauses(owners: readonly OwnerReference[]): readonly FieldCause[] {
  const field = 'metadata.ownerReferences';
  const causes = owners.flatMap((owner) => [
    ...(hasVersion(owner) ? [] : [invalidValue(`${field}.apiVersion`, owner.apiVersion, 'version must not be empty')]),
    ...(owner.kind ? [] : [invalidValue(`${field}.kind`, owner.kind, 'must not be empty')]),
    ...(owner.name ? [] : [invalidValue(`${field}.name`, owner.name, 'must not be empty')]),
    ...(owner.uid ? [] : [invalidValue(`${field}.uid`, owner.uid, 'must not be empty')]),
    ...(owner.apiVersion === 'v1' && owner.kind === 'Event'
      ? [invalidValue(field, owner, '/v1, Kind=Event is disallowed from being an owner')]
      : []),
  ]);
  const [first, second] = owners.filter(({ controller }) => controller === true);
  if (!first || !second) return causes;
  const found = `Found "true" in references for ${first.kind}/${first.name} and ${second.kind}/${second.name}`;
  return [...causes, invalidValue(field, owners, `Only one reference can have Controller set to true. ${found}`)];
}

/** What is neither `version` nor `group/version` has none, as far as Kubernetes is concerned. */
function hasVersion({ apiVersion }: OwnerReference): boolean {
  const parts = apiVersion.split('/');
  return parts.length <= 2 && parts.at(-1) !== '';
}

function finalizerCauses(finalizers: readonly string[]): readonly FieldCause[] {
  const field = 'metadata.finalizers';
  const causes = finalizers.flatMap((finalizer) =>
    qualifiedNameProblems(finalizer).map((problem) => invalidValue(field, finalizer, problem)),
  );
  if (!finalizers.includes('orphan') || !finalizers.includes('foregroundDeletion')) return causes;
  return [...causes, invalidValue(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')];
}

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** Built-in kinds keep names without a domain to themselves. */
function bareFinalizers(finalizers: readonly string[]): readonly FieldCause[] {
  const problem = 'name is neither a standard finalizer name nor is it fully qualified';
  return finalizers.flatMap((finalizer, index) =>
    finalizer.includes('/') || standardFinalizers.has(finalizer)
      ? []
      : [invalidValue(`metadata.finalizers[${index}]`, finalizer, problem)],
  );
}

function newFinalizers(metadata: Metadata, old: Metadata): readonly FieldCause[] {
  const before = new Set(old.finalizers ?? []);
  const added = (metadata.finalizers ?? []).filter((finalizer) => !before.has(finalizer)).sort();
  if (added.length === 0) return [];
  const list = added.map((finalizer) => goQuote(finalizer)).join(', ');
  const problem = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [{ reason: 'FieldValueForbidden', field: 'metadata.finalizers', message: `Forbidden: ${problem}` }];
}
