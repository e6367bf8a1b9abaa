import { hasDefault, type Node } from '../schema/node.ts';
import { withMeta } from '../values/data-meta.ts';
import { BOOL, BYTES, type CelType, DOUBLE, DURATION, DYN, INT, listOf, mapOf, STRING, TIMESTAMP } from './cel-type.ts';
import { escapeField } from './escape.ts';

/** A type that a schema declares, with what the schema says about sizes. */
export interface SchemaType {
  readonly type: CelType;
  /** How many elements, entries or bytes a value can have at most; 0 for values without a length. */
  readonly maxElements: number;
  /** Bytes of the shortest value when written as JSON. */
  readonly minSize: number;
  /** By the names that expressions use. */
  readonly fields?: ReadonlyMap<string, SchemaType>;
  readonly element?: SchemaType;
  readonly key?: SchemaType;
}

/** Bytes of the largest request that Kubernetes accepts. */
export const MAX_REQUEST = 3 * 1024 * 1024;

/** The name of the type of `self`; the types of its fields continue it. */
export const SELF = 'selfType';

const SCALARS: Readonly<Record<string, SchemaType>> = {
  boolean: { type: BOOL, maxElements: 0, minSize: 4 },
  number: { type: DOUBLE, maxElements: 0, minSize: 1 },
  integer: { type: INT, maxElements: 0, minSize: 1 },
};

const MAP_KEY: SchemaType = { type: STRING, maxElements: 0, minSize: 2 };

/**
 * The type of values of a schema; undefined when expressions cannot see such values, because nothing is known about
 * them. The names of nested objects continue the given one.
 */
export function schemaType(node: Node, isResource: boolean, name: string): SchemaType | undefined {
  if (node.intOrString) return { type: DYN, maxElements: textLimit(node, MAX_REQUEST - 2), minSize: 1 };
  const seen = isResource ? withMeta(node) : node;
  switch (seen.type) {
    case 'array':
      return listType(seen, name);
    case 'object':
      return seen.hasAdditional && seen.additional ? mapType(seen, seen.additional, name) : objectType(seen, name);
    case 'string':
      return stringType(seen);
    default:
      return SCALARS[seen.type];
  }
}

function listType({ items, source: { maxItems } }: Node, name: string): SchemaType | undefined {
  const element = items && schemaType(items, items.embedded, `${name}.@idx`);
  if (!element) return undefined;
  const limit = maxItems ?? Math.floor((MAX_REQUEST - 2) / (element.minSize + 1));
  return { type: listOf(element.type), element, maxElements: Math.max(limit, 0), minSize: 2 };
}

function mapType({ source: { maxProperties } }: Node, entry: Node, name: string): SchemaType | undefined {
  const element = schemaType(entry, entry.embedded, `${name}.@elem`);
  if (!element) return undefined;
  const limit = maxProperties ?? Math.floor((MAX_REQUEST - 2) / (element.minSize + 6));
  return { type: mapOf(STRING, element.type), key: MAP_KEY, element, maxElements: Math.max(limit, 0), minSize: 2 };
}

function objectType(node: Node, name: string): SchemaType {
  const required = new Set(node.source.required);
  const fields = new Map<string, SchemaType>();
  let minSize = 2;
  for (const [property, below] of node.properties ?? []) {
    const identifier = escapeField(property);
    const field = schemaType(below, below.embedded, `${name}.${identifier ?? property}`);
    if (!field) continue;
    if (identifier !== undefined) fields.set(identifier, field);
    if (required.has(property) && !hasDefault(below.source)) minSize += Buffer.byteLength(property) + field.minSize + 4;
  }
  const types = new Map(Array.from(fields, ([identifier, field]) => [identifier, field.type]));
  return { type: { kind: 'object', name, fields: types }, fields, maxElements: 0, minSize };
}

function stringType(node: Node): SchemaType {
  const { format, maxLength, enum: allowed } = node.source;
  switch (format) {
    case 'byte':
      return {
        type: BYTES,
        maxElements: maxLength === undefined ? MAX_REQUEST - 2 : Math.max(maxLength, 0),
        minSize: 2,
      };
    case 'duration':
      return { type: DURATION, maxElements: 32, minSize: 3 };
    case 'date':
      return { type: TIMESTAMP, maxElements: 12, minSize: 12 };
    case 'date-time':
      return { type: TIMESTAMP, maxElements: 32, minSize: 21 };
    default: {
      const longest = allowed && allowed.length > 0 ? longestText(allowed) : MAX_REQUEST - 2;
      return { type: STRING, maxElements: textLimit(node, longest), minSize: 2 };
    }
  }
}

/** A character may take four bytes. */
const textLimit = ({ source: { maxLength } }: Node, otherwise: number) =>
  maxLength === undefined ? otherwise : Math.max(maxLength, 0) * 4;

const longestText = (values: readonly unknown[]) =>
  Math.max(0, ...values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
