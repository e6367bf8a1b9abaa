import { isDeepStrictEqual } from 'node:util';
import type { ObjectRef, UnknownObject } from '@klutch/kube';
import { travellingMetadata } from '../instances/travelling-metadata.ts';
import { type CopySources, copyMarks, type Owner } from './copy-marks.ts';
import { type Fields, withFieldOf } from './field-path.ts';
import type { Rule } from './rule.ts';

/** The copy that an original should have at `place`; with `copy`, parts that must not follow stay as they are there. */
export function renderCopy(
  owner: Owner,
  original: UnknownObject,
  place: ObjectRef,
  rule: Rule,
  sources: CopySources,
  copy?: UnknownObject,
): UnknownObject {
  const carried = travellingMetadata(original.metadata, rule.metadata[owner]);
  const marks = copyMarks(owner, original, place, carried, sources);
  return {
    ...blended(contentOf(original), copy && contentOf(copy), rule),
    apiVersion: original.apiVersion,
    kind: original.kind,
    metadata: {
      name: place.name,
      namespace: place.namespace,
      labels: { ...carried.labels, ...marks.labels },
      annotations: { ...carried.annotations, ...marks.annotations },
    },
  };
}

/** Everything of an object that is neither metadata nor status. */
export function contentOf(object: UnknownObject): Fields {
  const { apiVersion: _, kind: __, metadata: ___, status: ____, ...content } = object;
  return content;
}

/** Whether the copy has all labels and annotations that it should have; more are somebody else's. */
export function hasMetadata(copy: UnknownObject, wanted: UnknownObject): boolean {
  return (
    includes(copy.metadata.labels, wanted.metadata.labels) &&
    includes(copy.metadata.annotations, wanted.metadata.annotations)
  );
}

export function hasContent(copy: UnknownObject, wanted: UnknownObject): boolean {
  return isDeepStrictEqual(contentOf(copy), contentOf(wanted));
}

/** Whether the change from `copy` to `wanted` is one that API servers refuse for an existing object. */
export function needsNewObject(copy: UnknownObject, wanted: UnknownObject): boolean {
  if (hasContent(copy, wanted)) return false;
  if (copy['immutable'] === true) return true;
  return wanted.kind === 'Secret' && copy['type'] !== wanted['type'];
}

/** The update of an existing copy: `wanted`, with all that others added, less the metadata keys that were ours. */
export function renderUpdate(copy: UnknownObject, wanted: UnknownObject, managers: readonly string[]): UnknownObject {
  const { managedFields = [], ...metadata } = copy.metadata;
  const owned = (part: 'labels' | 'annotations') => ownedKeys(managedFields, managers, part);
  return {
    ...(copy['status'] === undefined ? {} : { status: copy['status'] }),
    ...wanted,
    metadata: {
      ...metadata,
      labels: { ...without(metadata.labels, owned('labels')), ...wanted.metadata.labels },
      annotations: { ...without(metadata.annotations, owned('annotations')), ...wanted.metadata.annotations },
    },
  };
}

function blended(content: Fields, existing: Fields | undefined, { fields }: Rule): Fields {
  if (fields === undefined || existing === undefined) return content;
  return fields.mode === 'only'
    ? fields.paths.reduce<Fields>((result, path) => withFieldOf(result, content, path), existing)
    : fields.paths.reduce<Fields>((result, path) => withFieldOf(result, existing, path), content);
}

/** Keys of a map in metadata that one of the managers wrote. */
function ownedKeys(managedFields: readonly unknown[], managers: readonly string[], part: string): ReadonlySet<string> {
  const keys = managedFields.flatMap((entry) => {
    const { manager, fieldsV1 } = entry as { readonly manager?: string; readonly fieldsV1?: FieldSet };
    if (manager === undefined || !managers.includes(manager)) return [];
    return Object.keys(fieldsV1?.['f:metadata']?.[`f:${part}`] ?? {});
  });
  return new Set(keys.map((key) => key.replace(/^f:/, '')));
}

interface FieldSet {
  readonly [field: string]: FieldSet | undefined;
}

type Entries = Readonly<Record<string, string>>;

function includes(have: Entries = {}, wanted: Entries = {}): boolean {
  return Object.entries(wanted).every(([key, value]) => have[key] === value);
}

function without(entries: Entries = {}, keys: ReadonlySet<string>): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.has(key)));
}
