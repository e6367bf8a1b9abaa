import { type AcceptablePermissionClaim, claimName, KlutchError, type PermissionClaim } from '@klutch/api';
import { claimText } from './claim-text.ts';

/** Claims of one API, and those of them that were decided earlier. */
export interface ClaimsOfApi {
  /** `<resource>.<group>` */
  readonly api: string;
  readonly claims: readonly PermissionClaim[];
  /** What the binding says already; it stays unless the command line says something else. */
  readonly decided?: readonly AcceptablePermissionClaim[];
}

/** Who decides about claims. */
export type ClaimPolicy =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  /** By name: `<resource>[.<group>]`. Claims that are not listed are undecided. */
  | { readonly kind: 'list'; readonly source: string; readonly answers: ReadonlyMap<string, boolean> }
  | { readonly kind: 'ask'; readonly ask: (text: readonly string[]) => Promise<boolean> }
  /** There is nobody to ask. */
  | { readonly kind: 'nobody' };

/**
 * Decides all claims of all APIs, in order. Throws `KLUTCH_CLAIM_REJECTED` when one is rejected without which its API does
 * not work, and `KLUTCH_CLAIM_UNDECIDED` when there is nobody to decide one. Whoever calls it has created nothing yet.
 */
export async function decideClaims(
  apis: readonly ClaimsOfApi[],
  policy: ClaimPolicy,
): Promise<ReadonlyMap<string, readonly AcceptablePermissionClaim[]>> {
  const decisions = new Map<string, readonly AcceptablePermissionClaim[]>();
  for (const { api, claims, decided = [] } of apis) {
    const answers: AcceptablePermissionClaim[] = [];
    for (const claim of claims) {
      const earlier = decided.find((one) => isSameClaim(one, claim));
      const isOpen = earlier === undefined || saysSomethingAbout(policy, claim);
      answers.push(isOpen ? { ...(earlier ?? claim), state: await decide(api, claim, policy) } : earlier);
    }
    const others = decided.filter((earlier) => !claims.some((claim) => isSameClaim(earlier, claim)));
    decisions.set(api, [...others, ...answers]);
  }
  return decisions;
}

/** Whether the command line itself decides about a claim. */
function saysSomethingAbout(policy: ClaimPolicy, claim: PermissionClaim): boolean {
  if (policy.kind === 'list') return policy.answers.has(keyOf(claim));
  return policy.kind === 'all' || policy.kind === 'none';
}

async function decide(
  api: string,
  claim: PermissionClaim,
  policy: ClaimPolicy,
): Promise<AcceptablePermissionClaim['state']> {
  if (await isAccepted(api, claim, policy)) return 'Accepted';
  if (!claim.required) return 'Rejected';
  const message = `The permission claim on ${claimName(claim)} was rejected, and ${api} does not work without it. Nothing was bound. Accept it, or do not bind ${api}.`;
  throw new KlutchError('KLUTCH_CLAIM_REJECTED', message);
}

async function isAccepted(api: string, claim: PermissionClaim, policy: ClaimPolicy): Promise<boolean> {
  switch (policy.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'list':
      return policy.answers.get(keyOf(claim)) ?? undecided(api, claim, `${policy.source} does not mention it`);
    case 'ask':
      return policy.ask(claimText(claim));
    case 'nobody':
      return undecided(api, claim, 'there is nobody to ask');
  }
}

function undecided(api: string, claim: PermissionClaim, why: string): never {
  const message = `Cannot decide the permission claim of ${api} on ${claimName(claim)}: ${why}. Nothing was bound. Decide with --accept-claims=all, =none or =<file>.`;
  throw new KlutchError('KLUTCH_CLAIM_UNDECIDED', message);
}

/** Pure: the name of a claim in a list of answers. */
function keyOf({ group, resource }: PermissionClaim): string {
  return group ? `${resource}.${group}` : resource;
}

function isSameClaim(a: PermissionClaim, b: PermissionClaim): boolean {
  const owner = (claim: PermissionClaim) => claim.selector?.owner;
  return keyOf(a) === keyOf(b) && a.version === b.version && owner(a) === owner(b);
}
