import { annotations } from '@klutch/api';
import { type Clock, type Namespace, pause } from '@klutch/kube';

/**
 * Milliseconds for which an API server may accept a token whose account is gone: each replica of kube-apiserver caches
 * successful authentications for ten seconds, and hears of the deletion a moment later.
 */
export const authenticationCacheMs = 12_000;

/**
 * Waits until no API server accepts credentials any more that were ended by an eviction. Before that, nothing may be put where
 * they can read it, and no account may have the name that they are known by.
 */
export async function untilForgotten(clock: Clock, { metadata }: Pick<Namespace, 'metadata'>): Promise<void> {
  const evictedAt = Date.parse(metadata.annotations?.[annotations.evictedAt] ?? '');
  if (Number.isNaN(evictedAt)) return;
  const passedMs = clock.date().getTime() - evictedAt;
  // A time in the future was written by a replica whose clock is ahead.
  const leftMs = Math.min(authenticationCacheMs - passedMs, authenticationCacheMs);
  if (leftMs > 0) await pause(clock, leftMs);
}
