import {
  type Clock,
  connect,
  type Controller,
  type ControllerMetrics,
  fenceWrites,
  type KubeClient,
  type LeaderTerm,
  type Logger,
  pause,
  type QueueMetrics,
  scope,
  type SharedInformers,
  type TransportOptions,
} from '@klutch/kube';
import type { Audit } from '../audit/audit.ts';
import { runAppClusterBindings } from '../appclusterbindings/run-app-cluster-bindings.ts';
import { runClusterBindings } from '../clusterbindings/run-cluster-bindings.ts';
import { runCredentials } from '../credentials/run-credentials.ts';
import { createOwnRights } from '../grants/own-rights.ts';
import { runOwnRights } from '../grants/run-own-rights.ts';
import { runExportRequests } from '../exportrequests/run-export-requests.ts';
import { runExports } from '../exports/run-exports.ts';
import type { Registry } from 'prom-client';
import { runPolicyProof } from '../policies/run-policy-proof.ts';
import { removeExpiredTickets } from '../login/used-tickets.ts';
import { runQuotas } from '../quotas/run-quotas.ts';
import { runServiceNamespaces } from '../servicenamespaces/run-service-namespaces.ts';
import type { CompleteCatalogue } from '../templates/catalogue.ts';
import type { ControllerDeps } from './controller-deps.ts';
import type { BackendOptions } from './options.ts';
import type { RequiredKinds } from './required-kinds.ts';

/** What the work of a leader is given. */
export interface LeadOptions {
  readonly options: BackendOptions;
  /** How clients are made, without the fence. */
  readonly transport: TransportOptions;
  /** Those of the process: reading goes on when the term ends. */
  readonly informers: SharedInformers;
  readonly catalogue: CompleteCatalogue;
  readonly kinds: RequiredKinds;
  readonly audit: Audit;
  readonly metrics?: ControllerMetrics & QueueMetrics;
  readonly registry?: Registry;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Connections for calls of all controllers together. */
const maxConnections = 16;

/** Runs the controllers, which only one backend may do at a time, until the signal aborts. */
export async function lead(until: AbortSignal, term: LeaderTerm, context: LeadOptions): Promise<void> {
  const { options, transport, informers, catalogue, kinds, audit, metrics, registry, clock, log } = context;
  const work = scope(until);
  const { signal } = work;
  const client = connect(options.cluster, {
    ...transport,
    maxConnections,
    interceptors: [fenceWrites(term), ...(transport.interceptors ?? [])],
  });
  const rights = createOwnRights({ client, clock, ...options });
  const deps: ControllerDeps = { client, informers, rights, clock, log, signal, ...(metrics ? { metrics } : {}) };
  void work.run(async () => {
    await kinds.whenThere(signal);
    signal.throwIfAborted();
    for (const { ready, stopped } of controllersFor(deps, options, catalogue, audit)) {
      // What ends a controller before it is ready is told by `stopped`, too.
      ready.catch(() => {});
      void work.run(() => stopped);
    }
    const { namespace, lease } = options;
    const proof = { client, rights, namespace, lease: { name: lease.name, namespace }, registry, clock, log, signal };
    void work.run(() => runPolicyProof(proof));
    void work.run(() => sweepTickets(client, options.namespace, { clock, log, signal }));
  });
  try {
    await work.ended;
  } finally {
    await client.close();
  }
}

function controllersFor(
  deps: ControllerDeps,
  options: BackendOptions,
  catalogue: CompleteCatalogue,
  audit: Audit,
): readonly Pick<Controller, 'ready' | 'stopped'>[] {
  const images = { standard: options.konnectorImage, allowed: options.konnectorImages };
  return [
    runOwnRights(deps),
    runClusterBindings({ ...deps, audit, catalogue, options }),
    runCredentials({ ...deps, audit, options }),
    runServiceNamespaces({ ...deps, catalogue, options }),
    runExportRequests({ ...deps, catalogue, options }),
    runExports({ ...deps, catalogue, options }),
    runQuotas({ ...deps, catalogue, options }),
    ...(options.controlPlaneMode ? [runAppClusterBindings({ ...deps, catalogue, images })] : []),
  ];
}

const sweepMs = 5 * 60_000;

/** Removes marks of tickets that have expired, now and then. */
async function sweepTickets(
  client: KubeClient,
  namespace: string,
  { clock, log, signal }: Pick<ControllerDeps, 'clock' | 'log' | 'signal'>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await removeExpiredTickets(client, namespace, clock, signal);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'marks of used tickets were not removed');
    }
    await pause(clock, sweepMs, signal);
  }
}
