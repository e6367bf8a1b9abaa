import { fieldManager, goKonnectorManager } from '@klutch/api';
import type { UnknownObject } from '@klutch/kube';
import { isRecord } from './canonical.ts';

/** An entry of `metadata.managedFields`. */
interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly subresource?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: unknown;
  readonly time?: string;
}

/**
 * Pure: `managedFields` in which what the Go konnector owns by creating or updating belongs to our apply; undefined when
 * there is nothing to hand over. Without this, fields that the user removes would stay, because the Go konnector, which
 * will never write again, still owns them.
 */
export function handOver(copy: UnknownObject): readonly object[] | undefined {
  const entries = (copy.metadata.managedFields ?? []).filter(isRecord) as readonly ManagedFields[];
  const inherited = entries.filter(isGoUpdate);
  if (inherited.length === 0) return undefined;
  const result = new Map<string, ManagedFields>();
  for (const entry of entries) {
    const after = isGoUpdate(entry) ? { ...entry, manager: fieldManager, operation: 'Apply' } : entry;
    const key = JSON.stringify([after.manager, after.operation, after.apiVersion, after.subresource]);
    const before = result.get(key);
    result.set(key, before ? { ...before, fieldsV1: union(before.fieldsV1, after.fieldsV1) } : after);
  }
  return [...result.values()];
}

function isGoUpdate({ manager, operation, subresource }: ManagedFields): boolean {
  return manager === goKonnectorManager && operation === 'Update' && !subresource;
}

/** Sets of fields are trees whose leaves are empty objects. */
function union(a: unknown, b: unknown): unknown {
  if (!isRecord(a)) return b;
  if (!isRecord(b)) return a;
  const merged: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) merged[key] = Object.hasOwn(a, key) ? union(a[key], value) : value;
  return merged;
}
