import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { awaitReady } from '../process/await-ready.ts';
import { type Component, startComponent } from '../process/component.ts';
import { controllerManagerFlags, DEFAULT_CONTROLLERS, FILES } from './flags.ts';
import type { PreparedPlane } from './prepare.ts';
import { planeRequest } from './request.ts';
import { renderKubeconfig } from './user.ts';

/** Starts kube-controller-manager and waits until its work shows: the default service account exists. */
export async function startControllerManager(
  plane: PreparedPlane,
  url: string,
  command: string,
  timeoutMs: number,
): Promise<Component> {
  const address = { url, dir: plane.dir, certificateAuthority: plane.pki.certificate };
  const kubeconfig = renderKubeconfig(address, 'kube-controller-manager', plane.admin);
  await writeFile(join(plane.dir, FILES.controllerManagerKubeconfig), kubeconfig, { mode: 0o600 });
  const component = await startComponent({
    name: 'kube-controller-manager',
    command,
    args: controllerManagerFlags(plane.options),
    cwd: plane.dir,
    logFile: join(plane.dir, 'kube-controller-manager.log'),
  });
  const ask = planeRequest(address, plane.admin);
  const controllers: readonly string[] = plane.options.controllers ?? DEFAULT_CONTROLLERS;
  const isWorking = async () =>
    !controllers.includes('serviceaccount-controller') ||
    (await ask('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status === 200;
  await awaitReady(component, isWorking, timeoutMs);
  return component;
}
