import { goJson, type JsonSchema } from '@klutch/cel';
import type { Json } from '../objects/api-object.ts';
import { objectMetaSchema } from '../patch/object-meta-schema.ts';

/** What field ownership needs to know of a schema: how values merge. */
export type ValueType = Facet | AnyType;

/** How one value is to be treated. */
export type Facet = ScalarType | ListType | MapType;

export interface ScalarType {
  readonly kind: 'scalar';
  readonly scalar: 'numeric' | 'string' | 'boolean' | 'untyped';
}

export interface ListType {
  readonly kind: 'list';
  /** Atomic lists are owned as a whole, sets by value, maps by their keys. */
  readonly relation: 'atomic' | 'set' | 'map';
  /** Sorted by name. */
  readonly keys: readonly ListKey[];
  /** In the order of the schema. */
  readonly keyNames: readonly string[];
  readonly items: ValueType;
}

interface ListKey {
  readonly name: string;
  /** Start of the key in a path element: `"name":`. */
  readonly json: string;
  /** Stands for the key in items that leave it out. */
  readonly default: Json | undefined;
}

/** An object: named fields, and what other fields are; without `others` there are none. */
export interface MapType {
  readonly kind: 'map';
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, ValueType>;
  readonly others: ValueType | undefined;
}

/** Anything: the value shows which facet applies. */
interface AnyType {
  readonly kind: 'any';
  readonly list: ListType;
  readonly map: MapType;
}

/**
 * Prepares a schema for field ownership; do it once per schema. `metadata`, `apiVersion` and `kind` of the object and of
 * embedded resources are known without the schema. Without a schema, types are read off the values.
 */
export function compileType(schema: JsonSchema | undefined): ValueType {
  if (schema === undefined) return DEDUCED.map;
  return mapOf({ ...schema, 'x-kubernetes-embedded-resource': true }, keepsUnknownFields(schema));
}

/** The facet of a type that a value shows. Null shows none; as in Kubernetes it then counts as an object. */
export function facetOf(type: ValueType, value: Json): Facet {
  if (type.kind !== 'any') return type;
  if (Array.isArray(value)) return type.list;
  return typeof value === 'object' ? type.map : UNTYPED;
}

/** The type of a field of an object; undefined when there is no such field. */
export function fieldType(map: MapType, name: string): ValueType | undefined {
  return map.fields.get(name) ?? map.others;
}

/** Whether an object has no fields a schema knows and its content can be anything. */
export function isDeducedMap({ fields, others }: MapType): boolean {
  if (fields.size > 0 || others === undefined || others === ATOMIC) return false;
  return others.kind === 'any' || (others.kind === 'scalar' && others.scalar === 'untyped');
}

const UNTYPED: ScalarType = { kind: 'scalar', scalar: 'untyped' };

/** Owned as a whole, whatever it is. */
const ATOMIC: AnyType = recursive((self) => ({
  list: { kind: 'list', relation: 'atomic', keys: [], keyNames: [], items: self },
  map: { kind: 'map', atomic: true, fields: new Map(), others: self },
}));

/** Objects are owned field by field, lists as a whole. */
const DEDUCED: AnyType = recursive((self) => ({
  list: ATOMIC.list,
  map: { kind: 'map', atomic: false, fields: new Map(), others: self },
}));

function recursive(define: (self: AnyType) => Omit<AnyType, 'kind'>): AnyType {
  const type = { kind: 'any' } as AnyType;
  return Object.assign(type, define(type));
}

const TEXT: JsonSchema = { type: 'string' };
const RESOURCE_FIELDS = { apiVersion: TEXT, kind: TEXT, metadata: objectMetaSchema };
const METADATA = typeOf(objectMetaSchema, false);

function typeOf(schema: JsonSchema, inheritsUnknown: boolean): ValueType {
  const keepsUnknown = inheritsUnknown || keepsUnknownFields(schema);
  switch (schema.type) {
    case 'object':
      return mapOf(schema, keepsUnknown);
    case 'array':
      return listOf(schema, keepsUnknown);
    case 'integer':
    case 'number':
      return { kind: 'scalar', scalar: 'numeric' };
    case 'boolean':
      return { kind: 'scalar', scalar: 'boolean' };
    case 'string':
      return isPlainText(schema.format) ? { kind: 'scalar', scalar: 'string' } : UNTYPED;
    case undefined:
    default:
      return { kind: 'any', list: listOf(schema, keepsUnknown), map: mapOf(schema, keepsUnknown) };
  }
}

function keepsUnknownFields(schema: JsonSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function isPlainText(format: string | undefined): boolean {
  return format === undefined || format === '' || format === 'byte';
}

function mapOf(schema: JsonSchema, keepsUnknown: boolean): MapType {
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  const properties: Readonly<Record<string, JsonSchema>> = {
    ...schema.properties,
    ...(isResource ? RESOURCE_FIELDS : {}),
  };
  const fields = new Map<string, ValueType>();
  for (const [name, property] of Object.entries(properties)) {
    fields.set(name, property === objectMetaSchema ? METADATA : typeOf(property, keepsUnknown));
  }
  const atomic = schema['x-kubernetes-map-type'] === 'atomic';
  return { kind: 'map', atomic, fields, others: othersOf(schema, keepsUnknown, fields.size > 0) };
}

function othersOf(schema: JsonSchema, keepsUnknown: boolean, hasFields: boolean): ValueType | undefined {
  const { additionalProperties } = schema;
  if (additionalProperties === true) return DEDUCED;
  if (additionalProperties === false) return undefined;
  if (additionalProperties !== undefined) return typeOf(additionalProperties, keepsUnknown);
  return keepsUnknown || !hasFields ? DEDUCED : undefined;
}

function listOf(schema: JsonSchema, keepsUnknown: boolean): ListType {
  const { items } = schema;
  const { relation, keyNames } = relationOf(schema);
  const keys = [...keyNames].sort().map((name) => listKey(name, items));
  const itemType = items === undefined ? ATOMIC : typeOf(items, keepsUnknown);
  return { kind: 'list', relation, keys, keyNames, items: itemType };
}

function listKey(name: string, items: JsonSchema | undefined): ListKey {
  return { name, json: `${goJson(name)}:`, default: items?.properties?.[name]?.default as Json | undefined };
}

function relationOf(schema: JsonSchema): Pick<ListType, 'relation' | 'keyNames'> {
  const listType = schema['x-kubernetes-list-type'];
  if (listType === 'map') return { relation: 'map', keyNames: schema['x-kubernetes-list-map-keys'] ?? [] };
  if (listType !== undefined) return { relation: listType, keyNames: [] };
  const merges = (schema['x-kubernetes-patch-strategy'] ?? '').split(',').includes('merge');
  const mergeKey = schema['x-kubernetes-patch-merge-key'];
  if (!merges) return { relation: 'atomic', keyNames: [] };
  return mergeKey === undefined ? { relation: 'set', keyNames: [] } : { relation: 'map', keyNames: [mergeKey] };
}
