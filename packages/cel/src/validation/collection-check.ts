import { deepEqual } from '../schema/deep-equal.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { invalid, required, tooMany } from './field-error.ts';
import { refuse } from './scalar-check.ts';
import type { Check, Walk } from './walk.ts';

/** Items, length and uniqueness of a list. */
export function listCheck({ minItems, maxItems, uniqueItems }: JsonSchema, items: Check | undefined): Check {
  return (value, walk) => {
    const list = value as readonly unknown[];
    if (items) for (let at = 0; at < list.length; at++) walk.item(at, list[at], items);
    if (minItems !== undefined && list.length < minItems)
      refuse(walk, list.length, `should have at least ${minItems} items`);
    if (maxItems !== undefined && list.length > maxItems) reportTooMany(walk, list.length, maxItems, 'items');
    if (uniqueItems && hasDuplicates(list)) refuse(walk, '', "shouldn't contain duplicates");
    walk.match();
  };
}

const hasDuplicates = (list: readonly unknown[]) =>
  list.some((item, at) => list.slice(0, at).some((earlier) => deepEqual(item, earlier)));

/** The checks for the parts of an object. */
export interface FieldChecks {
  readonly properties: ReadonlyMap<string, Check>;
  /** For fields that are not among the properties; `forbidden` refuses them. */
  readonly additional: Check | 'forbidden' | undefined;
}

/** Number of fields, required ones, and each field by its own check. */
export function fieldsCheck(schema: JsonSchema, { properties, additional }: FieldChecks): Check {
  const { minProperties, maxProperties, required: wanted = [] } = schema;
  return (value, walk) => {
    const fields = value as Readonly<Record<string, unknown>>;
    if (minProperties !== undefined || maxProperties !== undefined) {
      const count = Object.keys(fields).length;
      if (minProperties !== undefined && count < minProperties) {
        refuse(walk, count, `should have at least ${minProperties} properties`);
      }
      if (maxProperties !== undefined && count > maxProperties) reportTooMany(walk, count, maxProperties, 'properties');
    }
    if (additional) checkAdditional(walk, fields, properties, additional);
    for (const [name, check] of properties) {
      if (Object.hasOwn(fields, name)) walk.field(name, fields[name], check);
    }
    for (const name of wanted) {
      if (!Object.hasOwn(fields, name)) reportMissing(walk, name);
    }
  };
}

function checkAdditional(
  walk: Walk,
  fields: Readonly<Record<string, unknown>>,
  properties: ReadonlyMap<string, Check>,
  check: Check | 'forbidden',
): void {
  for (const name in fields) {
    if (properties.has(name)) continue;
    if (check === 'forbidden') refuseField(walk, name);
    else walk.entry(name, fields[name], check);
  }
}

function refuseField(walk: Walk, name: string): void {
  const text = `${walk.path}.${name} in body is a forbidden property`;
  walk.report(text, invalid(walk.fieldPath, name, text));
}

function reportMissing(walk: Walk, name: string): void {
  const { path, fieldPath } = walk;
  walk.report(`${path}.${name} in body is required`, required(fieldPath === '' ? name : `${fieldPath}.${name}`));
}

function reportTooMany(walk: Walk, actual: number, max: number, what: string): void {
  walk.report(`${walk.path} in body should have at most ${max} ${what}`, tooMany(walk.fieldPath, actual, max));
}
