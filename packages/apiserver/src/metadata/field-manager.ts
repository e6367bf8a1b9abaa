import type { ManagedFieldsEntry } from '../objects/api-object.ts';
import { invalid, tooLong } from '../schema/fields/field-error.ts';
import { child, index } from '../schema/fields/field-path.ts';
import type { FieldCause } from '../status/status-error.ts';

const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** Pure: what is wrong with the name of somebody who manages fields. */
export function managerCauses(manager: string, field: string): readonly FieldCause[] {
  const unprintable = manager.search(UNPRINTABLE);
  const code = manager.codePointAt(unprintable)?.toString(16).toUpperCase().padStart(4, '0');
  return [
    ...(Buffer.byteLength(manager) > MAX_MANAGER_BYTES ? [tooLong(field, MAX_MANAGER_BYTES)] : []),
    ...(unprintable === -1
      ? []
      : [invalid(field, manager, `invalid character U+${code} (at position ${unprintable})`)]),
  ];
}

/** Pure: what is wrong with managed fields that can be read. A client may have written them. */
export function managedFieldsCauses(entries: readonly ManagedFieldsEntry[]): readonly FieldCause[] {
  return entries.flatMap(({ manager = '', subresource = '' }, at) => {
    const field = index('metadata.managedFields', at);
    return [
      ...managerCauses(manager, child(field, 'manager')),
      ...(Buffer.byteLength(subresource) > MAX_SUBRESOURCE_BYTES
        ? [tooLong(child(field, 'subresource'), MAX_SUBRESOURCE_BYTES)]
        : []),
    ];
  });
}
