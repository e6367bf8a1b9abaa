import { createRecentMap } from './recent-map.ts';

export interface SpamFilterOptions {
  /** Events an object may have at once. Default 25. */
  readonly burst?: number;
  /** Milliseconds after which an object may have one more. Default 5 minutes. */
  readonly refillMs?: number;
  /** Objects remembered. Default 4096. */
  readonly objects?: number;
}

/** Whether one more event about the object is acceptable at this time; counts it when it is. */
export type SpamFilter = (object: string, now: number) => boolean;

/** A bucket of tokens per object, so that one that fails without end cannot flood the cluster with events. */
export function createSpamFilter({
  burst = 25,
  refillMs = 300_000,
  objects = 4_096,
}: SpamFilterOptions = {}): SpamFilter {
  const buckets = createRecentMap<{ readonly tokens: number; readonly at: number }>(objects);
  return (object, now) => {
    const bucket = buckets.get(object) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + (now - bucket.at) / refillMs);
    const isAccepted = tokens >= 1;
    buckets.set(object, { tokens: isAccepted ? tokens - 1 : tokens, at: now });
    return isAccepted;
  };
}
