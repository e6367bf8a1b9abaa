import { startPlane } from '@klutch/kit';
import type { Figure } from '../harness/report.ts';
import { informerSync } from './informer-sync.ts';
import { throughput } from './throughput.ts';
import { updates } from './updates.ts';

/** Our client against `@kubernetes/client-node`, and our informer against the bare minimum, on the same API server. */
export async function run(): Promise<readonly Figure[]> {
  const plane = await startPlane({ controllerManager: false });
  try {
    const requests = await throughput(plane);
    const sync = await informerSync(plane);
    return [...requests, ...sync, ...(await updates())];
  } finally {
    await plane.stop();
  }
}
