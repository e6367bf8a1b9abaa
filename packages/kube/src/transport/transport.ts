import type { Registry } from 'prom-client';
import type { CredentialSource } from '../auth/credentials.ts';
import { createCredentialSource, pemReader } from '../auth/index.ts';
import { isKubeError } from '../errors/kube-error.ts';
import type { ClusterConfig } from '../kubeconfig/cluster-config.ts';
import { answerError, notKubernetes } from './answer-error.ts';
import { authenticate } from './authenticate.ts';
import { connectionError } from './connection-error.ts';
import { compose } from './interceptors.ts';
import { measure, traceRequests } from './observe.ts';
import { readText } from './read-text.ts';
import { type RetryOptions, retry } from './retry.ts';
import type { Interceptor, KubeRequest, Transport } from './types.ts';
import { createWire } from './wire.ts';

export interface TransportOptions {
  /** Names the component to the API server, such as `klutch-konnector/1.2.0`. */
  readonly userAgent: string;
  /** Connections for calls; streams have their own. Default 8. */
  readonly maxConnections?: number;
  /** Time limit of a call that names none, in milliseconds. Default 30 s. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /** Where request metrics go; none are kept without it. */
  readonly registry?: Registry;
  /** Put between authentication and the connection, so that they see what the server would: fault injection, recording. */
  readonly interceptors?: readonly Interceptor[];
  /** Replaces the credentials the configuration describes. */
  readonly credentials?: CredentialSource;
}

/** Connects to the API server of `config`. Nothing is sent before the first request. */
export function createTransport(config: ClusterConfig, options: TransportOptions): Transport {
  const credentials = options.credentials ?? createCredentialSource(config);
  const wire = createWire({
    config,
    credentials,
    ca: config.ca ? pemReader(config.ca) : async () => undefined,
    maxConnections: options.maxConnections ?? 8,
    defaultTimeoutMs: options.timeoutMs ?? 30_000,
  });
  const interceptors = [
    identify(options.userAgent),
    traceRequests(),
    retry(options.retry),
    ...(options.registry ? [measure(options.registry)] : []),
    authenticate(credentials, config.impersonate),
    onlySuccess(config),
    ...(options.interceptors ?? []),
  ];
  const send = compose(interceptors, wire.send);
  return {
    server: config.server,
    send,
    json: async <T>(request: KubeRequest) => parseJson(await readAll(send, request, config), request, config) as T,
    close: () => wire.close(),
  };
}

/** `component/version (platform)`: the user agent by which audit logs tell our components apart. */
export function userAgentOf(component: string, version: string): string {
  return `${component}/${version} (${process.platform}/${process.arch})`;
}

function identify(userAgent: string): Interceptor {
  return (next) => (request) => next({ ...request, headers: { 'user-agent': userAgent, ...request.headers } });
}

/** Turns every answer but 2xx into an error. */
function onlySuccess(config: ClusterConfig): Interceptor {
  return (next) => async (request) => {
    const response = await next(request);
    if (response.status >= 200 && response.status < 300) return response;
    let failure: unknown;
    try {
      failure = await answerError(response, request, config);
    } catch (error) {
      failure = connectionError(error, request, config);
    }
    throw failure;
  };
}

interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

async function readAll(send: Transport['send'], request: KubeRequest, config: ClusterConfig): Promise<WholeAnswer> {
  const response = await send(request);
  try {
    return { status: response.status, headers: response.headers, text: await readText(response.body) };
  } catch (error) {
    throw isKubeError(error) ? error : connectionError(error, request, config, request.timeoutMs);
  }
}

function parseJson(answer: WholeAnswer, request: KubeRequest, config: ClusterConfig): unknown {
  if (!String(answer.headers['content-type'] ?? '').includes('json')) throw notKubernetes(answer, config, answer.text);
  try {
    return JSON.parse(answer.text);
  } catch (error) {
    // A proxy that cuts an answer short ends it cleanly, so the text is the only sign.
    throw connectionError(new Error('the answer is not complete JSON', { cause: error }), request, config);
  }
}
