/** Reference from an object to another that owns it. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The fields of `metadata` that this runtime and its users read. Servers may send more; they survive untouched. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly unknown[];
}

/** Any object a Kubernetes API server stores. Kinds with known fields extend it. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** An object whose other fields are not known at compile time. */
export interface UnknownObject extends KubeObject {
  readonly [field: string]: unknown;
}

/** A page of a list. */
export interface KubeList<T extends KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly T[];
}

/** Identifies an object within its resource type. `namespace` is absent for cluster-scoped types. */
export interface ObjectRef {
  readonly name: string;
  readonly namespace?: string;
}

/** `namespace/name`, or `name` for cluster-scoped objects: the key used by caches and work queues. */
export function keyOf(ref: ObjectRef): string {
  return ref.namespace ? `${ref.namespace}/${ref.name}` : ref.name;
}

/** Inverse of {@link keyOf}. */
export function refOf(key: string): ObjectRef {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
