import { KlutchError } from '@klutch/api';
import type { DeviceLoginState } from '../login/device-login.ts';
import type { WebContext } from './context.ts';

/** Seconds from the command's request to the end of a login with a device code. */
export const deviceLoginSeconds = 600;

/** How far a login with a user code has come, as all replicas know it; undefined while nobody has typed the code. */
export async function findDeviceLogin(context: WebContext, userCode: string): Promise<DeviceLoginState | undefined> {
  return await advanceDeviceLogin(context, userCode, (state) => state);
}

/**
 * Takes a login with a user code to its next step, however many replicas try at once, and yields the state it is in then. The
 * step is computed anew from what another replica wrote; what it throws is thrown.
 */
export async function advanceDeviceLogin<S extends DeviceLoginState | undefined>(
  { deviceMarks, sealer, clock }: WebContext,
  userCode: string,
  next: (state: DeviceLoginState | undefined) => S,
): Promise<S> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const mark = await deviceMarks.find(userCode);
    const known = mark && (await sealer.open<SealedState>('mark', mark.text))?.content;
    // A mark of another code was copied by somebody who must not.
    const state = known?.userCode === userCode ? known.state : undefined;
    const wanted = next(state);
    if (wanted === undefined || wanted === state) return wanted;
    // Sealed, so that somebody who can write Leases cannot confirm a login.
    const text = await sealer.seal<SealedState>('mark', { userCode, state: wanted }, deviceLoginSeconds);
    const expiresAt = new Date(clock.date().getTime() + deviceLoginSeconds * 1000);
    if (await deviceMarks.store(userCode, text, expiresAt, mark?.version)) return wanted;
  }
  throw new KlutchError('KLUTCH_BACKEND_UNAVAILABLE', 'This login is being changed elsewhere. Try again in a moment.');
}

interface SealedState {
  readonly userCode: string;
  readonly state: DeviceLoginState;
}

const maxAttempts = 5;
