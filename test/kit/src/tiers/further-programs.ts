import type { ResolveOptions } from '../binaries/resolve-built.ts';
import { resolveCrossplane } from '../binaries/resolve-crossplane.ts';
import { resolveDex } from '../binaries/resolve-dex.ts';
import { resolveKeycloak } from '../binaries/resolve-keycloak.ts';
import { findChromium } from '../browser/find-chromium.ts';
import { KitError } from '../kit-error.ts';
import type { RealTier } from './real-tier.ts';
import { parseTiers } from './tier.ts';

/** What some tests need besides a plane. */
export type FurtherProgram = 'crossplane' | 'dex' | 'keycloak' | 'chromium';

/** Of each, why it is not to be had; undefined when it is there. */
export type MissingPrograms = Readonly<Record<FurtherProgram, string | undefined>>;

/**
 * Finds the further programs of a run once, and builds or fetches them when that is possible and necessary, so that the
 * workers find them. Crossplane and the issuers belong to the real tier; Chromium is looked for in any case. Rejects when
 * `KLUTCH_TIERS` names the real tier and one is missing.
 */
export async function furtherPrograms(real: RealTier, options: ResolveOptions = {}): Promise<MissingPrograms> {
  const { env = process.env } = options;
  const isRequired = parseTiers(env.KLUTCH_TIERS)?.has('real') === true;
  const reasonOf = async (find: () => Promise<unknown>): Promise<string | undefined> => {
    try {
      await find();
      return undefined;
    } catch (error) {
      if (!(error instanceof KitError)) throw error;
      if (!isRequired) return error.message;
      throw new KitError('KLUTCH_KIT_TIER_MISSING', `KLUTCH_TIERS requires the real tier: ${error.message}`, {
        cause: error,
      });
    }
  };
  const chromium = await reasonOf(() => findChromium(env));
  if (!real.available) return { crossplane: real.reason, dex: real.reason, keycloak: real.reason, chromium };
  // One after the other: each uses the whole machine.
  const crossplane = await reasonOf(() => resolveCrossplane(options));
  const dex = await reasonOf(() => resolveDex(options));
  return { crossplane, dex, keycloak: await reasonOf(() => resolveKeycloak(options)), chromium };
}

/** Lines that tell what a run of the real tier leaves out. */
export function missingLines(real: RealTier, missing: MissingPrograms): readonly string[] {
  return Object.entries(missing)
    .filter(([name, reason]) => reason !== undefined && (real.available || name === 'chromium'))
    .map(([name, reason = '']) => `tests with ${name} not run: ${reason.replaceAll(/\s+/g, ' ').slice(0, 300)}`);
}
