import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, silentLogger } from '../log/logger.ts';
import { onAbort } from '../scope/on-abort.ts';
import { type Answer, healthzAnswer, probeAnswer, refusal } from './answer.ts';
import { type CheckResult, type HealthCheck, runChecks } from './check.ts';

export interface HealthServerOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  /** Address to listen on. Default: all of the machine, as the kubelet asks from outside. */
  readonly host?: string;
  readonly checks?: {
    /** Must hold, or the process is to be restarted. */
    readonly livez?: readonly HealthCheck[];
    /** Must hold for the process to be of use. */
    readonly readyz?: readonly HealthCheck[];
    /** Default: those of `livez`. */
    readonly healthz?: readonly HealthCheck[];
  };
  /** Milliseconds a check may take; less than the second a kubelet waits. Default 800. */
  readonly checkLimitMs?: number;
  /** What `/metrics` shows, such as a prom-client Registry. */
  readonly registry?: MetricsSource;
  /** Ends the server. */
  readonly signal: AbortSignal;
  readonly log?: Logger;
}

/** Metrics in the text format of Prometheus. */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

export interface HealthServer {
  /** The port it listens on. */
  readonly port: number;
  /** Resolves when the server has ended and all its connections are closed. */
  readonly stopped: Promise<void>;
}

/**
 * Serves `/livez`, `/readyz` (both with `?verbose`), `/healthz` and `/metrics` over plain HTTP. Resolves when it
 * listens; rejects with an error that has the `code` of the system, such as `EADDRINUSE`, when it cannot.
 */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const { port, host, checks = {}, checkLimitMs = 800, registry, signal, log = silentLogger } = options;
  const noteResult = createResultLog(log);
  const endpoints = new Map<string, (query: URLSearchParams) => Promise<Answer>>([
    ['/livez', async (query) => probeAnswer('livez', await run(checks.livez), query.has('verbose'))],
    ['/readyz', async (query) => probeAnswer('readyz', await run(checks.readyz), query.has('verbose'))],
    ['/healthz', async () => healthzAnswer(await run(checks.healthz ?? checks.livez))],
  ]);
  if (registry !== undefined) {
    const { contentType: type } = registry;
    endpoints.set('/metrics', async () => ({ status: 200, type, body: await registry.metrics() }));
  }

  const server = createServer((request, response) => {
    void answer(request).then((result) => {
      // A connection kept alive would hold up the end of the server.
      response.shouldKeepAlive &&= server.listening;
      send(request, response, result);
    });
  });
  server.requestTimeout = 10_000;
  await listen(server, port, host);
  return { port: (server.address() as AddressInfo).port, stopped: closeOn(signal, server) };

  async function answer(request: IncomingMessage): Promise<Answer> {
    const [path = '', query] = (request.url ?? '').split('?', 2);
    const endpoint = endpoints.get(path);
    if (endpoint === undefined) return refusal(404, `not found; there is ${[...endpoints.keys()].join(', ')}`);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405, 'only GET and HEAD are allowed');
    try {
      return await endpoint(new URLSearchParams(query));
    } catch (error) {
      log.error({ err: error, path }, 'health endpoint failed');
      return refusal(500, 'the endpoint failed; the log says why');
    }
  }

  async function run(some: readonly HealthCheck[] = []): Promise<CheckResult[]> {
    const results = await runChecks(some, checkLimitMs);
    for (const result of results) noteResult(result);
    return results;
  }
}

function listen(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(listenError(error, `${host ?? '*'}:${port}`));
    server.once('error', onError);
    server.listen({ port, host }, () => {
      server.off('error', onError);
      resolve();
    });
  });
}

function listenError(cause: NodeJS.ErrnoException, address: string): Error {
  const why =
    { EADDRINUSE: 'another process uses it; stop that or choose another port', EACCES: 'this user may not' }[
      cause.code ?? ''
    ] ?? cause.message;
  return Object.assign(new Error(`cannot listen on ${address}: ${why}`, { cause }), { code: cause.code });
}

function closeOn(signal: AbortSignal, server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    let limit: NodeJS.Timeout | undefined;
    const close = () => {
      server.close();
      // Probes under way get their answer; nobody else is worth waiting for.
      limit = setTimeout(() => server.closeAllConnections(), closeLimitMs);
    };
    server.once('close', () => {
      clearTimeout(limit);
      leave();
      resolve();
    });
    server.once('error', reject);
    const leave = onAbort(signal, close);
  });
}

const closeLimitMs = 1_000;

function send(request: IncomingMessage, response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 405 && { allow: 'GET, HEAD' }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Writes a line when a check begins or ceases to fail, not whenever somebody asks. */
function createResultLog(log: Logger): (result: CheckResult) => void {
  const failing = new Set<string>();
  return ({ name: check, failure }) => {
    if (failure !== undefined && !failing.has(check)) log.warn({ check, reason: failure }, 'health check fails');
    if (failure === undefined && failing.has(check)) log.info({ check }, 'health check passes again');
    if (failure === undefined) failing.delete(check);
    else failing.add(check);
  };
}
