import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Binaries } from '../binaries/binaries.ts';
import { resolveBinaries } from '../binaries/resolve.ts';
import { KitError } from '../kit-error.ts';
import type { Component } from '../process/component.ts';
import { publishAccess } from './access.ts';
import { type ApiServerStart, startApiServer } from './api-server.ts';
import { startControllerManager } from './controller-manager.ts';
import { startEtcd } from './etcd.ts';
import { FILES } from './flags.ts';
import { createPlaneFolder } from './folder.ts';
import { freePort } from './free-port.ts';
import type { StartPlaneOptions } from './options.ts';
import type { Plane } from './plane.ts';
import { preparePlane } from './prepare.ts';

/** The programs of one plane; a slot is empty before its program is ready. */
interface Programs {
  etcd?: Component;
  kubeApiserver?: Component;
  kubeControllerManager?: Component | undefined;
}

/** How each program is started again. */
interface Starts {
  readonly etcd: () => Promise<Component>;
  readonly kubeApiserver: () => Promise<Component>;
  /** Nothing on a plane without one. */
  readonly kubeControllerManager: () => Promise<Component | undefined>;
}

/**
 * Starts a Kubernetes control plane of its own on this machine: etcd, kube-apiserver, kube-controller-manager, in a new
 * folder and on a free loopback port. Resolves when the API server is ready and the controllers work. Whatever happens to
 * this process, the programs end with it. A failed start leaves the folder with the logs; a later start removes it.
 */
export async function startPlane(options: StartPlaneOptions = {}): Promise<Plane> {
  const binaries = options.binaries ?? (await resolveBinaries());
  const controllerManager = controllerManagerToRun(options, binaries);
  const timeoutMs = options.startTimeoutMs ?? 40_000;
  const dir = await createPlaneFolder();
  const programs: Programs = {};
  try {
    const plane = await preparePlane(dir, options);
    programs.etcd = await startEtcd(dir, binaries.etcd, timeoutMs);
    const apiServerStart: ApiServerStart = { plane, command: binaries.kubeApiserver, timeoutMs, pickPort: freePort };
    const { component, port, url } = await startApiServer(apiServerStart);
    programs.kubeApiserver = component;
    const starts: Starts = {
      etcd: () => startEtcd(dir, binaries.etcd, timeoutMs),
      kubeApiserver: async () => (await startApiServer({ ...apiServerStart, pickPort: async () => port })).component,
      kubeControllerManager: async () =>
        controllerManager === undefined
          ? undefined
          : await startControllerManager(plane, url, controllerManager, timeoutMs),
    };
    programs.kubeControllerManager = await starts.kubeControllerManager();
    const access = await publishAccess(dir, plane.pki, { url, tokens: plane.tokens });
    const auditLog = options.audit ? join(dir, FILES.auditLog) : undefined;
    return { ...access, auditLog, ...control(dir, programs, starts) };
  } catch (error) {
    await killAll(programs);
    throw error;
  }
}

function controllerManagerToRun(options: StartPlaneOptions, binaries: Binaries): string | undefined {
  if (options.controllerManager === false) return undefined;
  if (options.controllerManager === true && binaries.kubeControllerManager === undefined) {
    throw new KitError(
      'KLUTCH_KIT_BINARIES_MISSING',
      'this plane needs kube-controller-manager: put it beside kube-apiserver in KUBEBUILDER_ASSETS, or unset that',
    );
  }
  return binaries.kubeControllerManager;
}

type Control = Omit<
  Plane,
  'url' | 'dir' | 'pki' | 'admin' | 'certificateUser' | 'tokenUser' | 'serviceAccountUser' | 'auditLog'
>;

function control(dir: string, programs: Programs, starts: Starts): Control {
  const companions: Pick<Component, 'stop' | 'kill'>[] = [];
  const stopApiServer = async () => {
    await programs.kubeApiserver?.kill();
  };
  const startAgain = async () => {
    if (programs.kubeApiserver?.isRunning()) return;
    programs.kubeApiserver = await starts.kubeApiserver();
  };
  return {
    pids: () => ({
      etcd: runningPid(programs.etcd),
      kubeApiserver: runningPid(programs.kubeApiserver),
      kubeControllerManager: runningPid(programs.kubeControllerManager),
    }),
    pauseApiServer: () => programs.kubeApiserver?.signal('SIGSTOP'),
    resumeApiServer: () => programs.kubeApiserver?.signal('SIGCONT'),
    stopApiServer,
    startApiServer: startAgain,
    restartApiServer: async () => {
      await stopApiServer();
      await startAgain();
    },
    backup: () => backUp(dir, programs),
    restore: (backup) => restore(dir, programs, starts, backup),
    addCompanion: (companion) => void companions.push(companion),
    kill: async () => {
      await Promise.all([killAll(programs), ...companions.map((companion) => companion.kill())]);
    },
    stop: async () => {
      await Promise.all(companions.map((companion) => companion.stop()));
      // The API server ends before its storage does, so that it can close its connections in order.
      await Promise.all([programs.kubeControllerManager?.kill(), programs.kubeApiserver?.stop({ graceMs: 2_000 })]);
      await programs.etcd?.kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A frozen etcd leaves what a power cut would leave, and that it can read. */
async function backUp(dir: string, { etcd }: Programs): Promise<string> {
  const backup = await mkdtemp(join(dir, 'backup-'));
  etcd?.signal('SIGSTOP');
  try {
    await cp(join(dir, FILES.etcdData), backup, { recursive: true });
  } finally {
    etcd?.signal('SIGCONT');
  }
  return backup;
}

async function restore(dir: string, programs: Programs, starts: Starts, backup: string): Promise<void> {
  await killAll(programs);
  for (const file of [FILES.etcdData, FILES.etcdSocket, FILES.etcdPeerSocket]) {
    await rm(join(dir, file), { recursive: true, force: true });
  }
  await cp(backup, join(dir, FILES.etcdData), { recursive: true });
  programs.etcd = await starts.etcd();
  programs.kubeApiserver = await starts.kubeApiserver();
  programs.kubeControllerManager = await starts.kubeControllerManager();
}

async function killAll(programs: Programs): Promise<void> {
  const { etcd, kubeApiserver, kubeControllerManager } = programs;
  await Promise.all([etcd?.kill(), kubeApiserver?.kill(), kubeControllerManager?.kill()]);
}

function runningPid(program: Component | undefined): number | undefined {
  return program?.isRunning() ? program.pid : undefined;
}
