import { APIServiceBindings, KlutchError } from '@klutch/api';
import { proxyFor } from '@klutch/api/contract';
import {
  type Clock,
  connect,
  type HealthServer,
  type KubeClient,
  type LeaderElection,
  type Logger,
  runLeaderElection,
  scope,
  Secrets,
  silentLogger,
  startHealthServer,
  systemClock,
  type TransportOptions,
  userAgentOf,
} from '@klutch/kube';
import type { Registry } from 'prom-client';
import { kubeconfigOf } from '../bindings/kubeconfig-of.ts';
import { createLeaseLine } from '../epoch/lease-line.ts';
import { ensureBindingCrd } from './ensure-binding-crd.ts';
import { lead } from './lead.ts';
import { type KonnectorMetrics, noMetrics } from './metrics.ts';
import type { ProcessParts } from './near.ts';
import type { KonnectorOptions, Mode } from './options.ts';
import { parts as allParts } from './parts.ts';
import { createKonnectorMetrics } from './prometheus-metrics.ts';

/** What a konnector is given besides its options. */
export interface KonnectorDeps {
  /** Ends the konnector, in good order within ten seconds. */
  readonly signal: AbortSignal;
  readonly log?: Logger;
  /** A registry, which `/metrics` then shows, or somebody who counts. */
  readonly metrics?: Registry | KonnectorMetrics;
  readonly clock?: Clock;
  /** Seen by every client; for tests. */
  readonly interceptors?: TransportOptions['interceptors'];
  /** Replaces the parts that do the work; for tests. */
  readonly parts?: ProcessParts;
}

/** A konnector that runs. */
export interface Konnector {
  /** Resolves when it competes for the lease and answers for its health; rejects when it cannot start. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended and nothing of it is left; rejects with what made it end. */
  readonly stopped: Promise<void>;
  /** Where its health is served, once it is ready; undefined when it is not served. */
  health(): { readonly port: number } | undefined;
  /** Whether it does the work now. */
  isLeader(): boolean;
}

/** Starts a konnector. Of several with the same lease one works, and the others stand by. */
export function startKonnector(options: KonnectorOptions, deps: KonnectorDeps): Konnector {
  const { signal, log = silentLogger, clock = systemClock } = deps;
  const { registry, metrics } = metricsFrom(deps.metrics);
  const transport: TransportOptions = {
    userAgent: userAgentOf('klutch-konnector', options.version),
    interceptors: deps.interceptors,
    registry,
  };
  /** For the lease and for what is read at the start; the leader has clients of its own. */
  const client = connect(options.local, transport);
  const stop = scope(signal);
  let health: HealthServer | undefined;
  let election: LeaderElection | undefined;

  const ready = prepare();
  const stopped = run();
  // A failed start is told by both; whoever listens to one of them knows.
  ready.catch(() => stopped.catch(() => {}));
  return {
    ready,
    stopped,
    health: () => health && { port: health.port },
    isLeader: () => election?.isLeader() ?? false,
  };

  async function prepare(): Promise<void> {
    stop.signal.throwIfAborted();
    // One that cannot be used is told now, and not when a control plane is to be reached.
    proxyFor(new URL('https://control-plane.invalid'), process.env);
    if (options.mode.kind === 'control-plane') await checkSecret(client, options.mode, stop.signal);
    if (options.health) {
      const checks = [{ name: 'leaderElection', check: () => election?.check() }];
      health = await startHealthServer({
        ...options.health,
        checks: { livez: checks, readyz: checks, healthz: checks },
        registry,
        signal: stop.signal,
        log,
      });
    }
    election = elect();
  }

  function elect(): LeaderElection {
    const { name, namespace, identity, timings } = options.lease;
    const lease = { name, namespace };
    const renew = () => elected.renew();
    const line = createLeaseLine({ client, lease, renew, log });
    const elected = runLeaderElection({
      client: line.client,
      lease,
      identity,
      timings,
      signal: stop.signal,
      clock,
      log,
      metrics: metrics.lease,
      lead: (until, term) =>
        lead(until, term, {
          options,
          parts: deps.parts ?? allParts,
          transport,
          line,
          bindingType: (fenced, within) =>
            options.mode.kind === 'default'
              ? ensureBindingCrd(fenced, { clock, signal: within, version: options.version, log })
              : Promise.resolve(APIServiceBindings),
          metrics,
          clock,
          log,
        }),
    });
    return elected;
  }

  async function run(): Promise<void> {
    try {
      await ready;
      await election?.stopped;
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      stop.end();
      await health?.stopped;
      await client.close();
      log.info({}, 'konnector stopped');
    }
  }
}

/** Also a registry of another copy of the library is one. */
function metricsFrom(given: Registry | KonnectorMetrics = noMetrics): {
  readonly registry?: Registry;
  readonly metrics: KonnectorMetrics;
} {
  if (!('registerMetric' in given)) return { metrics: given };
  return { registry: given, metrics: createKonnectorMetrics(given) };
}

/** Without a usable Secret there is no app cluster to work for; the message names it, so that it can be repaired. */
async function checkSecret(
  client: KubeClient,
  { appClusterKubeconfig: ref }: Extract<Mode, { readonly kind: 'control-plane' }>,
  signal: AbortSignal,
): Promise<void> {
  const secret = await client.resource(Secrets).find(ref, { signal });
  const reading = kubeconfigOf(secret, { ref, needsNamespace: false });
  if (reading.kubeconfig) return;
  const code = secret ? 'KLUTCH_KUBECONFIG_SECRET_INVALID' : 'KLUTCH_KUBECONFIG_SECRET_NOT_FOUND';
  throw new KlutchError(code, reading.problem);
}
