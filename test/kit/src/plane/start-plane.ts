import { rm } from 'node:fs/promises';
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
  kubeControllerManager?: Component;
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
    if (controllerManager !== undefined) {
      programs.kubeControllerManager = await startControllerManager(plane, url, controllerManager, timeoutMs);
    }
    const access = await publishAccess(dir, plane.pki, { url, tokens: plane.tokens });
    const auditLog = options.audit ? join(dir, FILES.auditLog) : undefined;
    return { ...access, auditLog, ...control(dir, programs, { ...apiServerStart, pickPort: async () => port }) };
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

function control(dir: string, programs: Programs, apiServerStart: ApiServerStart): Control {
  const stopApiServer = async () => {
    await programs.kubeApiserver?.kill();
  };
  const startAgain = async () => {
    if (programs.kubeApiserver?.isRunning()) return;
    programs.kubeApiserver = (await startApiServer(apiServerStart)).component;
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
    kill: () => killAll(programs),
    stop: async () => {
      // The API server ends before its storage does, so that it can close its connections in order.
      await Promise.all([programs.kubeControllerManager?.kill(), programs.kubeApiserver?.stop({ graceMs: 2_000 })]);
      await programs.etcd?.kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function killAll(programs: Programs): Promise<void> {
  await Promise.all(Object.values(programs).map((program: Component) => program.kill()));
}

function runningPid(program: Component | undefined): number | undefined {
  return program?.isRunning() ? program.pid : undefined;
}
