import { KlutchError, type PermissionClaim } from '@klutch/api';

/** Reads `<plural>[.<group>][:Provider|:Consumer]`. Throws `KLUTCH_USAGE` when it is something else. */
export function claimedType(text: string): PermissionClaim {
  const match = /^([a-z][a-z0-9]*)(?:\.([a-z0-9.-]+))?(?::(Provider|Consumer))?$/.exec(text);
  if (match === null) {
    throw new KlutchError(
      'KLUTCH_USAGE',
      `--claim ${text} is not of the form <plural>[.<group>][:Provider|:Consumer].`,
    );
  }
  const [, resource = '', group = '', owner] = match;
  const selector = owner === undefined ? {} : { owner: owner as 'Provider' | 'Consumer' };
  return { group, resource, version: '', selector };
}
