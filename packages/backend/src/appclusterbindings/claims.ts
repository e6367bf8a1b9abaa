import {
  type AcceptablePermissionClaim,
  annotations,
  type AppClusterBinding,
  apiName,
  type PermissionClaim,
} from '@klutch/api';

/** What an operator has decided about claims; undefined when they leave it to whoever edits the APIServiceBindings. */
export interface ClaimDecisions {
  /** Claims of a template with the decision on each. */
  decide(claims: readonly PermissionClaim[]): readonly AcceptablePermissionClaim[];
  /** Of the names that were given, those that no claim has. */
  unknown(claims: readonly PermissionClaim[]): readonly string[];
}

/** Reads the annotation of a binding: `all`, `none`, or `<resource>.<group>` separated by commas. */
export function claimDecisions(binding: AppClusterBinding): ClaimDecisions | undefined {
  const text = binding.metadata.annotations?.[annotations.acceptClaims];
  if (text === undefined) return undefined;
  const names = new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && name !== 'none'),
  );
  const isAccepted = (claim: PermissionClaim) => names.has('all') || names.has(apiName(claim));
  return {
    decide: (claims) => claims.map((claim) => ({ ...claim, state: isAccepted(claim) ? 'Accepted' : 'Rejected' })),
    unknown: (claims) => {
      const claimed = new Set(claims.map((claim) => apiName(claim)));
      return [...names].filter((name) => name !== 'all' && !claimed.has(name));
    },
  };
}
