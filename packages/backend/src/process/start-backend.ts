import {
  type Clock,
  connect,
  createMetrics,
  createSharedInformers,
  type HealthCheck,
  type LeaderElection,
  type Logger,
  runLeaderElection,
  scope,
  silentLogger,
  systemClock,
  type TransportOptions,
  userAgentOf,
} from '@klutch/kube';
import type { Registry } from 'prom-client';
import { createAudit } from '../audit/create-audit.ts';
import { createTokenHolders } from '../enrolment/token-holders.ts';
import { createOwnRights } from '../grants/own-rights.ts';
import { startWeb, type WebServer } from '../http/start-web.ts';
import { createIssuer } from '../login/create-issuer.ts';
import { createDeviceMarks } from '../login/device-marks.ts';
import { createUsedTickets } from '../login/used-tickets.ts';
import { openCatalogue } from '../templates/open-catalogue.ts';
import { createTenants } from '../tenants/create-tenants.ts';
import { lead } from './lead.ts';
import type { BackendOptions, ListenOptions, WebOptions } from './options.ts';
import { watchRequiredKinds } from './required-kinds.ts';
import { startOperations } from './start-operations.ts';

/** What a backend is given besides its options. */
export interface BackendDeps {
  /** Ends the backend, in good order within ten seconds. */
  readonly signal: AbortSignal;
  readonly log?: Logger;
  /** Shown at `/metrics` of the operations address. For one backend alone. */
  readonly metrics?: Registry;
  readonly clock?: Clock;
  /** Seen by every client; for tests. */
  readonly interceptors?: TransportOptions['interceptors'];
}

/** A backend that runs. */
export interface Backend {
  /** Resolves when it answers over HTTP and competes for the lease, whether or not the control plane and the issuer do. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended and nothing of it is left; rejects with what made it end. */
  readonly stopped: Promise<void>;
  /** Where the web server listens, once it is ready; throws for a backend without one. */
  url(): string;
  /** Where health and metrics are, once it is ready. */
  operationsUrl(): string;
  /** Whether it runs the controllers now. */
  isLeader(): boolean;
}

/** Starts a backend. All of those with the same lease answer over HTTP, and one of them runs the controllers. */
export function startBackend(options: BackendOptions, deps: BackendDeps): Backend {
  const { signal, log = silentLogger, clock = systemClock, metrics: registry } = deps;
  const transport: TransportOptions = {
    userAgent: userAgentOf('klutch-backend', options.version),
    interceptors: deps.interceptors,
    registry,
  };
  const metrics = registry && createMetrics(registry);
  const client = connect(options.cluster, transport);
  /** Ends what takes on work. */
  const stop = scope(signal);
  /** Ends what work under way still needs. */
  const life = scope();

  const informers = createSharedInformers(client, life.signal, { backoff: { capMs: 5_000 } });
  const catalogue = openCatalogue({ informers, consumerScope: options.consumerScope, signal: life.signal, clock });
  const kinds = watchRequiredKinds(informers, options, log);
  const audit = createAudit({ client, log, clock, instance: options.lease.identity, signal: life.signal });
  const parts: Promise<void>[] = [];
  let port: number | undefined;
  let operationsPort: number | undefined;
  let election: LeaderElection | undefined;

  const ready = prepare();
  const stopped = run();
  // A failed start is told by both; whoever listens to one of them knows.
  ready.catch(() => stopped.catch(() => {}));
  return {
    ready,
    stopped,
    url: () => urlOf(options.listen, port),
    operationsUrl: () => urlOf(options.operations, operationsPort),
    isLeader: () => election?.isLeader() ?? false,
  };

  async function prepare(): Promise<void> {
    stop.signal.throwIfAborted();
    const livez: readonly HealthCheck[] = [{ name: 'leaderElection', check: () => election?.check() }];
    const web = options.web && (await serve(options.web, livez));
    if (web) parts.push(web.stopped);
    port = web?.port;
    const readyz = [...livez, { name: 'kinds', check: () => kinds.check() }, ...(web?.readyz ?? [])];
    const operations = await startOperations(options.operations, {
      livez,
      readyz,
      registry,
      log,
      signal: stop.signal,
    });
    operationsPort = operations.port;
    parts.push(operations.stopped);
    election = elect();
  }

  function serve(web: WebOptions, livez: readonly HealthCheck[]): Promise<WebServer> {
    const issuer = createIssuer({ issuer: web.issuer, signal: stop.signal, log, clock, allowHttp: web.allowHttp });
    parts.push(issuer.stopped);
    const { version, prettyName } = options;
    return startWeb(
      {
        options: { ...web, version, prettyName },
        catalogue,
        tenants: createTenants({
          client,
          informers,
          options,
          rights: createOwnRights({ client, clock, ...options }),
          catalogue,
          clock,
        }),
        issuer,
        usedTickets: createUsedTickets(client, options.namespace, clock),
        tokenHolders: createTokenHolders(client, options.namespace, clock),
        deviceMarks: createDeviceMarks(client, options.namespace, clock),
        audit,
        log,
        registry,
        clock,
        livez,
      },
      options.listen,
      stop.signal,
    );
  }

  function elect(): LeaderElection {
    const { name, identity, timings } = options.lease;
    return runLeaderElection({
      client,
      lease: { name, namespace: options.namespace },
      identity,
      timings,
      signal: stop.signal,
      clock,
      log,
      metrics,
      lead: (until, term) =>
        lead(until, term, { options, transport, informers, catalogue, kinds, audit, metrics, registry, clock, log }),
    });
  }

  async function run(): Promise<void> {
    try {
      await ready;
      await election?.stopped;
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      stop.end();
      await Promise.allSettled(parts);
      life.end();
      await informers.stopped;
      await audit.stopped;
      await client.close();
      log.info({}, 'backend stopped');
    }
  }
}

function urlOf({ host, tls }: Omit<ListenOptions, 'port'>, port: number | undefined): string {
  if (port === undefined) throw new Error('The backend does not listen there, or not yet.');
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `${tls ? 'https' : 'http'}://${name}:${port}`;
}
