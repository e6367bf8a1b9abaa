import type { KubeList, KubeObject, ObjectRef } from '../objects/meta.ts';
import type { ResourceType } from '../objects/resource-type.ts';
import type { KubeRequest, Transport } from '../transport/types.ts';

export type CallOptions = Pick<KubeRequest, 'signal' | 'timeoutMs' | 'traffic'>;

export interface GetOptions extends CallOptions {
  readonly subresource?: string;
  readonly resourceVersion?: string;
}

export interface ListOptions extends CallOptions {
  /** Absent: all namespaces (or a cluster-scoped type). */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  /** Ask for metadata only; spec, status and data stay on the server. */
  readonly metadataOnly?: boolean;
}

export interface WatchOptions extends Omit<ListOptions, 'limit' | 'continue' | 'timeoutMs' | 'traffic'> {
  /** Seconds after which the server ends the watch. */
  readonly timeoutSeconds?: number;
  readonly allowBookmarks?: boolean;
  /** Streaming list: initial state as events, then a bookmark with annotation `k8s.io/initial-events-end`. */
  readonly sendInitialEvents?: boolean;
  /** Milliseconds without a single byte after which the connection counts as dead. Default 120 s. */
  readonly inactivityMs?: number;
  /** Called when the server has accepted the watch, before the first event. */
  readonly onOpen?: () => void;
}

export type WatchEvent<T extends KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

export interface WriteOptions extends CallOptions {
  readonly subresource?: string;
  readonly fieldManager?: string;
  readonly dryRun?: boolean;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Take over fields that other managers own. */
  readonly force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
}

export type Patch =
  | { readonly type: 'merge'; readonly patch: unknown }
  | { readonly type: 'json'; readonly patch: readonly JsonPatchOperation[] }
  | { readonly type: 'strategic'; readonly patch: unknown };

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** Reads and writes objects of one resource type. Every method throws `KubeError` on failure. */
export interface ResourceClient<T extends KubeObject> {
  readonly type: ResourceType<T>;
  get(ref: ObjectRef, options?: GetOptions): Promise<T>;
  /** Like `get`, but undefined when the object does not exist. Throws when the resource type is not served. */
  find(ref: ObjectRef, options?: GetOptions): Promise<T | undefined>;
  /** One page. */
  list(options?: ListOptions): Promise<KubeList<T>>;
  /** All pages, one after the other; 500 objects a page unless `limit` says otherwise. */
  pages(options?: ListOptions): AsyncIterable<KubeList<T>>;
  /** Ends when the server ends the watch; throws `KUBE_GONE` when the version is too old, `KUBE_UNREACHABLE` when the connection breaks or falls silent. */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** For `subresource` (such as a ServiceAccount's `token`) the object's `metadata` names the parent. */
  create(object: T, options?: WriteOptions): Promise<T>;
  replace(object: T, options?: WriteOptions): Promise<T>;
  patch(ref: ObjectRef, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Server-side apply: `object` holds exactly the fields this manager wants to own. */
  apply(object: T, options: ApplyOptions): Promise<T>;
  /** Resolves when the server accepted the deletion; the object may still exist while finalizers run. */
  delete(ref: ObjectRef, options?: DeleteOptions): Promise<void>;
  deleteCollection(options?: ListOptions & DeleteOptions): Promise<void>;
}

/** A client of one cluster. */
export interface KubeClient {
  readonly transport: Transport;
  resource<T extends KubeObject>(type: ResourceType<T>): ResourceClient<T>;
  close(): Promise<void>;
}
