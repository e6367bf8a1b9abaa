import type { Readable } from 'node:stream';

/** A request to an API server, before authentication is added. */
export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the server's base URL, with query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** `call`: a bounded request with an answer. `stream`: an answer that lasts, such as a watch; runs on its own connection. */
  readonly mode: 'call' | 'stream';
  /**
   * `control`: a small call by which others learn that this process and the server are alive, such as a probe, the renewal of
   * a lease or a heartbeat. It waits for no `data` call and shares no connection with one. Default `data`.
   */
  readonly traffic?: Traffic;
  /** Milliseconds until a call is given up, its repetitions included; streams have none. Default 30 s. */
  readonly timeoutMs?: number;
  /** Called at the last moment, when nothing is left to wait for; what it throws keeps the request from being sent. */
  readonly beforeSend?: () => void;
  /** What the request is about, for errors, metrics and traces. Never contains secrets. */
  readonly about: RequestSubject;
}

export type Traffic = 'data' | 'control';

export interface RequestSubject {
  /** Kubernetes verb: get, list, watch, create, update, patch, delete, deletecollection. */
  readonly verb: string;
  /** `group/plural` or plural for core; with subresource: `plural/status`. */
  readonly resource: string;
  /** Human name of the object or collection concerned. */
  readonly object: string;
}

/** An answer with its body not yet read. */
export interface KubeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

export type Send = (request: KubeRequest) => Promise<KubeResponse>;

/** Wraps a {@link Send}: the seam for retry, authentication, metrics, tracing and fault injection. */
export type Interceptor = (next: Send) => Send;

/** A connection to one API server as one user. */
export interface Transport {
  /** Base URL of the server. */
  readonly server: string;
  /** Sends a request through all interceptors. Resolves for 2xx answers only; all else is a `KubeError`. */
  send: Send;
  /** Sends a call and parses its JSON answer. */
  json<T>(request: KubeRequest): Promise<T>;
  /** Ends all connections; requests in flight are aborted. */
  close(): Promise<void>;
}
