import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { KitError } from '../kit-error.ts';
import type { Binaries } from './binaries.ts';

/** The version kube-apiserver reports, for example `1.35.4`. Rejects when the program does not run on this machine. */
export async function kubernetesVersion(binaries: Binaries): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(binaries.kubeApiserver, ['--version']);
    return stdout.trim().replace(/^Kubernetes v/, '');
  } catch (cause) {
    throw new KitError('KLUTCH_KIT_BINARIES_MISSING', `${binaries.kubeApiserver} does not run on this machine`, {
      cause,
    });
  }
}
