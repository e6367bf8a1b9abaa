import type { KubeObject, ObjectRef } from '../objects/meta.ts';
import type { KubeRequest } from '../transport/types.ts';
import { collectionPath, type Location, objectPath, query, resourceName } from './paths.ts';
import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  Patch,
  WatchOptions,
  WriteOptions,
} from './types.ts';

/** Pure: the request for each operation on a resource type. */

export function getRequest(type: Location, ref: ObjectRef, options: GetOptions): KubeRequest {
  return {
    method: 'GET',
    path: objectPath(type, ref, options.subresource) + query({ resourceVersion: options.resourceVersion }),
    ...call('get', type, ref, options),
  };
}

export function listRequest(type: Location, options: ListOptions): KubeRequest {
  const parameters = { ...selection(options), limit: options.limit, continue: options.continue };
  return {
    method: 'GET',
    path: collectionPath(type, options.namespace) + query(parameters),
    ...call('list', type, options, options, acceptFor(options, 'PartialObjectMetadataList')),
  };
}

export function watchRequest(type: Location, options: WatchOptions): KubeRequest {
  const parameters = {
    ...selection(options),
    watch: true,
    allowWatchBookmarks: options.allowBookmarks,
    sendInitialEvents: options.sendInitialEvents,
    timeoutSeconds: options.timeoutSeconds,
  };
  return {
    method: 'GET',
    path: collectionPath(type, options.namespace) + query(parameters),
    ...call('watch', type, options, options, acceptFor(options, 'PartialObjectMetadata')),
    mode: 'stream',
  };
}

export function createRequest(type: Location, object: KubeObject, options: WriteOptions): KubeRequest {
  const path =
    options.subresource === undefined
      ? collectionPath(type, requireNamespace(type, object))
      : objectPath(type, object.metadata, options.subresource);
  return {
    method: 'POST',
    path: path + query(writeParameters(options)),
    body: JSON.stringify(object),
    ...call('create', type, refOfObject(object), options, jsonBody),
  };
}

export function replaceRequest(type: Location, object: KubeObject, options: WriteOptions): KubeRequest {
  return {
    method: 'PUT',
    path: objectPath(type, object.metadata, options.subresource) + query(writeParameters(options)),
    body: JSON.stringify(object),
    ...call('update', type, refOfObject(object), options, jsonBody),
  };
}

export function patchRequest(type: Location, ref: ObjectRef, patch: Patch, options: WriteOptions): KubeRequest {
  return {
    method: 'PATCH',
    path: objectPath(type, ref, options.subresource) + query(writeParameters(options)),
    body: JSON.stringify(patch.patch),
    ...call('patch', type, ref, options, { 'content-type': patchTypes[patch.type] }),
  };
}

export function applyRequest(type: Location, object: KubeObject, options: ApplyOptions): KubeRequest {
  return {
    method: 'PATCH',
    path:
      objectPath(type, object.metadata, options.subresource) +
      query({ ...writeParameters(options), force: options.force }),
    body: JSON.stringify(object),
    // JSON is YAML, and every server that knows server-side apply knows this media type.
    ...call('patch', type, refOfObject(object), options, { 'content-type': 'application/apply-patch+yaml' }),
  };
}

export function deleteRequest(type: Location, ref: ObjectRef, options: DeleteOptions): KubeRequest {
  return {
    method: 'DELETE',
    path: objectPath(type, ref),
    body: JSON.stringify(deleteBody(options)),
    ...call('delete', type, ref, options, jsonBody),
  };
}

export function deleteCollectionRequest(type: Location, options: ListOptions & DeleteOptions): KubeRequest {
  return {
    method: 'DELETE',
    path: collectionPath(type, options.namespace) + query(selection(options)),
    body: JSON.stringify(deleteBody(options)),
    ...call('deletecollection', type, options, options, jsonBody),
  };
}

const jsonBody = { 'content-type': 'application/json' };

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

function call(
  verb: string,
  type: Location,
  ref: { readonly name?: string; readonly namespace?: string },
  options: CallOptions & { readonly subresource?: string },
  headers: Readonly<Record<string, string>> = {},
): Pick<KubeRequest, 'mode' | 'about' | 'headers' | 'signal' | 'timeoutMs' | 'traffic'> {
  const resource = resourceName(type, options.subresource);
  return {
    mode: 'call',
    headers: { accept: 'application/json', ...headers },
    signal: options.signal,
    timeoutMs: options.timeoutMs,
    traffic: options.traffic,
    about: { verb, resource, object: describe(resource, ref) },
  };
}

function describe(resource: string, ref: { readonly name?: string; readonly namespace?: string }): string {
  const name = ref.name ? ` "${ref.name}"` : '';
  return ref.namespace ? `${resource}${name} in namespace "${ref.namespace}"` : `${resource}${name}`;
}

function refOfObject(object: KubeObject): { name?: string; namespace?: string } {
  return { name: object.metadata.name ?? object.metadata.generateName, namespace: object.metadata.namespace };
}

function requireNamespace(type: Location, object: KubeObject): string | undefined {
  const { name = 'an object without a name', namespace } = refOfObject(object);
  // Checked through the object's path, which says what is missing.
  if (type.namespaced && !namespace) objectPath(type, { name });
  return object.metadata.namespace;
}

function selection(options: ListOptions | WatchOptions) {
  return {
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
  };
}

function acceptFor(options: { readonly metadataOnly?: boolean }, kind: string): Readonly<Record<string, string>> {
  return options.metadataOnly ? { accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` } : {};
}

function writeParameters(options: WriteOptions) {
  return {
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
    dryRun: options.dryRun ? 'All' : undefined,
  };
}

function deleteBody(options: DeleteOptions): object {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions: options.preconditions,
    propagationPolicy: options.propagation,
    gracePeriodSeconds: options.gracePeriodSeconds,
    dryRun: options.dryRun ? ['All'] : undefined,
  };
}
