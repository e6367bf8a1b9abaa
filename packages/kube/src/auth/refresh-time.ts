/** Credentials are renewed at most this long before they expire. */
const MAX_LEAD_MS = 60_000;

/**
 * When credentials received at `now` are to be renewed: after nine tenths of the time they have left, but no more than a
 * minute early. A plugin that hands out the same credentials until they expire is therefore asked a few times near the
 * end, each time after nine tenths of what then remains, and not at every request.
 */
export function refreshTime(now: number, expiresAt: number): number {
  return expiresAt - Math.min(MAX_LEAD_MS, Math.max(0, expiresAt - now) / 10);
}
