import type { MissingPrograms } from '../tiers/further-programs.ts';
import type { RealTier } from '../tiers/real-tier.ts';
import type { Tier } from '../tiers/tier.ts';

/** What the run's set-up hands to every test file. */
export interface ProvidedKit {
  readonly real: RealTier;
  /** What tests may need besides the planes, and why it is not there. */
  readonly missing: MissingPrograms;
  /** See `SharedPlaneHost`. */
  readonly sharedPlaneSocket: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    klutchKit: ProvidedKit;
  }
  interface TaskMeta {
    /** The tier a suite or test needs. Absent: `embedded`. */
    tier?: Tier;
  }
}
