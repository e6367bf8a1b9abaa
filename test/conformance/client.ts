import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { openWatch, type Watch } from './watch-stream.ts';

/** Where a server listens and whom it trusts. */
export interface Address {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  /** PEM of the authority that signed the serving certificate. */
  readonly caCertificate: string;
}

/** How a client proves who it is. Nothing at all makes it anonymous. */
export interface Credentials {
  /** Client certificate and key, PEM. */
  readonly certificate?: string;
  readonly key?: string;
  readonly token?: string;
}

/** Metadata as it is received; which fields are there is what the checks find out. */
interface ReceivedMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly object[];
  readonly managedFields?: readonly Readonly<Record<string, unknown>>[];
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** A body as it is received. The types are the caller's expectation; nothing checks them. */
export interface Received {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ReceivedMeta;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly items: readonly Received[];
  readonly message: string;
  readonly reason: string;
  readonly [field: string]: unknown;
}

/** What a server answered. Every HTTP status is an answer, not an error. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Each `Warning` header by itself, as sent. */
  readonly warnings: readonly string[];
  /** The body before it is parsed. */
  readonly text: string;
  /** The parsed body; an empty object when the body is not JSON, or compressed. */
  readonly body: Received;
}

/** Options of one request. */
interface RequestOptions {
  /** A string or buffer is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Default `application/json` when there is a body. */
  readonly contentType?: string;
  /** Default `application/json`. */
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** The patch types by their usual names. */
const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** One user who talks to one server. Paths may carry a query. */
export interface Client {
  send(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, body: unknown, options?: RequestOptions): Promise<Answer>;
  /** Creates an object that a check needs but is not about: throws unless that works, and returns the object. */
  create(path: string, body: unknown): Promise<Received>;
  put(path: string, body: unknown, options?: RequestOptions): Promise<Answer>;
  patch(type: keyof typeof patchTypes, path: string, body: unknown, options?: RequestOptions): Promise<Answer>;
  /** Server-side apply. */
  apply(path: string, manager: string, body: unknown, options?: { readonly force?: boolean }): Promise<Answer>;
  delete(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  /** Opens a watch; the path needs no `watch=1`. Close it. */
  watch(path: string, options?: RequestOptions): Promise<Watch>;
  /** Frees the connections. */
  close(): void;
}

const giveUpAfterMs = 20_000;

/**
 * A client so plain that nothing between the check and the wire can hide a difference.
 * @param onAnswer sees every answer but those of watches
 */
export function createClient(address: Address, credentials: Credentials, onAnswer: (answer: Answer) => void): Client {
  const { certificate: cert, key, token } = credentials;
  const agent = new Agent({ ca: address.caCertificate, cert, key, keepAlive: true });
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };

  const open = (method: string, path: string, options: RequestOptions, signal?: AbortSignal) => {
    const { body, contentType = 'application/json', accept = 'application/json' } = options;
    const payload = bytesOf(body);
    const request = httpsRequest(address.url + path, {
      method,
      agent,
      signal,
      headers: {
        accept,
        'user-agent': 'conformance/1',
        ...authorization,
        ...(payload === undefined ? {} : { 'content-type': contentType, 'content-length': payload.length }),
        ...(options.headers as Record<string, string | string[]>),
      },
    });
    request.end(payload);
    return request;
  };

  const send: Client['send'] = async (method, path, options = {}) => {
    const request = open(method, path, options, AbortSignal.timeout(giveUpAfterMs));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const answer = answerOf(response, Buffer.concat(await response.toArray()).toString());
    onAnswer(answer);
    return answer;
  };

  return {
    send,
    get: (path, options) => send('GET', path, options),
    post: (path, body, options) => send('POST', path, { body, ...options }),
    create: async (path, body) => {
      const answer = await send('POST', path, { body });
      if (answer.status === 201) return answer.body;
      throw new Error(`cannot create ${path}: ${answer.text}`);
    },
    put: (path, body, options) => send('PUT', path, { body, ...options }),
    patch: (type, path, body, options) => send('PATCH', path, { body, contentType: patchTypes[type], ...options }),
    apply: (path, manager, body, { force } = {}) => {
      const query = `fieldManager=${manager}${force === undefined ? '' : `&force=${force}`}`;
      const target = `${path}${path.includes('?') ? '&' : '?'}${query}`;
      return send('PATCH', target, { body, contentType: patchTypes.apply });
    },
    delete: (path, body, options) => send('DELETE', path, { body, ...options }),
    watch: (path, options = {}) =>
      openWatch((signal) => open('GET', `${path}${path.includes('?') ? '&' : '?'}watch=1`, options, signal)),
    close: () => agent.destroy(),
  };
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function answerOf(response: IncomingMessage, text: string): Answer {
  const { headers, rawHeaders } = response;
  const isPlain = text !== '' && headers['content-encoding'] === undefined;
  const isJson = isPlain && (headers['content-type'] ?? '').startsWith('application/json');
  return {
    status: Number(response.statusCode),
    headers,
    warnings: rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === 'warning' && index % 2 === 1),
    text,
    body: (isJson ? JSON.parse(text) : {}) as Received,
  };
}
