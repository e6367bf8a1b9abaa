import { type ListPage, listPage, parseListOptions, requireVersionOfGet } from '../list/index.ts';
import type { World } from '../operations/call.ts';
import { deleteCollection } from '../operations/delete-collection.ts';
import { readScale } from '../operations/scale.ts';
import { itemText, viewObject, viewText } from '../operations/stored-view.ts';
import type { Result } from '../operations/call.ts';
import { apiVersionOf, keyOf } from '../registry/served-resource.ts';
import { notFound, StatusError } from '../status/status-error.ts';
import { metadataListOf, metadataOf, tableOf, type TableOptions } from '../table/index.ts';
import type { Answer } from './answer.ts';
import { deletionParameters } from './call-options.ts';
import type { Wanted } from './negotiate.ts';
import { readOptions } from './read-body.ts';
import { type AdmittedRequest, callOf } from './write-routes.ts';

/** Reads one object, or its status or scale. */
export function get(world: World, { info, resource, query, ...admitted }: AdmittedRequest): Result {
  const { name = '', subresource } = info;
  requireVersionOfGet(world.store, query.get('resourceVersion') ?? '');
  if (subresource === 'scale' && resource.scale)
    return readScale(world, { ...callOf({ info, resource, query, ...admitted }), name });
  const entry = world.store.get(resource.bucket, keyOf(resource.namespaced ? info.namespace : undefined, name));
  if (!entry) throw notFound(resource, name);
  return { code: 200, entry };
}

/** Reads a page of a collection in the form the client wants. */
export function list(world: World, { info, resource, query }: AdmittedRequest, wanted: Wanted): Answer {
  const options = parseListOptions(query, resource);
  const page = listPage(
    world.store,
    { bucket: resource.bucket, namespaced: resource.namespaced, namespace: listNamespace(resource, info) },
    options,
  );
  const metadata = listMetadata(page, resource.builtIn || wanted.as !== 'object');
  if (wanted.as === 'object') {
    // Text is joined as it is stored: parsing ten thousand objects only to print them again would take longer than all the rest.
    const head = JSON.stringify({ kind: resource.listKind, apiVersion: apiVersionOf(resource), metadata }).slice(0, -1);
    return {
      code: 200,
      text: `${head},"items":[${page.entries.map((entry) => itemText(entry, resource)).join(',')}]}`,
    };
  }
  if (wanted.as === 'metadata') {
    const type = resource.builtIn ? `${packageOf(resource)}.${resource.listKind}` : 'unstructured.UnstructuredList';
    throw notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (*${type})`);
  }
  const objects = page.entries.map((entry) => viewObject(entry, resource));
  if (wanted.as === 'metadata list') return { code: 200, text: JSON.stringify(metadataListOf(objects, metadata)) };
  return { code: 200, text: JSON.stringify(tableOf(resource, objects, tableOptions(world, query, metadata))) };
}

/** An answer to any request for one object, in the form the client wants. */
export function objectAnswer(
  world: World,
  { resource, query }: AdmittedRequest,
  result: Result,
  wanted: Wanted,
): Answer {
  const { code } = result;
  if ('object' in result && !isOfType(result.object, resource.kind))
    return { code, text: JSON.stringify(result.object) };
  if (wanted.as === 'object') {
    return { code, text: 'entry' in result ? viewText(result.entry, resource) : JSON.stringify(result.object) };
  }
  if (wanted.as === 'metadata list') {
    const type = resource.builtIn ? `${packageOf(resource)}.${resource.kind}` : 'unstructured.Unstructured';
    throw notAcceptable(`you requested PartialObjectMetadataList, but the requested object is not a list (*${type})`);
  }
  const object = 'entry' in result ? viewObject(result.entry, resource) : result.object;
  if (wanted.as === 'metadata') return { code, text: JSON.stringify(metadataOf(object as never)) };
  return { code, text: JSON.stringify(tableOf(resource, [object as never], tableOptions(world, query, {}))) };
}

/** Deletes everything that the selectors want. */
export async function removeCollection(world: World, admitted: AdmittedRequest, wanted: Wanted): Promise<Answer> {
  const { info, resource, query, request } = admitted;
  const options = parseListOptions(query, resource);
  const deletion = deletionParameters(query, await readOptions(request));
  const page = listPage(
    world.store,
    { bucket: resource.bucket, namespaced: resource.namespaced, namespace: listNamespace(resource, info) },
    options,
  );
  const deleted = await deleteCollection(
    world,
    { ...callOf(admitted), dryRun: deletion.dryRun, options: deletion.options },
    page.entries,
    deletion,
  );
  const metadata = listMetadata(page, resource.builtIn);
  if (wanted.as === 'table')
    return { code: 200, text: JSON.stringify(tableOf(resource, deleted, tableOptions(world, query, metadata))) };
  return {
    code: 200,
    text: JSON.stringify({
      kind: resource.listKind,
      apiVersion: apiVersionOf(resource),
      metadata,
      items: resource.builtIn
        ? deleted.map((object) => ({ ...object, kind: undefined, apiVersion: undefined }))
        : deleted,
    }),
  };
}

/** What a watch or list covers: one namespace, or all of them. */
export function listNamespace(
  resource: AdmittedRequest['resource'],
  info: AdmittedRequest['info'],
): string | undefined {
  return resource.namespaced ? info.namespace : undefined;
}

export function tableOptions(world: World, query: URLSearchParams, listMetadata: object): TableOptions {
  return { includeObject: query.get('includeObject') ?? 'Metadata', now: world.now(), listMetadata };
}

function notAcceptable(message: string): StatusError {
  return new StatusError(406, 'NotAcceptable', message);
}

function packageOf({ group }: AdmittedRequest['resource']): string {
  return group === '' ? 'core' : (group.split('.')[0] ?? '');
}

/** @param omitsEmpty lists of custom resources say it when there is nothing to go on with */
function listMetadata({ revision, continueToken, remainingItemCount }: ListPage, omitsEmpty: boolean): object {
  const next = continueToken ?? (omitsEmpty ? undefined : '');
  return { resourceVersion: String(revision), continue: next, remainingItemCount };
}

function isOfType(object: object, kind: string): boolean {
  return 'kind' in object && object.kind === kind;
}
