import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UnknownObject } from '../objects/meta.ts';
import type { ResourceType } from '../objects/resource-type.ts';

/** The one resource type that a {@link ModelApi} serves. */
export const ModelThings: ResourceType = {
  group: 'model.klutch.example',
  version: 'v1',
  plural: 'things',
  kind: 'Thing',
  namespaced: true,
};

/**
 * The simplest server that keeps Kubernetes' promises on list and watch, with levers to strain them. It speaks real
 * HTTP on loopback; writes happen by method, so that a test knows the truth at every moment.
 */
export interface ModelApi {
  readonly url: string;
  /** Creates or updates; returns the stored object. */
  put(name: string, spec: unknown): UnknownObject;
  delete(name: string): void;
  /** The truth: objects by name. */
  state(): ReadonlyMap<string, UnknownObject>;
  /** Forgets history: older versions and continue tokens answer 410, running watches end with an error event. */
  compact(): void;
  /** Ends every watch with an error event that is not about its version. */
  failWatches(): void;
  /** Breaks every connection in the middle. */
  disconnect(): void;
  /** Ends every watch as its timeout would. */
  endWatches(): void;
  /** Sends the latest events again on every watch. */
  repeatEvents(count: number): void;
  sendBookmarks(): void;
  /** Goes back to an earlier moment, as a restored backup does, and breaks all connections. */
  restore(snapshot: ModelSnapshot): void;
  snapshot(): ModelSnapshot;
  /** Refuses every request with this status until called with undefined. */
  refuse(status: number | undefined): void;
  readonly watches: number;
  readonly requests: { lists: number; watches: number };
  close(): Promise<void>;
}

export interface ModelSnapshot {
  readonly version: number;
  readonly objects: ReadonlyMap<string, UnknownObject>;
}

interface StoredEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly version: number;
  readonly object: UnknownObject;
}

export interface ModelOptions {
  /** Whether `sendInitialEvents` is understood. Default true. */
  readonly streamingLists?: boolean;
}

export async function startModelApi(options: ModelOptions = {}): Promise<ModelApi> {
  let version = 1;
  let created = 0;
  let compactedAt = 0;
  let refusal: number | undefined;
  let objects = new Map<string, UnknownObject>();
  let history: StoredEvent[] = [];
  const continuations = new Map<string, { readonly rest: readonly UnknownObject[]; readonly version: number }>();
  const watchers = new Set<ServerResponse>();
  const sockets = new Set<import('node:net').Socket>();
  const requests = { lists: 0, watches: 0 };

  function record(type: StoredEvent['type'], object: UnknownObject): void {
    const event = { type, version, object };
    history.push(event);
    for (const watcher of watchers) send(watcher, event);
  }

  function put(name: string, spec: unknown): UnknownObject {
    version += 1;
    const old = objects.get(name);
    created += old ? 0 : 1;
    const object: UnknownObject = {
      apiVersion: 'model.klutch.example/v1',
      kind: 'Thing',
      metadata: {
        name,
        namespace: 'default',
        uid: old?.metadata.uid ?? `uid-${created}`,
        resourceVersion: String(version),
        managedFields: [{ manager: 'model' }],
      },
      spec,
    };
    objects.set(name, object);
    record(old ? 'MODIFIED' : 'ADDED', object);
    return object;
  }

  function remove(name: string): void {
    const old = objects.get(name);
    if (!old) return;
    version += 1;
    objects.delete(name);
    record('DELETED', { ...old, metadata: { ...old.metadata, resourceVersion: String(version) } });
  }

  function disconnect(): void {
    for (const socket of sockets) socket.destroy();
    watchers.clear();
  }

  function endWatches(error?: object): void {
    for (const watcher of watchers) {
      if (error) watcher.end(`${JSON.stringify({ type: 'ERROR', object: error })}\n`);
      else watcher.end();
    }
    watchers.clear();
  }

  function list(url: URL, response: ServerResponse): void {
    requests.lists += 1;
    const token = url.searchParams.get('continue');
    const resumed = token === null ? undefined : continuations.get(token);
    if (token !== null && !resumed) return gone(response);
    const all = resumed?.rest ?? [...objects.values()];
    const at = resumed?.version ?? version;
    const limit = Number(url.searchParams.get('limit') ?? all.length);
    const rest = all.slice(limit);
    const next = rest.length > 0 ? `${at}-${continuations.size}-${rest.length}` : undefined;
    if (next) continuations.set(next, { rest, version: at });
    const metadata = { resourceVersion: String(at), continue: next };
    answer(response, 200, {
      apiVersion: 'model.klutch.example/v1',
      kind: 'ThingList',
      metadata,
      items: all.slice(0, limit),
    });
  }

  function watch(url: URL, response: ServerResponse): void {
    requests.watches += 1;
    const initial = url.searchParams.get('sendInitialEvents') === 'true';
    if (initial && options.streamingLists === false) {
      return answer(response, 422, {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'Invalid',
        code: 422,
      });
    }
    const from = Number(url.searchParams.get('resourceVersion') ?? 0);
    if (!initial && from < compactedAt) return gone(response);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const missed: Omit<StoredEvent, 'version'>[] = initial
      ? [...objects.values()].map((object) => ({ type: 'ADDED', object }))
      : history.filter((event) => event.version > from);
    for (const event of missed) send(response, event);
    if (initial) send(response, bookmark(version, { 'k8s.io/initial-events-end': 'true' }));
    watchers.add(response);
    response.on('close', () => watchers.delete(response));
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://model');
    if (refusal !== undefined) {
      return answer(response, refusal, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: refusal });
    }
    if (url.searchParams.get('watch') === 'true') watch(url, response);
    else list(url, response);
  }

  const server = createServer(handle);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    put,
    delete: remove,
    state: () => new Map(objects),
    compact: () => {
      compactedAt = version;
      history = [];
      continuations.clear();
      endWatches(expired);
    },
    failWatches: () => endWatches(internalError),
    disconnect,
    endWatches: () => endWatches(),
    repeatEvents: (count) => {
      for (const event of history.slice(-count)) for (const watcher of watchers) send(watcher, event);
    },
    sendBookmarks: () => {
      for (const watcher of watchers) send(watcher, bookmark(version, {}));
    },
    snapshot: () => ({ version, objects: new Map(objects) }),
    restore: (snapshot) => {
      version = snapshot.version;
      objects = new Map(snapshot.objects);
      history = history.filter((event) => event.version <= version);
      compactedAt = Math.min(compactedAt, version);
      continuations.clear();
      disconnect();
    },
    refuse: (status) => {
      refusal = status;
    },
    get watches() {
      return watchers.size;
    },
    requests,
    close: async () => {
      disconnect();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const expired = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'Expired',
  code: 410,
  message: 'too old resource version',
};

const internalError = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'InternalError',
  code: 500,
  message: 'cannot decode an event',
};

function bookmark(version: number, annotations: Record<string, string>): { type: string; object: object } {
  return { type: 'BOOKMARK', object: { kind: 'Thing', metadata: { resourceVersion: String(version), annotations } } };
}

function send(watcher: ServerResponse, event: { readonly type: string; readonly object: object }): void {
  watcher.write(`${JSON.stringify({ type: event.type, object: event.object })}\n`);
}

function gone(response: ServerResponse): void {
  answer(response, 410, expired);
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
