import type { Json } from '../objects/api-object.ts';
import { capOwners } from './cap-owners.ts';
import { difference, type FieldSet, fieldSet, union } from './field-set.ts';
import { ownerId, type Owners } from './owner.ts';
import { ownershipAfterUpdate } from './ownership.ts';
import type { OwnershipScope } from './scope.ts';
import type { Versions } from './versions.ts';

/** Fields nobody owns: the server sets them, or they cannot change. */
export const NEVER_OWNED: FieldSet = fieldSet(
  'apiVersion',
  'kind',
  'metadata',
  'metadata.name',
  'metadata.namespace',
  'metadata.creationTimestamp',
  'metadata.selfLink',
  'metadata.uid',
  'metadata.clusterName',
  'metadata.generation',
  'metadata.managedFields',
  'metadata.resourceVersion',
);

export interface OwnerUpdate {
  readonly scope: OwnershipScope;
  readonly versions: Versions;
  /** Before and after, both without managedFields. */
  readonly live: Json;
  readonly updated: Json;
  readonly owners: Owners;
  readonly manager: string;
  readonly now: Date;
}

/** Who owns what after someone has written an object by other means than apply. */
export function updateOwners({ scope, versions, live, updated, owners, manager, now }: OwnerUpdate): Owners {
  const after = ownershipAfterUpdate(versions, live, updated, owners);
  const changed = difference(after.changed, NEVER_OWNED);
  if (changed.size === 0) return capOwners(after.owners);
  const writer = {
    manager: managerName(manager),
    operation: 'Update',
    apiVersion: scope.apiVersion,
    subresource: scope.subresource ?? '',
  } as const;
  const id = ownerId(writer);
  const previous = after.owners.get(id);
  const fields = previous === undefined ? changed : union(changed, previous.fields);
  return capOwners(new Map(after.owners).set(id, { ...writer, time: timestamp(now), fields }));
}

export function managerName(manager: string): string {
  return manager === '' ? 'unknown' : manager;
}

/** A time as objects carry it: UTC, whole seconds. */
export function timestamp(now: Date): string {
  return `${now.toISOString().slice(0, 19)}Z`;
}
