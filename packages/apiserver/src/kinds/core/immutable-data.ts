import { isDeepStrictEqual } from 'node:util';
import type { ApiObject } from '../../objects/api-object.ts';
import { forbidden } from '../../schema/fields/field-error.ts';
import type { FieldCause } from '../../status/status-error.ts';

/** What a change does to an object whose data was declared final. */
export function immutableCauses(object: ApiObject, old: ApiObject, fields: readonly string[]): readonly FieldCause[] {
  if (old.immutable !== true) return [];
  const changed = fields.filter((field) => !isDeepStrictEqual(object[field], old[field]));
  return [...(object.immutable === true ? [] : ['immutable']), ...changed].map((field) =>
    forbidden(field, 'field is immutable when `immutable` is set'),
  );
}
