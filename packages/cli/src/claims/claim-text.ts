import { claimWords, type PermissionClaim } from '@klutch/api';

/** Pure: the lines in which a user is asked about a permission claim; the last one is the question. */
export function claimText(claim: PermissionClaim): readonly string[] {
  const { what, notes, isRequired, necessity } = claimWords(claim);
  return [
    what,
    ...notes,
    `Accepting this permission claim is ${isRequired ? 'required' : 'optional'}. ${necessity}`,
    'Do you accept this permission claim? [No,Yes]',
  ];
}
