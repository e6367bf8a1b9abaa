import type { JsonSchema } from './json-schema.ts';

/** One place of a structural schema, with everything the walks over objects ask for again and again. */
export interface Node {
  readonly source: JsonSchema;
  /** Empty when the schema has none, which `preserve` and `intOrString` allow. */
  readonly type: string;
  readonly nullable: boolean;
  readonly properties: ReadonlyMap<string, Node> | undefined;
  /** Whether `additionalProperties` is given at all, be it as `true`, `false` or a schema. */
  readonly hasAdditional: boolean;
  /** The schema under `additionalProperties`. */
  readonly additional: Node | undefined;
  readonly items: Node | undefined;
  readonly preserve: boolean;
  readonly embedded: boolean;
  readonly intOrString: boolean;
  readonly listType: string;
  readonly listKeys: readonly string[];
  readonly default: unknown;
  /** Whether something below (or here) has a default, is an embedded resource, is a list that forbids duplicates. */
  readonly anyDefault: boolean;
  readonly anyEmbedded: boolean;
  readonly anyListType: boolean;
}

/** Builds the tree of nodes of a schema. Junctors (`allOf`, `anyOf`, …) add no structure and are left out. */
export function buildNode(source: JsonSchema): Node {
  const { additionalProperties } = source;
  const properties = source.properties && new Map(Object.entries(source.properties).map(([k, s]) => [k, buildNode(s)]));
  const additional = isSchema(additionalProperties) ? buildNode(additionalProperties) : undefined;
  const items = source.items && buildNode(source.items);
  const below = [...(properties?.values() ?? []), ...(additional ? [additional] : []), ...(items ? [items] : [])];
  const listType = source['x-kubernetes-list-type'] ?? '';
  const embedded = source['x-kubernetes-embedded-resource'] === true;
  return {
    source,
    type: source.type ?? '',
    nullable: source.nullable === true,
    properties: properties && properties.size > 0 ? properties : undefined,
    hasAdditional: additionalProperties !== undefined,
    additional,
    items,
    preserve: source['x-kubernetes-preserve-unknown-fields'] === true,
    embedded,
    intOrString: source['x-kubernetes-int-or-string'] === true,
    listType,
    listKeys: source['x-kubernetes-list-map-keys'] ?? [],
    default: source.default ?? undefined,
    anyDefault: hasDefault(source) || below.some((node) => node.anyDefault),
    anyEmbedded: embedded || below.some((node) => node.anyEmbedded),
    anyListType: listType === 'set' || listType === 'map' || below.some((node) => node.anyListType),
  };
}

/** A null default is the same as none, as in Kubernetes. */
export const hasDefault = ({ default: value }: JsonSchema) => value !== undefined && value !== null;

export function isSchema(value: JsonSchema | boolean | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

/** A JSON object, not null and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
