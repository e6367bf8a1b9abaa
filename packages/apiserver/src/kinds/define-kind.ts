import { builtInResetFields, compileType, type OwnershipScope } from '../apply/index.ts';
import type { ApiObject, JsonObject } from '../objects/api-object.ts';
import {
  allVerbs,
  apiVersionOf,
  bucketOf,
  type PrinterColumn,
  type ScalePaths,
  type ServedResource,
  type Strategy,
  type Verb,
} from '../registry/served-resource.ts';
import type { CompiledSchema } from '../schema/types.ts';
import { builtInSchema } from './types/built-in-schema.ts';
import type { Struct } from './types/go-type.ts';
import { writeBack } from './types/write-back.ts';

/** What sets a built-in kind apart; everything else is the same for all of them. */
export interface KindDefinition {
  /** Empty for core. */
  readonly group: string;
  /** Its fields, without metadata; its name is the kind. */
  readonly type: Struct;
  readonly resource: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Default: in a namespace. */
  readonly namespaced?: boolean;
  readonly verbs?: readonly Verb[];
  readonly hasStatus?: boolean;
  readonly scale?: ScalePaths;
  readonly otherSubresources?: ServedResource['otherSubresources'];
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

/** A built-in kind as the server serves it. Nothing is compiled before it is needed. */
export function defineKind(definition: KindDefinition): ServedResource {
  const { group, type, resource, fillIn } = definition;
  const kind = type.name;
  let schema: CompiledSchema | undefined;
  const schemaOnce = () => (schema ??= builtInSchema(type, fillIn));
  return {
    group,
    version: 'v1',
    resource,
    kind,
    singular: definition.singular ?? kind.toLowerCase(),
    listKind: `${kind}List`,
    shortNames: definition.shortNames ?? [],
    categories: definition.categories ?? [],
    namespaced: definition.namespaced ?? true,
    verbs: definition.verbs ?? allVerbs,
    bucket: definition.stored?.bucket ?? bucketOf({ group, resource }),
    storageApiVersion: definition.stored?.apiVersion ?? apiVersionOf({ group, version: 'v1' }),
    conversion: definition.stored?.conversion,
    get schema() {
      return schemaOnce();
    },
    hasStatus: definition.hasStatus ?? false,
    scale: definition.scale,
    otherSubresources: definition.otherSubresources,
    columns: definition.columns ?? [],
    selectableFields: definition.selectableFields ?? {},
    strategy: { unconditionalUpdate: true, tracksGeneration: false, ...definition.strategy },
    ownership: ownershipOf(definition, schemaOnce),
    builtIn: true,
    deprecationWarning: definition.deprecationWarning,
  };
}

function ownershipOf(definition: KindDefinition, schema: () => CompiledSchema): ServedResource['ownership'] {
  const { group, type } = definition;
  const apiVersion = apiVersionOf({ group, version: 'v1' });
  let shared: Pick<OwnershipScope, 'types' | 'builtIn'> | undefined;
  return (subresource) => {
    shared ??= {
      types: new Map([[apiVersion, compileType(schema().source)]]),
      builtIn: { blank: blankOf(type) },
    };
    const reset = builtInResetFields[subresource === undefined ? type.name : `${type.name}/${subresource}`];
    return {
      apiVersion,
      kind: type.name,
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
