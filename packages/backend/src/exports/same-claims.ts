import { isDeepStrictEqual } from 'node:util';
import type { PermissionClaim } from '@klutch/api';

/**
 * Whether two lists of claims mean the same. Which defaults a server fills in depends on the version of its CRDs, hence
 * a field that is missing equals its default.
 */
export function sameClaims(
  a: readonly PermissionClaim[] | undefined,
  b: readonly PermissionClaim[] | undefined,
): boolean {
  return isDeepStrictEqual((a ?? []).map(complete), (b ?? []).map(complete));
}

function complete(claim: PermissionClaim): PermissionClaim {
  const { group = '', selector, read = {}, onConflict } = claim;
  return {
    ...claim,
    group,
    selector: { names: ['*'], namespaces: ['*'], ...selector },
    read,
    onConflict: { recreateWhenConsumerSideDeleted: true, ...onConflict },
  };
}
