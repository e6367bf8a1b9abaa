import { builtInResetFields, compileType, type OwnershipScope } from '../apply/index.ts';
import type { ApiObject, JsonObject } from '../objects/api-object.ts';
import {
  apiVersionOf,
  bucketOf,
  type PrinterColumn,
  type ScalePaths,
  type ServedResource,
  type Strategy,
} from '../registry/served-resource.ts';
import type { CompiledSchema } from '../schema/types.ts';
import { ageColumn, nameColumn } from './columns.ts';
import { type PublishedResource, publishedResource } from './published/published-resources.ts';
import { publishedStruct } from './published/published-struct.ts';
import { builtInSchema } from './types/built-in-schema.ts';
import type { Struct } from './types/go-type.ts';
import { writeBack } from './types/write-back.ts';

/** What Kubernetes does not publish about a built-in kind. */
export interface KindDefinition {
  /** Empty for core. */
  readonly group: string;
  readonly resource: string;
  /** Default: name and age. */
  readonly columns?: readonly PrinterColumn[];
  readonly selectableFields?: ServedResource['selectableFields'];
  readonly deprecationWarning?: string;
  /** Default: an update needs no resourceVersion, and generations are not counted. */
  readonly strategy?: Partial<Strategy>;
  /** For another API of objects that have one already: where they are stored, in which version, and how they change. */
  readonly stored?: {
    readonly bucket: string;
    readonly apiVersion: string;
    readonly conversion: NonNullable<ServedResource['conversion']>;
  };
  /** Fills in defaults, in place. Fields that Go always shows are there already. */
  readonly fillIn?: (object: ApiObject) => void;
}

/** Where all kinds that can be scaled have their numbers. */
const SCALE: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};

/** A built-in kind as it is served: what Kubernetes publishes, and the definition. Types are read when they are needed. */
export function defineKind(definition: KindDefinition): ServedResource {
  const { group, resource, fillIn } = definition;
  const published = publishedResource(group, resource);
  const { kind, version, type, subresources = [] } = published;
  let schema: CompiledSchema | undefined;
  const schemaOnce = () => (schema ??= builtInSchema(publishedStruct(type), version, fillIn));
  return {
    group,
    version,
    resource,
    kind,
    singular: published.singularName,
    listKind: `${kind}List`,
    shortNames: published.shortNames ?? [],
    categories: published.categories ?? [],
    namespaced: published.namespaced,
    verbs: published.verbs,
    bucket: definition.stored?.bucket ?? bucketOf({ group, resource }),
    storageApiVersion: definition.stored?.apiVersion ?? apiVersionOf({ group, version }),
    conversion: definition.stored?.conversion,
    get schema() {
      return schemaOnce();
    },
    schemaName: type,
    hasStatus: subresources.some(({ name }) => name === 'status'),
    scale: subresources.some(({ name }) => name === 'scale') ? SCALE : undefined,
    otherSubresources: subresources.filter(({ name }) => name !== 'status' && name !== 'scale'),
    columns: definition.columns ?? [nameColumn, ageColumn],
    selectableFields: definition.selectableFields ?? {},
    strategy: { unconditionalUpdate: true, tracksGeneration: false, ...definition.strategy },
    ownership: ownershipOf(published, schemaOnce),
    builtIn: true,
    deprecationWarning: definition.deprecationWarning,
  };
}

function ownershipOf(
  { group, version, kind, type, subresources = [] }: PublishedResource,
  schema: () => CompiledSchema,
): ServedResource['ownership'] {
  const apiVersion = apiVersionOf({ group, version });
  const hasStatus = subresources.some(({ name }) => name === 'status');
  let shared: Pick<OwnershipScope, 'types' | 'builtIn'> | undefined;
  return (subresource) => {
    shared ??= {
      types: new Map([[apiVersion, compileType(schema().source)]]),
      builtIn: { blank: blankOf(publishedStruct(type)) },
    };
    const reset = builtInResetFields(kind, hasStatus, subresource);
    return {
      apiVersion,
      kind,
      subresource,
      ...shared,
      ...(reset === undefined ? {} : { reset: new Map([[apiVersion, reset]]) }),
    };
  };
}

/** What an object of a type has before anything is set. */
function blankOf(type: Struct): JsonObject {
  const blank: JsonObject = { metadata: {} };
  writeBack(type, blank);
  return blank;
}
