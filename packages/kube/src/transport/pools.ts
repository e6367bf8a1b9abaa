import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { ClusterConfig } from '../kubeconfig/cluster-config.ts';

/** TLS material in force when a set of connections is opened. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** Connections to one server: a few shared ones for calls, as many as needed for streams. */
export interface Pools {
  readonly calls: Dispatcher;
  readonly streams: Dispatcher;
  /** Lets requests in flight finish, then closes; used when credentials rotate. */
  drain(): Promise<void>;
  /** Closes at once. */
  destroy(): Promise<void>;
}

/** Opens connection pools. Nothing is connected before the first request. */
export function openPools(config: ClusterConfig, tls: TlsMaterial, maxConnections: number): Pools {
  const calls = openDispatcher(config, tls, maxConnections);
  // A watch holds its connection for minutes, so streams never share the bounded pool.
  const streams = openDispatcher(config, tls, undefined);
  return {
    calls,
    streams,
    drain: async () => {
      await Promise.all([calls.close(), streams.close()]);
    },
    destroy: async () => {
      await Promise.all([calls.destroy(), streams.destroy()]);
    },
  };
}

function openDispatcher(config: ClusterConfig, tls: TlsMaterial, connections: number | undefined): Dispatcher {
  const connect = {
    ca: tls.ca,
    cert: tls.certificate,
    key: tls.key,
    servername: config.tlsServerName,
    rejectUnauthorized: !config.insecureSkipTlsVerify,
  };
  const options = {
    connections: connections ?? null,
    pipelining: 1,
    keepAliveTimeout: 60_000,
    keepAliveMaxTimeout: 600_000,
    allowH2: false,
  };
  const connectLimits = { timeout: 10_000, keepAlive: true, keepAliveInitialDelay: 15_000 };
  const origin = new URL(config.server).origin;
  if (config.proxyUrl === undefined) return new Pool(origin, { ...options, connect: { ...connect, ...connectLimits } });
  return new ProxyAgent({ ...options, uri: config.proxyUrl, requestTls: connect, connections });
}
