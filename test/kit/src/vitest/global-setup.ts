import type { TestProject } from 'vitest/node';

import { KitError } from '../kit-error.ts';
import { furtherPrograms, missingLines } from '../tiers/further-programs.ts';
import { realTier, tiersLine } from '../tiers/real-tier.ts';
import { hostSharedPlane } from '../tiers/shared-plane-host.ts';
import type { ProvidedKit } from './provided.ts';

/**
 * Runs once before all tests: decides which tiers take part, gets the programs they need, says so, and stands ready to
 * start the shared plane.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const real = await orExit(() => realTier());
  const missing = await orExit(() => furtherPrograms(real));
  for (const line of [tiersLine(real), ...missingLines(real, missing)]) process.stdout.write(`${line}\n`);
  const host = await hostSharedPlane();
  const kit: ProvidedKit = { real, missing, sharedPlaneSocket: host.socketPath };
  project.provide('klutchKit', kit);
  return () => host.close();
}

async function orExit<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof KitError)) throw error;
    // Thrown from here, the reason would drown between a stack trace and the remark that there are no test files.
    process.stdout.write(`${error.message}\n`);
    process.exit(1);
  }
}
