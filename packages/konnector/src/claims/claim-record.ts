import { annotations, type APIServiceBinding } from '@klutch/api';
import type { ClaimedType } from '../link/supervise.ts';

/**
 * A binding remembers of which types copies may exist because of it. What was accepted once can be rejected, or struck
 * from the binding, while no konnector runs; without that memory nobody would know what to clean up.
 */
export function recordedClaims({ metadata }: Pick<APIServiceBinding, 'metadata'>): ReadonlySet<string> {
  const text = metadata.annotations?.[annotations.claimedTypes] ?? '';
  return new Set(text.split(',').filter((key) => typeOfKey(key) !== undefined));
}

/** The types of which a binding accepts claims; none when it lacks one that it cannot do without. */
export function acceptedClaims({ spec }: Pick<APIServiceBinding, 'spec'>): ReadonlySet<string> {
  const claims = spec?.permissionClaims ?? [];
  if (claims.some(({ required, state }) => required && state === 'Rejected')) return new Set();
  return new Set(claims.filter(({ state }) => state === 'Accepted').map(claimKey));
}

/** The value by which a binding remembers these types; null when there are none. */
export function claimRecord(keys: Iterable<string>): string | null {
  return [...new Set(keys)].sort().join(',') || null;
}

/** Name of a claimed type. */
export function claimKey({ group = '', version, resource }: Partial<ClaimedType> & Omit<ClaimedType, 'group'>): string {
  return `${group}/${version}/${resource}`;
}

/** The type of that name; undefined when it is none. */
export function typeOfKey(key: string): ClaimedType | undefined {
  const [group, version, resource, ...rest] = key.split('/');
  if (group === undefined || !version || !resource || rest.length > 0) return undefined;
  return { group, version, resource };
}

/** What has to be done about the claims of a binding. */
export interface ClaimDebts {
  /** Types that have to be remembered before anything else; undefined when all are. */
  readonly record: readonly string[] | undefined;
  /** Types of which copies may be left that nobody claims any more. */
  readonly owed: readonly string[];
  /** Types that are remembered in vain: whoever else claims them looks after all copies. */
  readonly settled: readonly string[];
}

/** @param all bindings of the link; what they say of this one does not count */
export function claimDebts(binding: APIServiceBinding, all: readonly APIServiceBinding[]): ClaimDebts {
  const recorded = recordedClaims(binding);
  const accepted = acceptedClaims(binding);
  const isComplete = [...accepted].every((key) => recorded.has(key));
  // Few bindings have any; only then the others have to be asked.
  const unclaimed = [...recorded].filter((key) => !accepted.has(key));
  const others = all.filter(({ metadata }) => metadata.uid !== binding.metadata.uid);
  const isClaimed = (key: string) => others.some((other) => acceptedClaims(other).has(key));
  return {
    record: isComplete ? undefined : [...recorded, ...accepted],
    owed: unclaimed.filter((key) => !isClaimed(key)),
    settled: unclaimed.filter(isClaimed),
  };
}
