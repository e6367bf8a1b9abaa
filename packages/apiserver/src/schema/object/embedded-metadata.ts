import { dns1123LabelProblems, labelValueProblems, qualifiedNameProblems } from '@klutch/cel';
import { readMetadata } from '../../metadata/read-metadata.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { invalid, tooLong } from '../fields/field-error.ts';
import { child } from '../fields/field-path.ts';

const MAX_ANNOTATION_BYTES = 256 * 1024;

interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

interface EmbeddedMetadata {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/** What is wrong with the metadata of an embedded resource: less is asked than of a real one, a name for example not. */
export function metadataProblems(value: unknown, path: string): FieldCause[] {
  const read = readMetadata(structuredClone(value), undefined);
  if ('problem' in read) return [invalid(path, value, read.problem)];
  const metadata: EmbeddedMetadata = read.metadata;
  const { name = '', generateName = '', namespace = '', generation = 0 } = metadata;
  const report = (field: string, bad: unknown, problems: readonly string[]) =>
    problems.map((problem) => invalid(child(path, field), bad, problem));
  return [
    ...report('generateName', generateName, forbiddenParts(generateName)),
    ...report('name', name, name === '.' || name === '..' ? [`may not be '${name}'`] : forbiddenParts(name)),
    ...report('namespace', namespace, namespace === '' ? [] : dns1123LabelProblems(namespace)),
    ...report('generation', generation, generation < 0 ? ['must be greater than or equal to 0'] : []),
    ...labelProblems(metadata.labels ?? {}, child(path, 'labels')),
    ...annotationProblems(metadata.annotations ?? {}, child(path, 'annotations')),
    ...ownerProblems(metadata.ownerReferences ?? [], child(path, 'ownerReferences')),
    ...finalizerProblems(metadata.finalizers ?? [], child(path, 'finalizers')),
  ];
}

const forbiddenParts = (name: string) =>
  ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);

function labelProblems(labels: Readonly<Record<string, string>>, path: string): FieldCause[] {
  return Object.entries(labels).flatMap(([name, value]) => [
    ...qualifiedNameProblems(name).map((problem) => invalid(path, name, problem)),
    ...labelValueProblems(value).map((problem) => invalid(path, value, problem)),
  ]);
}

function annotationProblems(annotations: Readonly<Record<string, string>>, path: string): FieldCause[] {
  const entries = Object.entries(annotations);
  const bytes = entries.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0);
  const named = entries.flatMap(([name]) =>
    qualifiedNameProblems(name.toLowerCase()).map((problem) => invalid(path, name, problem)),
  );
  return bytes > MAX_ANNOTATION_BYTES ? [...named, tooLong(path, MAX_ANNOTATION_BYTES)] : named;
}

function ownerProblems(owners: readonly OwnerReference[], path: string): FieldCause[] {
  const controllers = owners.filter(({ controller }) => controller).map(({ kind, name }) => `${kind}/${name}`);
  const [first, ...others] = controllers;
  return [
    ...owners.flatMap((owner) => ownerFieldProblems(owner, path)),
    ...others.map((other) => {
      const both = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${other}`;
      return invalid(path, owners, both);
    }),
  ];
}

function ownerFieldProblems(
  { apiVersion = '', kind = '', name = '', uid = '' }: OwnerReference,
  path: string,
): FieldCause[] {
  const version = apiVersion.split('/').at(-1) ?? '';
  return [
    ...(version === '' ? [invalid(child(path, 'apiVersion'), apiVersion, 'version must not be empty')] : []),
    ...(kind === '' ? [invalid(child(path, 'kind'), kind, 'must not be empty')] : []),
    ...(name === '' ? [invalid(child(path, 'name'), name, 'must not be empty')] : []),
    ...(uid === '' ? [invalid(child(path, 'uid'), uid, 'must not be empty')] : []),
  ];
}

function finalizerProblems(finalizers: readonly string[], path: string): FieldCause[] {
  const both = ['orphan', 'foregroundDeletion'].every((name) => finalizers.includes(name));
  const named = finalizers.flatMap((name) =>
    qualifiedNameProblems(name).map((problem) => invalid(path, name, problem)),
  );
  return both
    ? [...named, invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')]
    : named;
}
