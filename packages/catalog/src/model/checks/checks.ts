import type { Check } from './finding.ts';

/** All checks, in the order in which one would read them. */
export const checks: readonly Check[] = [];
