import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { ClusterConfig } from '../kubeconfig/cluster-config.ts';
import { createConnector } from './connector.ts';

/** TLS material in force when a set of connections is opened. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** Connections to one server. */
export interface Pools {
  /** A few shared ones, for data calls. */
  readonly limited: Dispatcher;
  /** As many as needed, for streams and control calls. */
  readonly unlimited: Dispatcher;
  /** Lets requests in flight finish, then closes; used when credentials rotate. */
  drain(): Promise<void>;
  /** Closes at once. */
  destroy(): Promise<void>;
}

/** Opens connection pools. Nothing is connected before the first request. */
export function openPools(config: ClusterConfig, tls: TlsMaterial, maxConnections: number): Pools {
  const connector = createConnector({
    ...tlsOptions(config, tls),
    timeout: 10_000,
    keepAlive: true,
    keepAliveInitialDelay: 15_000,
  });
  const open = (connections: number | null): Dispatcher =>
    config.proxyUrl === undefined
      ? new Pool(new URL(config.server).origin, { ...poolOptions, connections, connect: connector.connect })
      : new ProxyAgent({
          ...poolOptions,
          uri: config.proxyUrl,
          requestTls: tlsOptions(config, tls),
          connections: connections ?? undefined,
        });
  const limited = open(maxConnections);
  // A watch holds its connection for minutes, and a control call must not wait for one.
  const unlimited = open(null);
  return {
    limited,
    unlimited,
    drain: async () => {
      await Promise.all([limited.close(), unlimited.close()]);
    },
    destroy: async () => {
      const destroyed = Promise.all([limited.destroy(), unlimited.destroy()]);
      connector.abandon();
      await destroyed;
    },
  };
}

const poolOptions = { pipelining: 1, keepAliveTimeout: 60_000, keepAliveMaxTimeout: 600_000, allowH2: false };

function tlsOptions(config: ClusterConfig, tls: TlsMaterial) {
  return {
    ca: tls.ca,
    cert: tls.certificate,
    key: tls.key,
    servername: config.tlsServerName,
    rejectUnauthorized: !config.insecureSkipTlsVerify,
  };
}
