import type { ServerResponse } from 'node:http';
import { parseListOptions } from '../list/index.ts';
import type { Metadata } from '../objects/api-object.ts';
import type { World } from '../operations/call.ts';
import { viewObject, viewText } from '../operations/stored-view.ts';
import { apiVersionOf, type ServedResource } from '../registry/served-resource.ts';
import { metadataOf, tableOf } from '../table/index.ts';
import { type BookmarkMetadata, responseSink, type Shape, type WatchHub } from '../watch/index.ts';
import { commonHeaders, warningHeaders } from './answer.ts';
import type { Wanted } from './negotiate.ts';
import { listNamespace, tableOptions } from './read-routes.ts';
import type { AdmittedRequest } from './write-routes.ts';

/** Streams events until the client leaves or the watch ends; throws before the first byte when it is not accepted. */
export function watch(
  world: World,
  hub: WatchHub,
  admitted: AdmittedRequest,
  wanted: Wanted,
  response: ServerResponse,
  warnings: readonly string[],
): void {
  const { info, resource, query } = admitted;
  const options = parseListOptions(query, resource);
  const listed = { bucket: resource.bucket, namespaced: resource.namespaced, namespace: listNamespace(resource, info) };
  const type = `application/json${wanted.as === 'object' ? '' : ';stream=watch'}`;
  const sink = responseSink(response, {
    'content-type': type,
    ...commonHeaders(admitted.request),
    ...warningHeaders(warnings),
  });
  // Nobody would end the watch of a client that left while it was being let in.
  if (response.destroyed) return;
  const { group, version, since, definition } = resource;
  const isOutdated = () => world.registry.find(group, version, resource.resource)?.definition !== definition;
  const open = hub.open({ listed, options, since, shape: shapeOf(world, admitted, wanted), isOutdated }, sink);
  response.on('close', () => open.end());
}

/** Each version and form is serialised once per event, however many clients watch in it. */
function shapeOf(world: World, { resource, query }: AdmittedRequest, wanted: Wanted): Shape {
  const apiVersion = apiVersionOf(resource);
  // Go shows fields of built-in kinds that nobody has set.
  const { blank } = resource.ownership(undefined).builtIn ?? {};
  const empty = (metadata: BookmarkMetadata) => ({
    kind: resource.kind,
    apiVersion,
    ...blank,
    metadata: metadata as Metadata,
  });
  const bookmark: Shape['bookmark'] = (metadata) => JSON.stringify(empty(metadata));
  if (wanted.as === 'object') return { id: idOf(resource), object: (entry) => viewText(entry, resource), bookmark };
  if (wanted.as === 'metadata' || wanted.as === 'metadata list') {
    return {
      id: `${idOf(resource)} metadata`,
      object: (entry) => JSON.stringify(metadataOf(viewObject(entry, resource))),
      bookmark: (metadata) => JSON.stringify({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }),
    };
  }
  const include = query.get('includeObject') ?? 'Metadata';
  return {
    id: `${idOf(resource)} table ${include}`,
    firstIsDifferent: true,
    object: (entry, isFirst) =>
      JSON.stringify(
        tableOf(resource, [viewObject(entry, resource)], { ...tableOptions(world, query, {}), withColumns: isFirst }),
      ),
    bookmark: (metadata, isFirst) =>
      JSON.stringify(tableOf(resource, [empty(metadata)], { ...tableOptions(world, query, {}), withColumns: isFirst })),
  };
}

const ids = new WeakMap<ServedResource, string>();
let nextId = 0;

/** A registration of a type: a changed CRD shows the same entry differently. */
function idOf(resource: ServedResource): string {
  const known = ids.get(resource);
  if (known) return known;
  const id = `${apiVersionOf(resource)} ${nextId++}`;
  ids.set(resource, id);
  return id;
}
