import { konnectorOptions, localConfig } from '../../test/konnector/run-konnector.ts';
import type { KonnectorChild, KonnectorProgram } from '../../test/konnector/konnector-child.ts';
import type { Stage } from './stage.ts';

/** A konnector in a process of its own, with exactly the rights it needs. */
export async function startChild({ side, api }: Stage, program: KonnectorProgram): Promise<KonnectorChild> {
  const child = program.fork();
  const { probe: _, lease, ...options } = konnectorOptions(side, await localConfig(side, { apis: [api] }));
  // Probes and lease at their usual pace, not at that of tests.
  await child.start({ ...options, lease: { ...lease, timings: undefined } });
  return child;
}
