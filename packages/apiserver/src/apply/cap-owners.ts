import { compareBytes } from '@klutch/cel';
import { union } from './field-set.ts';
import { type Owner, ownerId, type Owners } from './owner.ts';

const MAX_UPDATERS = 10;

/**
 * Keeps the number of owners by update within bounds: the oldest become one owner `ancient-changes` per API version.
 * Appliers are never touched, as they would lose track of what they own.
 */
export function capOwners(owners: Owners): Owners {
  const updaters = [...owners].filter(([, owner]) => owner.operation === 'Update');
  if (updaters.length <= MAX_UPDATERS) return owners;
  updaters.sort(([leftId, left], [rightId, right]) => {
    return compareBytes(left.time ?? '', right.time ?? '') || compareBytes(leftId, rightId);
  });
  const result = new Map(owners);
  const firstOfVersion = new Map<string, string>();
  let excess = updaters.length - MAX_UPDATERS;
  for (const [id, owner] of updaters) {
    if (excess === 0) break;
    const first = firstOfVersion.get(owner.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(owner.apiVersion, id);
      continue;
    }
    fold(result, first, id);
    excess--;
  }
  return result;
}

/** Moves the fields of an owner into the bucket of its version, which the first owner of that version starts. */
function fold(owners: Map<string, Owner>, firstId: string, id: string): void {
  const owner = owners.get(id) as Owner;
  const { apiVersion, time } = owner;
  const bucket = { manager: 'ancient-changes', operation: 'Update', apiVersion, subresource: '' } as const;
  const bucketId = ownerId(bucket);
  const started = owners.get(bucketId) ?? owners.get(firstId);
  if (!owners.has(bucketId)) owners.delete(firstId);
  owners.delete(id);
  const fields = started === undefined ? owner.fields : union(owner.fields, started.fields);
  owners.set(bucketId, { ...bucket, time, fields });
}
