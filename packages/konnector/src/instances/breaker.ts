/**
 * Counts copies whose originals are missing, so that many at once are held instead of deleted. It is told of them as
 * events arrive, before anything is decided.
 */
export interface Breaker {
  /** The original of this key is missing, since `now`. */
  miss(key: string, now: number): void;
  /** The original is there, or the copy is gone. */
  clear(key: string): void;
  /** When the original of this key was first missed. */
  missedSince(key: string): number | undefined;
  readonly pending: number;
  /** Pending keys, to look at them again. */
  keys(): Iterable<string>;
  isBraked(copies: number): boolean;
}

/** Few enough to be an everyday event, whatever the size of the API. */
export const alwaysAllowed = 5;
const allowedShare = 0.1;

export function createBreaker(): Breaker {
  const missed = new Map<string, number>();
  return {
    miss: (key, now) => {
      if (!missed.has(key)) missed.set(key, now);
    },
    clear: (key) => void missed.delete(key),
    missedSince: (key) => missed.get(key),
    get pending() {
      return missed.size;
    },
    keys: () => [...missed.keys()],
    isBraked: (copies) => missed.size > Math.max(alwaysAllowed, copies * allowedShare),
  };
}
