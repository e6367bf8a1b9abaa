import type { OwnerReference, UnknownObject } from '@klutch/kube';
import { canonical, digestOf, isRecord } from './canonical.ts';

/**
 * Pure: how a copy falls short of what is wanted; undefined when it holds all of it. Fields that only the copy has are
 * somebody else's and make no difference. Equal shortfalls have equal digests, so that one the control plane insists on
 * can be told from a new one.
 */
export function shortfall(wanted: UnknownObject, copy: UnknownObject): string | undefined {
  const missing: string[] = [];
  const { metadata, ...content } = wanted;
  const { metadata: actual, ...actualContent } = copy;
  collect(content, actualContent, '', missing);
  collect(metadata.labels, actual.labels, '/labels', missing);
  collect(metadata.annotations, actual.annotations, '/annotations', missing);
  for (const reference of metadata.ownerReferences ?? []) {
    if (!hasReference(actual.ownerReferences, reference)) missing.push(`/ownerReferences/${reference.uid}`);
  }
  return missing.length === 0 ? undefined : digestOf(missing);
}

function hasReference(references: readonly OwnerReference[] | undefined, wanted: OwnerReference): boolean {
  return references?.some(({ uid }) => uid === wanted.uid) ?? false;
}

function collect(wanted: unknown, actual: unknown, path: string, missing: string[]): void {
  if (isRecord(wanted) && isRecord(actual)) {
    for (const [key, value] of Object.entries(wanted)) {
      collect(value, Object.hasOwn(actual, key) ? actual[key] : undefined, `${path}/${key}`, missing);
    }
    return;
  }
  if (Array.isArray(wanted) && Array.isArray(actual) && wanted.length === actual.length) {
    for (const [index, item] of wanted.entries()) collect(item, actual[index], `${path}/${index}`, missing);
    return;
  }
  if (isScalar(wanted) && wanted === actual) return;
  // A field without a value means the same as none.
  if ((wanted ?? undefined) === undefined && (actual ?? undefined) === undefined) return;
  missing.push(`${path}=${canonical(actual)}`);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object';
}
