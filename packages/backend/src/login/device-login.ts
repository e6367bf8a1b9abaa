import { KlutchError, type KlutchErrorCode } from '@klutch/api';
import type { Caller } from '../policy/caller.ts';
import type { RequestedApi } from '../policy/entitled-offers.ts';
import type { Tenant } from '../policy/tenant.ts';
import type { PresentedCluster } from '../tenants/app-cluster.ts';

/** What a command with a device code asks for, as the user has to see it before it is granted. */
export interface DeviceRequest {
  /** Id of the sealed ticket that the command holds; no other command may have the outcome. */
  readonly ticket: string;
  readonly cluster: PresentedCluster;
  readonly apis: readonly RequestedApi[];
  readonly tenant?: string;
  /** Set for a bundle: how long it may be applied. */
  readonly enrolmentSeconds?: number;
  /** Set when all credentials of the app cluster of this namespace are to end, and nothing is to be bound. */
  readonly evict?: string;
  /** Address that the command called from. */
  readonly from: string;
  /** When it did, in ISO 8601. */
  readonly at: string;
}

/**
 * How far the login with a user code has come, from the moment somebody who is logged in has typed the code. `by` names who
 * typed it, as `<issuer>/<subject>`.
 */
export type DeviceLoginState =
  /** The command has not asked since, so it is not known yet what it asks for. */
  | { readonly step: 'entered'; readonly by: string }
  | { readonly step: 'presented'; readonly by: string; readonly request: DeviceRequest }
  | {
      readonly step: 'confirmed';
      readonly by: string;
      readonly request: DeviceRequest;
      readonly caller: Caller;
      readonly tenant: Tenant;
    }
  | {
      readonly step: 'refused';
      readonly by: string;
      readonly request: DeviceRequest;
      readonly code: KlutchErrorCode;
      readonly message: string;
    };

/** What to do when a command asks for the outcome. */
export type DeviceOutcome =
  | { readonly kind: 'wait' }
  /** Somebody typed the code: show them what the command asks for. */
  | { readonly kind: 'present'; readonly next: DeviceLoginState }
  | { readonly kind: 'grant'; readonly caller: Caller; readonly tenant: Tenant };

/** Pure: the answer to a command. Throws when the login was refused, or the code belongs to another command. */
export function outcomeFor(state: DeviceLoginState | undefined, request: DeviceRequest): DeviceOutcome {
  if (state === undefined) return { kind: 'wait' };
  if (state.step === 'entered') return { kind: 'present', next: { step: 'presented', by: state.by, request } };
  if (state.request.ticket !== request.ticket) {
    throw new KlutchError('KLUTCH_SESSION_EXPIRED', 'This code belongs to another login. Start the login again.');
  }
  if (state.step === 'refused') throw new KlutchError(state.code, state.message);
  return state.step === 'confirmed' ? { kind: 'grant', caller: state.caller, tenant: state.tenant } : { kind: 'wait' };
}

/** Pure: the state after somebody has typed a code. Throws `KLUTCH_LOGIN_DENIED` when it is in the hands of somebody else. */
export function enter(state: DeviceLoginState | undefined, by: string): DeviceLoginState {
  return state === undefined ? { step: 'entered', by } : ownState(state, by);
}

/** Pure: the state, if this person typed the code. Throws `KLUTCH_LOGIN_DENIED` otherwise. */
export function ownState<S extends DeviceLoginState>(state: S, by: string): S {
  if (state.by === by) return state;
  throw new KlutchError(
    'KLUTCH_LOGIN_DENIED',
    'Somebody else has typed this code. Run the command again to get another one.',
  );
}

/** Pure: the state after the user said yes to what was presented. Throws `KLUTCH_SESSION_EXPIRED` when that was decided before. */
export function confirm(state: DeviceLoginState, caller: Caller, tenant: Tenant): DeviceLoginState {
  const { by, request } = undecided(state);
  return { step: 'confirmed', by, request, caller, tenant };
}

/** Pure: the state after the user said no, or what was asked for cannot be granted to them. Throws like {@link confirm}. */
export function refuse(
  state: DeviceLoginState,
  why: { readonly code: KlutchErrorCode; readonly message: string },
): DeviceLoginState {
  const { by, request } = undecided(state);
  return { step: 'refused', by, request, code: why.code, message: why.message };
}

function undecided(state: DeviceLoginState): Extract<DeviceLoginState, { readonly step: 'presented' }> {
  if (state.step === 'presented') return state;
  throw new KlutchError('KLUTCH_SESSION_EXPIRED', 'This login was decided already. Run the command again.');
}
