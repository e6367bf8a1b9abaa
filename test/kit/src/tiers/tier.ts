import { KitError } from '../kit-error.ts';

/** What a test runs on: nothing but Node, or a real Kubernetes control plane. */
export type Tier = 'embedded' | 'real';

const TIERS: readonly Tier[] = ['embedded', 'real'];

/** Reads `KLUTCH_TIERS`: a comma-separated list of tiers the run must cover. Unset or empty: whatever is there. */
export function parseTiers(value: string | undefined): ReadonlySet<Tier> | undefined {
  const names = (value ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) return undefined;
  return new Set(names.map(tierNamed));
}

function tierNamed(name: string): Tier {
  const tier = TIERS.find((known) => known === name);
  if (tier) return tier;
  throw new KitError('KLUTCH_KIT_USAGE', `KLUTCH_TIERS names "${name}"; the tiers are ${TIERS.join(' and ')}`);
}
