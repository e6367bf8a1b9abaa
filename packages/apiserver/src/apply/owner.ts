import { compareBytes, goJson } from '@klutch/cel';
import type { JsonObject, ManagedFieldsEntry } from '../objects/api-object.ts';
import type { FieldSet } from './field-set.ts';
import { parseFieldsV1, toFieldsV1 } from './fields-v1.ts';

/** One entry of `metadata.managedFields`, read. */
export interface Owner {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
  /** `fields` as they were read; absent once they have changed. */
  readonly fieldsV1?: JsonObject;
}

/** Owners by {@link ownerId}. */
export type Owners = ReadonlyMap<string, Owner>;

/** What makes an owner the same one. For appliers the version does not count: they may apply in another one later. */
export function ownerId(owner: Pick<Owner, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string {
  const { manager, operation, apiVersion, subresource } = owner;
  const fields = [
    ['manager', manager],
    ['operation', operation],
    ['apiVersion', operation === 'Apply' ? '' : apiVersion],
    ['subresource', subresource],
  ] as const;
  const present = fields.filter(([, value]) => value !== '').map(([name, value]) => `"${name}":${goJson(value)}`);
  return `{${present.join(',')}}`;
}

/** Reads managedFields; throws an Error when they are not as a server writes them. */
export function readOwners(entries: readonly ManagedFieldsEntry[] | undefined): Owners {
  const owners = new Map<string, Owner>();
  for (const [index, entry] of (entries ?? []).entries()) {
    const owner = readOwner(entry, index);
    owners.set(ownerId(owner), owner);
  }
  return owners;
}

/** Writes managedFields, sorted as Kubernetes does; undefined when nobody owns anything. */
export function writeOwners(owners: Owners): ManagedFieldsEntry[] | undefined {
  if (owners.size === 0) return undefined;
  return [...owners.values()].sort(compareOwners).map(writeOwner);
}

function readOwner(entry: ManagedFieldsEntry, index: number): Owner {
  const { manager, operation, apiVersion, subresource, time, fieldsType, fieldsV1 } = entry;
  if (operation !== 'Apply' && operation !== 'Update') throw new Error('operation must be `Apply` or `Update`');
  if (!apiVersion) throw new Error('apiVersion must not be empty');
  if (!fieldsType) throw new Error(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1')
    throw new Error(`invalid fieldsType "${String(fieldsType)}" in managed fields entry ${index}`);
  return {
    manager: manager ?? '',
    operation,
    apiVersion,
    subresource: subresource ?? '',
    time: time ?? undefined,
    fields: parseFieldsV1(fieldsV1),
    fieldsV1,
  };
}

function writeOwner(owner: Owner): ManagedFieldsEntry {
  const { manager, operation, apiVersion, subresource, time, fields, fieldsV1 } = owner;
  return {
    ...(manager === '' ? {} : { manager }),
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: fieldsV1 ?? toFieldsV1(fields),
    ...(subresource === '' ? {} : { subresource }),
  };
}

function compareOwners(left: Owner, right: Owner): number {
  return (
    compareBytes(left.operation, right.operation) ||
    // Times are written in UTC with seconds, so text order is time order, and no time comes first.
    compareBytes(left.time ?? '', right.time ?? '') ||
    compareBytes(left.manager, right.manager) ||
    compareBytes(left.apiVersion, right.apiVersion) ||
    compareBytes(left.subresource, right.subresource)
  );
}
