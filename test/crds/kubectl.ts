import { execFileSync, spawnSync } from 'node:child_process';
import type { PlaneAccess } from '@klutch/kit';

const program = 'kubectl';

/** Whether this machine has kubectl. */
export const hasKubectl = spawnSync(program, ['version', '--client']).status === 0;

/** What kubectl prints when the plane's administrator runs it in a namespace. */
export function kubectl(plane: PlaneAccess, namespace: string, ...words: readonly string[]): string {
  const access = ['--kubeconfig', plane.admin.kubeconfigPath, '--namespace', namespace];
  return execFileSync(program, [...access, ...words], { encoding: 'utf8' });
}
