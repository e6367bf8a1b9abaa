/** A map that forgets what was used longest ago when it is full. */
export interface RecentMap<V> {
  readonly size: number;
  /** The value, which thereby counts as just used. */
  get(key: string): V | undefined;
  set(key: string, value: V): void;
}

/** An empty map for at most `capacity` entries. */
export function createRecentMap<V>(capacity: number): RecentMap<V> {
  // A Map iterates in the order of insertion; inserting anew on use keeps the longest unused entry in front.
  const entries = new Map<string, V>();
  const put = (key: string, value: V) => {
    entries.delete(key);
    entries.set(key, value);
  };
  return {
    get size() {
      return entries.size;
    },
    get: (key) => {
      const value = entries.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    set: (key, value) => {
      put(key, value);
      const [oldest] = entries.size > capacity ? entries.keys() : [];
      if (oldest !== undefined) entries.delete(oldest);
    },
  };
}
