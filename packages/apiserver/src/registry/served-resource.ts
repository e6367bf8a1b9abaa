import type { OwnershipScope } from '../apply/scope.ts';
import type { ApiObject, GroupResource } from '../objects/api-object.ts';
import type { CompiledSchema } from '../schema/types.ts';
import type { FieldCause } from '../status/status-error.ts';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

export const allVerbs: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority?: number;
  /** Where the cell's value is; built-in kinds may compute it instead. */
  readonly jsonPath?: string;
  readonly value?: (object: ApiObject, now: Date) => string | number | boolean | null;
}

/** Where the scale subresource finds its numbers. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** What is particular about objects of a type, beyond their schema. */
export interface Strategy {
  /** Fills in fields of a new object that has its defaults, in place, before validation. Nobody comes to own them. */
  readonly prepareCreate?: (object: ApiObject) => void;
  /** Restores or fills in fields of a changed object, in place, before validation. */
  readonly prepareUpdate?: (object: ApiObject, old: ApiObject) => void;
  readonly validateCreate?: (object: ApiObject) => readonly FieldCause[];
  readonly validateUpdate?: (object: ApiObject, old: ApiObject) => readonly FieldCause[];
  /** The same for a write to the status alone. */
  readonly validateStatusUpdate?: (object: ApiObject, old: ApiObject) => readonly FieldCause[];
  /** What the client is told about an object that is valid but odd; `old` is what it replaces. */
  readonly warnings?: (object: ApiObject, old?: ApiObject) => readonly string[];
  /** What is wrong with a name, in the words of Kubernetes. Default: must be a DNS subdomain. */
  readonly nameProblems?: (name: string) => readonly string[];
  /** Whether a PUT without resourceVersion is taken. Built-in kinds mostly do, custom resources never. */
  readonly unconditionalUpdate: boolean;
  /** Whether a PUT of an object that is not there creates it. Default: it is refused. */
  readonly createOnUpdate?: boolean;
  /** Whether `metadata.generation` counts changes outside metadata (and status). */
  readonly tracksGeneration: boolean;
  /** Whether something besides `metadata.finalizers` keeps an object that is being deleted, as `spec.finalizers` of namespaces. */
  readonly holdsDeletion?: (object: ApiObject) => boolean;
  /** Finalizers that a deletion puts on an object by itself, for types with a cleanup of their own. */
  readonly deletionFinalizers?: (object: ApiObject) => readonly string[];
  /** Changes an object whose deletion has begun but must wait, in place; without it, generation and grace period do. */
  readonly beginDeletion?: (object: ApiObject) => void;
  /** Seconds that an object stays after its deletion, given what the client asked for. Default: none. */
  readonly gracePeriod?: (object: ApiObject, asked: number | undefined) => number;
  /** Whether the answer to a deletion is the object as it was, instead of a Status. */
  readonly returnsDeleted?: boolean;
}

/** One resource type in one version, as clients can address it. */
export interface ServedResource extends GroupResource {
  readonly version: string;
  /** Same as `resource`: the plural of URLs. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /** Where its objects are stored, the same for all versions. */
  readonly bucket: string;
  /** `group/version` in which objects are stored. */
  readonly storageApiVersion: string;
  /** Where another API has other words for the same objects: turns them into what is stored, and back. */
  readonly conversion?: {
    readonly toStored: (object: ApiObject) => ApiObject;
    readonly fromStored: (object: ApiObject) => ApiObject;
  };
  /** Absent: fields are taken as they come. */
  readonly schema?: CompiledSchema;
  /** Name of the schema that Kubernetes publishes, of a built-in kind. */
  readonly schemaName?: string;
  /** What can be stored, where another version is: fields that it does not know get lost. */
  readonly storageSchema?: CompiledSchema;
  /** Whether there is a status subresource; then writes to the object itself leave its status alone. */
  readonly hasStatus: boolean;
  readonly scale?: ScalePaths;
  /** Further subresources by name, with the kind they exchange, for discovery. */
  readonly otherSubresources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly verbs: readonly string[];
    readonly group?: string;
    readonly version?: string;
  }[];
  readonly columns: readonly PrinterColumn[];
  /** Field-selector fields besides metadata.name and metadata.namespace. */
  readonly selectableFields: Readonly<Record<string, (object: ApiObject) => string>>;
  readonly strategy: Strategy;
  /** How ownership of fields is tracked for writes to the object, or to a subresource of it. */
  readonly ownership: (subresource: string | undefined) => OwnershipScope;
  readonly builtIn: boolean;
  /** Revision at which the server came to know the type: there is no history of it before. Default: that of the store. */
  readonly since?: number;
  /** Stands for the state of the CustomResourceDefinition that the type comes from; a watch ends when it changes. */
  readonly definition?: string;
  /** Shown to clients as a Warning header when the version is deprecated. */
  readonly deprecationWarning?: string;
}

/** `group/version`, or `version` for the core group. */
export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The group of the kind that is stored: what is wrong with an object is told of that, whichever API it came through. */
export function storedGroup({ storageApiVersion }: Pick<ServedResource, 'storageApiVersion'>): string {
  const end = storageApiVersion.indexOf('/');
  return end === -1 ? '' : storageApiVersion.slice(0, end);
}

/** Storage name of a resource type. */
export function bucketOf({ group, resource }: GroupResource): string {
  return `${group}/${resource}`;
}

/** Storage key of an object. */
export function keyOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

const groupsOfOwnServers: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Whether a server of its own serves the type within kube-apiserver: those follow fewer rules of the built-in kinds. */
export function hasOwnServer({ group, builtIn }: Pick<ServedResource, 'group' | 'builtIn'>): boolean {
  return !builtIn || groupsOfOwnServers.has(group);
}

/** Where Kubernetes keeps an object in etcd: some of its errors name the place. */
export function registryPath(type: ServedResource, namespace: string | undefined, name: string): string {
  const { group, resource, namespaced } = type;
  const folder = hasOwnServer(type) ? `${group}/${resource}` : resource;
  return ['', 'registry', folder, ...(namespaced ? [namespace] : []), name].join('/');
}
