import { hasDefault, type JsonSchema } from '@klutch/cel';
import type { FieldCause } from '../../status/status-error.ts';
import { forbidden, invalid, notSupported, required } from '../fields/field-error.ts';
import { child, key } from '../fields/field-path.ts';
import { hasItemList, itemsOf } from './raw-schema.ts';

const LIST_TYPE = 'x-kubernetes-list-type';
const LIST_KEYS = 'x-kubernetes-list-map-keys';
const MAP_TYPE = 'x-kubernetes-map-type';

/** Checks how a schema says lists and maps are to be merged, and that this fits their contents. */
export function collectionProblems(schema: JsonSchema, path: string): FieldCause[] {
  return [
    ...typeProblems(schema, MAP_TYPE, 'object', path),
    ...unknownProblems(schema[MAP_TYPE], ['atomic', 'granular'], child(path, MAP_TYPE)),
    ...(schema[LIST_TYPE] !== undefined && schema.type !== 'array'
      ? typeProblems(schema, LIST_TYPE, 'array', path)
      : setProblems(schema, path)),
    ...unknownProblems(schema[LIST_TYPE], ['atomic', 'set', 'map'], child(path, LIST_TYPE)),
    ...keyUseProblems(schema, path),
    ...(schema[LIST_TYPE] === 'map' ? mapProblems(schema, path) : []),
    ...nullProblems(schema, path),
  ];
}

function typeProblems(
  schema: JsonSchema,
  extension: typeof LIST_TYPE | typeof MAP_TYPE,
  wanted: string,
  path: string,
): FieldCause[] {
  const { type = '' } = schema;
  if (schema[extension] === undefined || type === wanted) return [];
  const detail = `must be ${wanted} if ${extension} is specified`;
  return [type === '' ? required(child(path, 'type'), detail) : invalid(child(path, 'type'), type, detail)];
}

function unknownProblems(value: string | undefined, known: readonly string[], path: string): FieldCause[] {
  return value === undefined || known.includes(value) ? [] : [notSupported(path, value, known)];
}

/** Items of a set are compared as a whole, so they must not be merged in parts. */
function setProblems(schema: JsonSchema, path: string): FieldCause[] {
  const items = itemsOf(schema);
  if (schema[LIST_TYPE] !== 'set' || !items) return [];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items[LIST_TYPE];
  const at = (name: string) => child(child(path, 'items'), name);
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic')
    return [invalid(at(LIST_TYPE), listType, detail)];
  if (items.type === 'object' && items[MAP_TYPE] !== 'atomic') return [invalid(at(MAP_TYPE), listType ?? null, detail)];
  return [];
}

function keyUseProblems(schema: JsonSchema, path: string): FieldCause[] {
  if (!schema[LIST_KEYS]?.length || schema[LIST_TYPE] === 'map') return [];
  const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
  const listType = schema[LIST_TYPE];
  return [
    listType === undefined
      ? required(child(path, LIST_TYPE), detail)
      : invalid(child(path, LIST_TYPE), listType, detail),
  ];
}

function mapProblems(schema: JsonSchema, path: string): FieldCause[] {
  const keys = schema[LIST_KEYS] ?? [];
  const items = itemsOf(schema);
  return [
    ...(keys.length === 0
      ? [required(child(path, LIST_KEYS), 'must not be empty if x-kubernetes-list-type is map')]
      : []),
    ...(!items && !hasItemList(schema)
      ? [required(child(path, 'items'), 'must have a schema if x-kubernetes-list-type is map')]
      : []),
    ...(hasItemList(schema)
      ? [invalid(child(path, 'items'), schema.items, 'must only have a single schema if x-kubernetes-list-type is map')]
      : []),
    ...(items && items.type !== 'object'
      ? [
          invalid(
            child(child(path, 'items'), 'type'),
            items.type ?? '',
            "must be object if parent array's x-kubernetes-list-type is map",
          ),
        ]
      : []),
    ...(items?.type === 'object' ? keyProblems(keys, items, path) : []),
  ];
}

function keyProblems(keys: readonly string[], items: JsonSchema, path: string): FieldCause[] {
  const keysPath = child(path, LIST_KEYS);
  return keys.flatMap((name, at) => {
    const property = Object.hasOwn(items.properties ?? {}, name) ? items.properties?.[name] : undefined;
    const isCompound = property?.type === 'array' || property?.type === 'object';
    const propertyPath = key(child(child(path, 'items'), 'properties'), name);
    return [
      ...(isCompound
        ? [
            invalid(
              child(propertyPath, 'type'),
              items.type,
              "must be a scalar type if parent array's x-kubernetes-list-type is map",
            ),
          ]
        : []),
      ...(property ? [] : [invalid(keysPath, keys, 'entries must all be names of item properties')]),
      ...(keys.indexOf(name) < at ? [invalid(keysPath, keys, 'must not contain duplicate entries')] : []),
    ];
  });
}

/** Items of sets and maps, and the keys of the latter, must be there. */
function nullProblems(schema: JsonSchema, path: string): FieldCause[] {
  const items = itemsOf(schema);
  const listType = schema[LIST_TYPE];
  if (!items || (listType !== 'set' && listType !== 'map')) return [];
  const itemsPath = child(path, 'items');
  const nullable = items.nullable
    ? [forbidden(child(itemsPath, 'nullable'), `cannot be nullable when x-kubernetes-list-type is ${listType}`)]
    : [];
  const keys = listType === 'map' ? (schema[LIST_KEYS] ?? []) : [];
  return [
    ...nullable,
    ...keys.flatMap((name) => keyNullProblems(name, items, key(child(itemsPath, 'properties'), name))),
  ];
}

function keyNullProblems(name: string, items: JsonSchema, path: string): FieldCause[] {
  const property = Object.hasOwn(items.properties ?? {}, name) ? items.properties?.[name] : undefined;
  if (!property) return [];
  const because = 'this property is in x-kubernetes-list-map-keys, so it';
  return [
    ...(items.required?.includes(name) || hasDefault(property)
      ? []
      : [required(child(path, 'default'), `${because} must have a default or be a required property`)]),
    ...(property.nullable ? [forbidden(child(path, 'nullable'), `${because} cannot be nullable`)] : []),
  ];
}
