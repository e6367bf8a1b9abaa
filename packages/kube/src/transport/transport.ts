import type { Registry } from 'prom-client';
import type { CredentialSource } from '../auth/credentials.ts';
import { createCredentialSource, pemReader } from '../auth/index.ts';
import type { ClusterConfig } from '../kubeconfig/cluster-config.ts';
import { answerError, notKubernetes } from './answer-error.ts';
import { authenticate } from './authenticate.ts';
import { connectionError } from './connection-error.ts';
import { compose } from './interceptors.ts';
import { limitCalls } from './limit-calls.ts';
import { measure, traceRequests } from './observe.ts';
import { readText } from './read-text.ts';
import { type RetryOptions, retry } from './retry.ts';
import type { Interceptor, KubeRequest, Send, Transport } from './types.ts';
import { createWire } from './wire.ts';

export interface TransportOptions {
  /** Names the component to the API server, such as `klutch-konnector/1.2.0`. */
  readonly userAgent: string;
  /** Data calls in flight, and connections for them, at most; fewer while the server is busy. Default 8. */
  readonly maxConnections?: number;
  /** Time limit of a call that names none, in milliseconds. Default 30 s. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /** Where request metrics go; none are kept without it. */
  readonly registry?: Registry;
  /** Put next to the connection, so that they see what the server would, when it would: fences, fault injection, recording. */
  readonly interceptors?: readonly Interceptor[];
  /** Replaces the credentials the configuration describes. */
  readonly credentials?: CredentialSource;
}

/** Connects to the API server of `config`. Nothing is sent before the first request. */
export function createTransport(config: ClusterConfig, options: TransportOptions): Transport {
  const credentials = options.credentials ?? createCredentialSource(config);
  const { maxConnections = 8 } = options;
  const wire = createWire({
    config,
    credentials,
    ca: config.ca ? pemReader(config.ca) : async () => undefined,
    maxConnections,
  });
  const interceptors = [
    traceRequests(),
    retry(options.retry, wire.closed),
    ...(options.registry ? [measure(options.registry)] : []),
    authenticate(credentials, config.impersonate),
    onlySuccess(config),
    limitCalls({ most: maxConnections, closed: wire.closed }),
    ...(options.interceptors ?? []),
  ];
  const sendComplete = compose(interceptors, wire.send);
  const complete = withDefaults(options);
  return {
    server: config.server,
    send: (request) => sendComplete(complete(request)),
    json: async <T>(request: KubeRequest) => (await readJson(sendComplete, complete(request), config)) as T,
    close: () => wire.close(),
  };
}

/** `component/version (platform)`: the user agent by which audit logs tell our components apart. */
export function userAgentOf(component: string, version: string): string {
  return `${component}/${version} (${process.platform}/${process.arch})`;
}

function withDefaults({ userAgent, timeoutMs = 30_000 }: TransportOptions): (request: KubeRequest) => KubeRequest {
  return (request) => ({
    ...request,
    timeoutMs: request.mode === 'call' ? (request.timeoutMs ?? timeoutMs) : undefined,
    headers: { 'user-agent': userAgent, ...request.headers },
  });
}

/** Turns every answer but 2xx, and whatever the layers below throw, into an error of this package. */
function onlySuccess(config: ClusterConfig): Interceptor {
  return (next) => async (request) => {
    try {
      const response = await next(request);
      if (response.status >= 200 && response.status < 300) return response;
      throw await answerError(response, request, config);
    } catch (error) {
      throw connectionError(error, request, config, request.timeoutMs);
    }
  };
}

async function readJson(send: Send, request: KubeRequest, config: ClusterConfig): Promise<unknown> {
  const response = await send(request);
  let text: string;
  try {
    text = await readText(response.body);
  } catch (error) {
    throw connectionError(error, request, config, request.timeoutMs);
  }
  if (!String(response.headers['content-type'] ?? '').includes('json')) throw notKubernetes(response, config, text);
  try {
    return JSON.parse(text);
  } catch {
    // A proxy that cuts an answer short ends it cleanly, so the text is the only sign. What the parser says is left
    // out: it quotes the text, which may be a Secret.
    throw connectionError(new Error('the answer is not complete JSON'), request, config);
  }
}
