import { isKubeError } from '../errors/kube-error.ts';
import type { ClusterConfig } from '../kubeconfig/cluster-config.ts';
import type { KubeList, KubeObject, ObjectRef } from '../objects/meta.ts';
import { apiVersionOf, type ResourceType } from '../objects/resource-type.ts';
import { createTransport, type TransportOptions } from '../transport/transport.ts';
import type { Transport } from '../transport/types.ts';
import { watchEvents } from '../watch/watch-events.ts';
import {
  applyRequest,
  createRequest,
  deleteCollectionRequest,
  deleteRequest,
  getRequest,
  listRequest,
  patchRequest,
  replaceRequest,
} from './requests.ts';
import type { GetOptions, KubeClient, ListOptions, ResourceClient } from './types.ts';

const defaultPageSize = 500;

/** A client of the cluster that `config` describes. */
export function connect(config: ClusterConfig, options: TransportOptions): KubeClient {
  return createClient(createTransport(config, options));
}

/** A client over an existing transport; closing the client closes the transport. */
export function createClient(transport: Transport): KubeClient {
  return {
    transport,
    resource: (type) => resourceClient(transport, type),
    close: () => transport.close(),
  };
}

function resourceClient<T extends KubeObject>(transport: Transport, type: ResourceType<T>): ResourceClient<T> {
  async function get(ref: ObjectRef, options: GetOptions = {}): Promise<T> {
    return transport.json<T>(getRequest(type, ref, options));
  }

  async function find(ref: ObjectRef, options: GetOptions = {}): Promise<T | undefined> {
    try {
      return await get(ref, options);
    } catch (error) {
      // A 404 without a Status is about the resource type, or comes from something that is no API server.
      if (isKubeError(error, 'KUBE_NOT_FOUND') && error.body) return undefined;
      throw error;
    }
  }

  async function list(options: ListOptions = {}): Promise<KubeList<T>> {
    const page = await transport.json<KubeList<T>>(listRequest(type, options));
    return { ...page, items: withKind(page.items ?? [], type, options.metadataOnly) };
  }

  async function* pages(options: ListOptions = {}): AsyncIterable<KubeList<T>> {
    let query: ListOptions = { ...options, limit: options.limit ?? defaultPageSize };
    for (;;) {
      const page = await list(query);
      yield page;
      if (!page.metadata.continue) return;
      // The token holds the version; servers refuse a request that names both.
      const { resourceVersion: _, resourceVersionMatch: __, ...rest } = query;
      query = { ...rest, continue: page.metadata.continue };
    }
  }

  return {
    type,
    get,
    find,
    list,
    pages,
    watch: (options = {}) => watchEvents(transport, type, options),
    create: async (object, options = {}) => transport.json<T>(createRequest(type, object, options)),
    replace: async (object, options = {}) => transport.json<T>(replaceRequest(type, object, options)),
    patch: async (ref, patch, options = {}) => transport.json<T>(patchRequest(type, ref, patch, options)),
    apply: async (object, options) => transport.json<T>(applyRequest(type, object, options)),
    delete: async (ref, options = {}) => {
      await transport.json(deleteRequest(type, ref, options));
    },
    deleteCollection: async (options = {}) => {
      await transport.json(deleteCollectionRequest(type, options));
    },
  };
}

/** Core types leave `apiVersion` and `kind` out of list items; whoever reads a cache expects them on every object. */
function withKind<T extends KubeObject>(
  items: readonly T[],
  type: ResourceType<T>,
  metadataOnly?: boolean,
): readonly T[] {
  const first = items[0];
  if (!first || (first.kind !== undefined && !metadataOnly)) return items;
  const identity = { apiVersion: apiVersionOf(type), kind: type.kind };
  return items.map((item) => ({ ...item, ...identity }));
}
