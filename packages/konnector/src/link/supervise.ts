import { type APIServiceBinding, apiName } from '@klutch/api';
import { refOfBinding } from '../bindings/binding-ref.ts';
import type { BindingRef } from '../bindings/binding-board.ts';
import type { AcceptedClaim } from '../claims/accepted-claim.ts';
import { acceptedClaims, claimKey, recordedClaims } from '../claims/claim-record.ts';
import type { BoundApi } from '../instances/bound-api.ts';

/** A type of claimed objects, in the version that claims name. */
export interface ClaimedType {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** What has to run on a link. */
export interface Plan {
  /** APIs whose objects are synchronised, by name. */
  readonly instances: ReadonlyMap<string, BoundApi>;
  /** Claimed types with all claims on them, by key. */
  readonly claims: ReadonlyMap<string, { readonly type: ClaimedType; readonly claims: readonly AcceptedClaim[] }>;
  /** Claimed types that some binding rejects or has struck: where nobody accepts them either, their copies have to go. */
  readonly declined: ReadonlySet<string>;
  /** Bindings that do not go on because a claim they cannot do without was rejected, and which. */
  readonly rejected: readonly { readonly binding: BindingRef; readonly claim: string }[];
  /** Bindings none of whose accepted claims is served, because the provider no longer offers their API, and what to say. */
  readonly withdrawn: readonly { readonly binding: BindingRef; readonly why: string }[];
  /** Bindings that neither accept nor lack a claim: nothing is said about claims on them. */
  readonly claimless: readonly BindingRef[];
  /** Whether objects of some binding may exist that nobody looks after at the moment. */
  readonly isPartial: boolean;
}

export interface PlanInput {
  readonly bindings: readonly APIServiceBinding[];
  /** APIs whose CRDs are in place, by name. */
  readonly apis: ReadonlyMap<string, BoundApi>;
  /** What runs now. */
  readonly running: ReadonlyMap<string, BoundApi>;
  /** UIDs of bindings whose CRD belongs to somebody else. */
  readonly foreign: ReadonlySet<string>;
}

/**
 * Which units have to run. An API without a CRD of ours is not synchronised, and neither are its claims. One whose CRD
 * is missing for a moment goes on as it was: the unit knows what has to be restored when the CRD is back.
 */
export function planUnits({ bindings, apis, running, foreign }: PlanInput): Plan {
  const instances = new Map<string, BoundApi>();
  const claims = new Map<string, { type: ClaimedType; claims: AcceptedClaim[] }>();
  const declined = new Set<string>();
  const rejected: { binding: BindingRef; claim: string }[] = [];
  const withdrawn: { binding: BindingRef; why: string }[] = [];
  const ended: { binding: BindingRef; why: string; own: readonly AcceptedClaim[] }[] = [];
  const claimless: BindingRef[] = [];
  // What bindings before these left behind is nobody's business here.
  let isPartial = bindings.length === 0;
  for (const binding of bindings) {
    const ref = refOfBinding(binding);
    const claimed = binding.spec?.permissionClaims ?? [];
    const missing = claimed.find((claim) => claim.required && claim.state === 'Rejected');
    const api = apis.get(ref.name) ?? (foreign.has(ref.uid) ? undefined : running.get(ref.name));
    if (missing) rejected.push({ binding: ref, claim: apiName(missing) });
    for (const claim of claimed) if (missing || claim.state === 'Rejected') declined.add(claimKey(claim));
    for (const key of recordedClaims(binding)) if (!acceptedClaims(binding).has(key)) declined.add(key);
    const accepted = claimed.filter(({ state }) => state === 'Accepted');
    if (!missing && accepted.length === 0) claimless.push(ref);
    if (missing || api?.binding.uid !== ref.uid) {
      isPartial = true;
      continue;
    }
    instances.set(ref.name, api);
    const own = accepted.map((claim): AcceptedClaim => ({ binding: ref, api: ref.name, claim }));
    if (api.withdrawn === undefined) for (const one of own) add(one);
    else if (own.length > 0) ended.push({ binding: ref, why: api.withdrawn, own });
  }
  for (const { binding, why, own } of ended) {
    // A unit removes copies that no claim selects; those of a withdrawn API stay, since applications use them.
    const shared = own.filter(({ claim }) => claims.has(claimKey(claim)));
    for (const one of shared) add(one);
    if (shared.length === 0) withdrawn.push({ binding, why });
  }
  return { instances, claims, declined, rejected, withdrawn, claimless, isPartial };

  function add(one: AcceptedClaim): void {
    const { group = '', version, resource } = one.claim;
    const key = claimKey(one.claim);
    const entry = claims.get(key);
    if (entry) entry.claims.push(one);
    else claims.set(key, { type: { group, version, resource }, claims: [one] });
  }
}

/** What has to be done to a unit that runs with `before` so that it runs with `wanted`. */
export function changeOf<T>(
  before: T | undefined,
  wanted: T | undefined,
  needsRestart: (before: T, wanted: T) => boolean,
): 'nothing' | 'start' | 'stop' | 'update' | 'restart' {
  if (before === undefined) return wanted === undefined ? 'nothing' : 'start';
  if (wanted === undefined) return 'stop';
  if (sameValue(before, wanted)) return 'nothing';
  return needsRestart(before, wanted) ? 'restart' : 'update';
}

/**
 * Whether a unit has to begin anew: for another binding, since what it remembers is about the objects of the one before,
 * and for another schema, since its watches show objects by the one before.
 */
export function apiNeedsRestart(before: BoundApi, wanted: BoundApi): boolean {
  return before.binding.uid !== wanted.binding.uid || before.schema !== wanted.schema;
}

/** Whether two values that came from JSON, or could go there, are equal; the order of keys does not count. */
export function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, sorted) === JSON.stringify(b, sorted);
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
