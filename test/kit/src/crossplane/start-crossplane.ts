import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { CROSSPLANE_RELEASES, type CrossplaneVersion, DEFAULT_CROSSPLANE } from '../binaries/crossplane-releases.ts';
import { resolveCrossplane } from '../binaries/resolve-crossplane.ts';
import { freePort } from '../plane/free-port.ts';
import type { Plane } from '../plane/plane.ts';
import { awaitReady } from '../process/await-ready.ts';
import { type Component, startComponent } from '../process/component.ts';
import { onFreePort } from '../process/on-free-port.ts';
import { writeCertificates } from './certificates.ts';
import { type Program, registerFunction, startFunction } from './function.ts';
import { installCrds } from './install-crds.ts';
import { send } from './send.ts';

export interface StartCrossplaneOptions {
  /** Where it composes; it ends with the plane. */
  readonly plane: Plane;
  /** Default: the one that the catalogue is made for. */
  readonly version?: CrossplaneVersion;
  /** How long each program may take to be ready, in milliseconds. Default 60 000. */
  readonly startTimeoutMs?: number;
}

/** A running Crossplane. */
export interface Crossplane {
  /** Process ids by program, for fault tests. */
  readonly pids: { readonly crossplane: number; readonly function: number };
  /** Ends its programs; what it has composed stays. */
  stop(): Promise<void>;
}

const NAMESPACE = 'crossplane-system';

/**
 * Starts Crossplane on a plane, with its CRDs and `function-patch-and-transform`. It composes with the rights of the
 * plane's admin; it installs no packages and serves no webhooks. Resolves when definitions and Compositions can be applied.
 */
export async function startCrossplane(options: StartCrossplaneOptions): Promise<Crossplane> {
  const { plane, version = DEFAULT_CROSSPLANE, startTimeoutMs: timeoutMs = 60_000 } = options;
  const files = await resolveCrossplane({}, version);
  const dir = join(plane.dir, 'crossplane');
  await mkdir(dir);
  const certificates = await writeCertificates(dir);
  await installCrds(plane.admin, files.crds);
  await send(plane.admin, 'POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });

  const { component, port } = await startFunction({
    command: files.functionPatchAndTransform,
    certificates: certificates.functions,
    dir,
    timeoutMs,
  });
  plane.addCompanion(component);
  await registerFunction(plane.admin, port);
  const crossplane = await startCore(plane, version, {
    command: files.crossplane,
    certificates: certificates.crossplane,
    dir,
    timeoutMs,
  });
  plane.addCompanion(crossplane);
  return {
    pids: { crossplane: crossplane.pid, function: component.pid },
    stop: async () => {
      await Promise.all([crossplane.stop(), component.stop()]);
    },
  };
}

async function startCore(plane: Plane, version: CrossplaneVersion, program: Program): Promise<Component> {
  const { command, certificates, dir, timeoutMs } = program;
  return onFreePort(freePort, async (port) => {
    const component = await startComponent({
      name: 'crossplane',
      command,
      args: [
        'core',
        'start',
        `--namespace=${NAMESPACE}`,
        '--package-runtime=External',
        `--xpkg-cache-dir=${join(dir, 'packages')}`,
        '--enable-webhooks=false',
        `--tls-client-certs-dir=${certificates}`,
        // Any free port: nobody asks for metrics.
        '--metrics-port=0',
        `--health-probe-port=${port}`,
        ...CROSSPLANE_RELEASES[version].flags,
      ],
      cwd: dir,
      logFile: join(dir, 'crossplane.log'),
      env: { HOME: dir, KUBECONFIG: plane.admin.kubeconfigPath },
    });
    const url = `http://127.0.0.1:${port}/readyz`;
    const isReady = async () => (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
    await awaitReady(component, isReady, timeoutMs);
    return component;
  });
}
