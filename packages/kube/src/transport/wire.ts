import type { Dispatcher } from 'undici';
import type { CredentialSource } from '../auth/credentials.ts';
import type { ClusterConfig } from '../kubeconfig/cluster-config.ts';
import { proxyName, serverUrl } from './address.ts';
import { connectionError } from './connection-error.ts';
import { Deadline } from './deadline.ts';
import { openPools, type Pools, type TlsMaterial } from './pools.ts';
import type { KubeRequest, KubeResponse, Send } from './types.ts';
import { scope } from '../scope/scope.ts';

/** The innermost {@link Send}: puts requests on connections of the cluster and follows certificates that rotate. */
export interface Wire {
  readonly send: Send;
  /** Aborts when the wire is closed. */
  readonly closed: AbortSignal;
  close(): Promise<void>;
}

export interface WireOptions {
  readonly config: ClusterConfig;
  readonly credentials: CredentialSource;
  /** Current CA as PEM; undefined means the roots Node trusts. */
  readonly ca: () => Promise<string | undefined>;
  /** For data calls. Their callers see to it that no more are sent at a time. */
  readonly maxConnections: number;
}

/** Throws `KUBE_CONFIG_INVALID` when an address of the configuration cannot be used. */
export function createWire(options: WireOptions): Wire {
  const base = serverUrl(options.config);
  const prefix = base.pathname.replace(/\/$/, '');
  const target = { ...options.config, proxyName: proxyName(options.config) };
  let open: { readonly tls: TlsMaterial; readonly pools: Pools } | undefined;
  const draining = new Map<Pools, Promise<void>>();
  const closed = scope();

  function poolsFor(tls: TlsMaterial): Pools {
    if (open && sameMaterial(open.tls, tls)) return open.pools;
    const old = open?.pools;
    open = { tls, pools: openPools(options.config, tls, options.maxConnections) };
    if (old)
      draining.set(
        old,
        old.drain().finally(() => draining.delete(old)),
      );
    return open.pools;
  }

  async function dispatch(request: KubeRequest, limit: number | undefined, signal: AbortSignal) {
    const [ca, credentials] = await Promise.all([options.ca(), options.credentials.current(signal)]);
    signal.throwIfAborted();
    // Pools are chosen and used in one step: in between, another request could rotate and close them.
    const pools = poolsFor({ ca, certificate: credentials.certificate, key: credentials.key });
    request.beforeSend?.();
    const isLimited = request.mode === 'call' && request.traffic !== 'control';
    const dispatcher: Dispatcher = isLimited ? pools.limited : pools.unlimited;
    return dispatcher.request({
      origin: base.origin,
      path: prefix + request.path,
      method: request.method,
      headers: request.headers,
      body: request.body,
      signal,
      // undici gives up the connection after a DELETE with a body, which servers of old stumbled over; API servers expect one.
      reset: false,
      headersTimeout: limit ?? 60_000,
      // Calls are bounded as a whole by the deadline; streams are watched for silence by their reader.
      bodyTimeout: 0,
    });
  }

  async function send(request: KubeRequest): Promise<KubeResponse> {
    const limit = request.mode === 'call' ? request.timeoutMs : undefined;
    const deadline = new Deadline([request.signal, closed.signal], limit);
    try {
      // undici does not look at the signal while a connection is being set up.
      const answer = await deadline.unlessOver(dispatch(request, limit, deadline.signal));
      answer.body.once('close', () => deadline.clear());
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    } catch (error) {
      deadline.clear();
      throw connectionError(error, request, target, limit);
    }
  }

  return {
    send,
    closed: closed.signal,
    close: async () => {
      closed.end();
      const pools = [...draining.keys(), ...(open ? [open.pools] : [])];
      await Promise.allSettled([...draining.values(), ...pools.map((pool) => pool.destroy())]);
    },
  };
}

function sameMaterial(a: TlsMaterial, b: TlsMaterial): boolean {
  return a.ca === b.ca && a.certificate === b.certificate && a.key === b.key;
}
