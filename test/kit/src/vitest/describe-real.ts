import { describe, inject } from 'vitest';

import type { ProvidedKit } from './provided.ts';

/**
 * A suite of tests that need a real Kubernetes control plane. Runs when the real tier takes part in the run and is
 * reported as skipped otherwise. Inside, use {@link sharedPlane} or, for tests that break things, `startPlane()`.
 */
export function describeReal(title: string, body: () => void): void {
  const { real }: ProvidedKit = inject('klutchKit');
  describe.skipIf(!real.available)(title, { meta: { tier: 'real' } }, body);
}
