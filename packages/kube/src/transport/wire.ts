import type { CredentialSource } from '../auth/credentials.ts';
import type { ClusterConfig } from '../kubeconfig/cluster-config.ts';
import { connectionError } from './connection-error.ts';
import { deadline } from './deadline.ts';
import { openPools, type Pools, type TlsMaterial } from './pools.ts';
import type { KubeRequest, KubeResponse, Send } from './types.ts';

/** The innermost {@link Send}: puts requests on connections of the cluster and follows certificates that rotate. */
export interface Wire {
  readonly send: Send;
  close(): Promise<void>;
}

export interface WireOptions {
  readonly config: ClusterConfig;
  readonly credentials: CredentialSource;
  /** Current CA as PEM; undefined means the roots Node trusts. */
  readonly ca: () => Promise<string | undefined>;
  readonly maxConnections: number;
  readonly defaultTimeoutMs: number;
}

export function createWire(options: WireOptions): Wire {
  const base = new URL(options.config.server);
  const prefix = base.pathname.replace(/\/$/, '');
  let open: { readonly tls: TlsMaterial; readonly pools: Pools } | undefined;
  const draining = new Set<Promise<void>>();
  const closed = new AbortController();

  async function currentPools(signal: AbortSignal): Promise<Pools> {
    const [ca, credentials] = await Promise.all([options.ca(), options.credentials.current(signal)]);
    const tls = { ca, certificate: credentials.certificate, key: credentials.key };
    if (open && sameMaterial(open.tls, tls)) return open.pools;
    const old = open?.pools;
    open = { tls, pools: openPools(options.config, tls, options.maxConnections) };
    if (old) {
      const drained: Promise<void> = old.drain().finally(() => draining.delete(drained));
      draining.add(drained);
    }
    return open.pools;
  }

  async function send(request: KubeRequest): Promise<KubeResponse> {
    const limit = request.mode === 'call' ? (request.timeoutMs ?? options.defaultTimeoutMs) : undefined;
    const watch = deadline([request.signal, closed.signal], limit);
    try {
      const pools = await currentPools(watch.signal);
      const dispatcher = request.mode === 'call' ? pools.calls : pools.streams;
      const answer = await dispatcher.request({
        origin: base.origin,
        path: prefix + request.path,
        method: request.method,
        headers: request.headers,
        body: request.body,
        signal: watch.signal,
        headersTimeout: limit ?? 60_000,
        // Calls are bounded as a whole by the deadline; streams are watched for silence by their reader.
        bodyTimeout: 0,
      });
      answer.body.once('close', watch.clear);
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    } catch (error) {
      watch.clear();
      throw connectionError(error, request, options.config, limit);
    }
  }

  return {
    send,
    close: async () => {
      closed.abort();
      await open?.pools.destroy();
      await Promise.allSettled(draining);
    },
  };
}

function sameMaterial(a: TlsMaterial, b: TlsMaterial): boolean {
  return a.ca === b.ca && a.certificate === b.certificate && a.key === b.key;
}
