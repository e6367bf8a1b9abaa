import { describe, inject } from 'vitest';

import type { FurtherProgram } from '../tiers/further-programs.ts';
import type { ProvidedKit } from './provided.ts';

/** What a suite needs besides a real control plane, or, with {@link describeWithBrowser}, without one. */
export interface Needs {
  readonly needs?: readonly FurtherProgram[];
}

/**
 * A suite of tests that need a real Kubernetes control plane, or a real issuer. Runs when the real tier takes part in the
 * run and what the suite `needs` is there, and is reported as skipped otherwise. Inside, use {@link sharedPlane} or, for
 * tests that break things, `startPlane()`.
 */
export function describeReal(title: string, body: () => void, { needs = [] }: Needs = {}): void {
  const { real, missing }: ProvidedKit = inject('klutchKit');
  const isRun = real.available && needs.every((name) => missing[name] === undefined);
  describe.skipIf(!isRun)(title, { meta: { tier: 'real' } }, body);
}

/** A suite of tests that need a Chromium and no real control plane; skipped when there is none. */
export function describeWithBrowser(title: string, body: () => void): void {
  const { missing }: ProvidedKit = inject('klutchKit');
  describe.skipIf(missing.chromium !== undefined)(title, body);
}
