import { resolve } from 'node:path';
import { KlutchError, lease } from '@klutch/api';
import { startKonnector } from '@klutch/konnector';
import {
  type Logger,
  pause,
  replicaIdentity,
  type Scope,
  scope,
  silentLogger,
  systemClock,
  whenAborted,
} from '@klutch/kube';
import { findRunning } from '../control/running.ts';
import { serveControl } from '../control/serve-control.ts';
import { startIssuer } from '../issuer/start-issuer.ts';
import { greetingApi } from '../sample/greeting.ts';
import { runProvider } from '../sample/run-provider.ts';
import { writeKubeconfig } from '../state/kubeconfig-file.ts';
import { choosePorts, type ListenerName, type Moved, type Ports, usualPorts } from '../state/ports.ts';
import { type NewOrigins, relocate } from '../state/relocate.ts';
import { type Layout, layoutOf, openState, saveState, type State } from '../state/state.ts';
import { clients, soleTimings, startSandboxBackend } from './backend.ts';
import { admitBackend, type Cluster, furnish, startCluster } from './clusters.ts';
import type { Sandbox, SandboxDeps, SandboxInfo, SandboxOptions } from './options.ts';
import { createParts, type Parts } from './parts.ts';

/**
 * Starts a control plane and an app cluster, each with an API server of its own, and everything that belongs to them, in
 * this process. What is in them survives a restart. Rejects with `KLUTCH_SANDBOX_RUNNING` when one runs from the folder.
 */
export function startSandbox(options: SandboxOptions, deps: SandboxDeps): Sandbox {
  const stop = scope(deps.signal);
  const parts = createParts(() => stop.end());

  const ready = start({ ...options, dir: resolve(options.dir) }, deps, parts, stop);
  const stopped = run();
  // A failed start is told by both; whoever listens to one of them knows.
  ready.catch(() => stopped.catch(() => {}));
  return { ready, stopped };

  async function run(): Promise<void> {
    try {
      await ready;
      await whenAborted(stop.signal);
    } catch (error) {
      if (!deps.signal.aborted) throw error;
    } finally {
      stop.end();
      await parts.end();
    }
    parts.throwIfFailed();
  }
}

async function start(
  { dir, version, ports = usualPorts }: SandboxOptions,
  { log = silentLogger, onProgress = () => {} }: SandboxDeps,
  parts: Parts,
  stop: Scope,
): Promise<SandboxInfo> {
  const { signal } = stop;
  signal.throwIfAborted();
  const layout = layoutOf(dir);
  await refuseSecond(layout);
  const { state, moved } = await openPlace(layout, ports, onProgress);

  onProgress('Starting the control plane and the app cluster.');
  const cluster = (name: string, folder: string, port: number) =>
    parts.add(() => startCluster({ name, dir: folder, port, version, log }));
  const controlPlane = await cluster('control plane', layout.controlPlane, state.ports.controlPlane);
  const appCluster = await cluster('app cluster', layout.appCluster, state.ports.appCluster);
  await writeKubeconfig(layout.kubeconfig, {
    app: appCluster.server.kubeconfig(),
    controlPlane: controlPlane.server.kubeconfig(),
  });
  await saveState(layout, state);
  await relocate([controlPlane.client, appCluster.client], newOrigins(moved));

  onProgress('Installing the CRDs and a sample service.');
  await furnish(controlPlane.client, signal);
  const provider = runProvider({ client: controlPlane.client, signal, log });
  parts.watch(provider.stopped);

  onProgress('Starting issuer, backend and konnector.');
  const info = await startServices({ layout, state, version, controlPlane, appCluster }, parts, { signal, log });
  const control = { layout, info, onStop: () => stop.end() };
  // First in, last out: whoever asked for the end is told when all else is over.
  await parts.addLast(async () => {
    const served = await serveControl(control);
    return { stop: () => served.close() };
  });
  return info;
}

interface Place {
  readonly layout: Layout;
  readonly state: State;
  readonly version: string;
  readonly controlPlane: Cluster;
  readonly appCluster: Cluster;
}

async function startServices(
  { layout, state, version, controlPlane, appCluster }: Place,
  parts: Parts,
  deps: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<SandboxInfo> {
  const user = { name: 'developer', password: state.password };
  const callback = `http://127.0.0.1:${state.ports.backend}/callback`;
  const issuer = await parts.add(() =>
    startIssuer({
      users: [{ ...user, groups: ['developers'] }],
      clients: [
        { kind: 'web', id: clients.backend, name: 'Klutch', secret: state.clientSecret, redirectUris: [callback] },
        { kind: 'machine', id: clients.machine, secret: state.machineSecret },
      ],
      port: state.ports.issuer,
      dir: layout.issuer,
      onProblem: (problem) => deps.log.warn({ problem: String(problem) }, 'problem of the issuer'),
    }),
  );
  const access = await admitBackend(controlPlane, deps.signal);
  const backend = startSandboxBackend({ controlPlane, access, issuer: issuer.url, state, version }, deps);
  parts.watch(backend.stopped);
  const konnector = startKonnector(
    {
      mode: { kind: 'default' },
      local: appCluster.config,
      lease: {
        name: lease.name,
        namespace: lease.fallbackNamespace,
        identity: replicaIdentity('sandbox'),
        timings: soleTimings,
      },
      version,
    },
    deps,
  );
  parts.watch(konnector.stopped);
  await Promise.all([backend.ready, konnector.ready]);
  await answers(`${backend.operationsUrl()}/readyz`, deps.signal);
  return {
    dir: layout.dir,
    kubeconfig: layout.kubeconfig,
    appCluster: appCluster.server.url,
    controlPlane: controlPlane.server.url,
    provider: `${backend.url()}/export`,
    issuer: issuer.url,
    user,
    api: greetingApi,
  };
}

async function refuseSecond(layout: Layout): Promise<void> {
  const running = await findRunning(layout);
  if (running === undefined) return;
  throw new KlutchError(
    'KLUTCH_SANDBOX_RUNNING',
    `A sandbox runs already from ${layout.dir} (process ${running.pid}); its kubeconfig is ${running.info.kubeconfig}.`,
  );
}

/** What the last start remembered, with ports that are free now. */
async function openPlace(
  layout: Layout,
  firstPorts: Ports,
  onProgress: (text: string) => void,
): Promise<{ readonly state: State; readonly moved: readonly Moved[] }> {
  const state = await openState(layout, firstPorts);
  const { ports, moved } = await choosePorts(state.ports);
  for (const { name, from, to } of moved) {
    onProgress(`Port ${from} of the ${titles[name]} is taken by another program; it is ${to} from now on.`);
  }
  return { state: { ...state, ports }, moved };
}

const titles: Readonly<Record<ListenerName, string>> = {
  controlPlane: 'control plane',
  appCluster: 'app cluster',
  issuer: 'issuer',
  backend: 'backend',
};

function newOrigins(moved: readonly Moved[]): NewOrigins {
  const scheme = (name: ListenerName) => (name === 'issuer' || name === 'backend' ? 'http' : 'https');
  const origin = (name: ListenerName, port: number) => `${scheme(name)}://127.0.0.1:${port}`;
  return new Map(moved.map(({ name, from, to }) => [origin(name, from), origin(name, to)]));
}

/** The backend has found its issuer and read its cluster. */
async function answers(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) }).catch(
      () => undefined,
    );
    if (answer?.ok) return;
    signal.throwIfAborted();
    await pause(systemClock, 50, signal);
  }
}
