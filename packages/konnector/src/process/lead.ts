import { throughProxy } from '@klutch/api/contract';
import { type APIServiceBinding, kubeconfigKey } from '@klutch/api';
import {
  type Clock,
  connect,
  createTransport,
  fenceWrites,
  type KubeClient,
  keyOf,
  type LeaderTerm,
  type Logger,
  refOf,
  type ResourceType,
  scope,
  type TransportOptions,
} from '@klutch/kube';
import type { Grouping } from '../bindings/group-bindings.ts';
import type { Kubeconfig, SecretKey } from '../bindings/kubeconfig-of.ts';
import { runBindings } from '../bindings/run-bindings.ts';
import { runBoard } from '../bindings/run-board.ts';
import type { LeaseLine } from '../epoch/lease-line.ts';
import { probeNamespace } from '../link/probe.ts';
import { clusterOver, type Far, relisted, runLinks } from '../link/run-links.ts';
import { farAppCluster } from './far-app-cluster.ts';
import { farControlPlane } from './far-control-plane.ts';
import type { KonnectorMetrics } from './metrics.ts';
import type { Near, ProcessParts } from './near.ts';
import type { KonnectorOptions, Mode } from './options.ts';

/** What the work of a leader is given. */
export interface LeadOptions {
  readonly options: KonnectorOptions;
  readonly parts: ProcessParts;
  /** How clients are made, without the fence. */
  readonly transport: TransportOptions;
  readonly line: LeaseLine;
  /** How bindings are stored. */
  readonly bindingType: (client: KubeClient, signal: AbortSignal) => Promise<ResourceType<APIServiceBinding>>;
  readonly metrics: KonnectorMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Connections for calls to one cluster. */
const maxConnections = 24;

/** Does everything that only one konnector may do at a time, until the signal aborts. */
export async function lead(until: AbortSignal, term: LeaderTerm, context: LeadOptions): Promise<void> {
  const { options, transport, metrics, clock, log, parts } = context;
  /** For one cluster: writes end with the term, and no cluster gets more calls at a time than it can bear. */
  const transportFor = (): TransportOptions => ({
    ...transport,
    maxConnections,
    interceptors: [fenceWrites(term), ...(transport.interceptors ?? [])],
  });
  // When one part fails, the others end with it.
  const life = scope(until);
  const { signal } = life;
  const localClient = connect(options.local, transportFor());
  const local = clusterOver(localClient, signal);
  const unsubscribe = context.line.onSetBack(() => relisted(local, clock, signal));
  void life.run(work);
  void life.run(() => local.informers.stopped);
  try {
    await life.ended;
  } finally {
    unsubscribe();
    await localClient.close();
  }

  async function work(): Promise<void> {
    const bindingType = await context.bindingType(local.client, signal);
    signal.throwIfAborted();
    const bindingNamespace = bindingType.namespaced ? bindingNamespaceOf(options) : undefined;
    const { informer } = local.informers.acquire({ type: bindingType, namespace: bindingNamespace });
    const board = runBoard({
      informer,
      client: local.client.resource(bindingType),
      clock,
      signal,
      log,
      metrics: metrics.controller,
      wrote: () => metrics.wrote(options.mode.kind === 'default' ? 'app' : 'control-plane', 'binding-status', 'patch'),
    });
    const far = farOf({
      options,
      local,
      board,
      parts,
      bindingType,
      bindingNamespace,
      line: context.line,
      isRejected,
      metrics,
      clock,
      log,
      signal,
    });
    const links = runLinks({
      far,
      open: ({ config }) => createTransport(throughProxy(config, process.env), transportFor()),
      board,
      metrics,
      timings: options.probe,
      clock,
      log,
      look: (link) => bindings.look(link),
      signal,
    });
    const bindings = runBindings({
      informer,
      informers: local.informers,
      grouping: groupingOf(options.mode),
      secretOf: (link) => secretOf(options.mode, link),
      needsNamespace: options.mode.kind === 'default',
      board,
      links,
      signal,
      clock,
      log,
      metrics: metrics.controller,
    });
    for (const part of [board, bindings, links, far]) void life.run(() => part.stopped);
  }

  async function isRejected(kubeconfig: Kubeconfig, within: AbortSignal): Promise<boolean> {
    const client = connect(kubeconfig.config, transportFor());
    try {
      const limits = { timeoutMs: options.probe?.timeoutMs ?? 10_000, signal: within };
      const answer = await probeNamespace(client, kubeconfig.config.namespace ?? '', limits);
      return answer.is === 'rejected';
    } finally {
      await client.close();
    }
  }
}

function farOf(near: Near): Far & { readonly stopped: Promise<void> } {
  const { mode } = near.options;
  return mode.kind === 'default' ? farControlPlane(near) : farAppCluster(near, mode);
}

function bindingNamespaceOf({ mode, bindingNamespace }: KonnectorOptions): string | undefined {
  return mode.kind === 'default' ? bindingNamespace : mode.bindingRootNamespace;
}

/** On a control plane there is one app cluster, and so one link, whatever Secrets the bindings name. */
function groupingOf(mode: Mode): Grouping {
  return mode.kind === 'default' ? { by: 'secret' } : { by: 'one', link: keyOf(mode.appClusterKubeconfig) };
}

function secretOf(mode: Mode, link: string): SecretKey {
  if (mode.kind === 'control-plane') return mode.appClusterKubeconfig;
  const { name, namespace = '' } = refOf(link);
  return { name, namespace, key: kubeconfigKey };
}
