import { kubernetesVersion } from '../binaries/version.ts';
import { resolveBinaries } from '../binaries/resolve.ts';
import type { ResolveOptions } from '../binaries/resolve-built.ts';
import { KitError } from '../kit-error.ts';
import { parseTiers } from './tier.ts';

/** Whether the real tier takes part in a run, and which Kubernetes it is or why not. */
export type RealTier =
  | { readonly available: true; readonly version: string }
  | { readonly available: false; readonly reason: string };

/**
 * Decides about the real tier by `KLUTCH_TIERS`: left out there, it does not run; named there, its absence rejects;
 * with the variable unset, it runs when it can. Builds the programs when that is possible and necessary.
 */
export async function realTier(options: ResolveOptions = {}): Promise<RealTier> {
  const required = parseTiers((options.env ?? process.env).KLUTCH_TIERS);
  if (required && !required.has('real')) return { available: false, reason: 'KLUTCH_TIERS does not name it' };
  try {
    const binaries = await resolveBinaries(options);
    return { available: true, version: await kubernetesVersion(binaries) };
  } catch (error) {
    if (!(error instanceof KitError)) throw error;
    if (!required) return { available: false, reason: error.message };
    throw new KitError('KLUTCH_KIT_TIER_MISSING', `KLUTCH_TIERS requires the real tier: ${error.message}`, {
      cause: error,
    });
  }
}

/** The line that tells which tiers a run covered. */
export function tiersLine(real: RealTier): string {
  if (real.available) return `tiers covered: embedded, real (kube-apiserver ${real.version})`;
  const reason = real.reason.replaceAll(/\s+/g, ' ').slice(0, 300);
  return `tiers covered: embedded; real not run: ${reason}`;
}
