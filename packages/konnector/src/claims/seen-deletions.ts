/** Deletions that a watch delivered, by key, until somebody has dealt with them. */
export interface SeenDeletions {
  add(key: string): void;
  /** The object is there again, or nobody asks any more. */
  delete(key: string): void;
  /** A namespace is no longer looked after. */
  leave(namespace: string): void;
  readonly size: number;
  has(key: string): boolean;
  /**
   * Call it before dealing with a key, and the result when that is done: what was seen before is forgotten, and what was
   * seen meanwhile is not.
   */
  begin(key: string): () => void;
}

export function createSeenDeletions(): SeenDeletions {
  const seen = new Map<string, symbol>();
  return {
    add: (key) => void seen.set(key, Symbol(key)),
    delete: (key) => void seen.delete(key),
    leave: (namespace) => {
      for (const key of seen.keys()) if (key.startsWith(`${namespace}/`)) seen.delete(key);
    },
    get size() {
      return seen.size;
    },
    has: (key) => seen.has(key),
    begin: (key) => {
      const before = seen.get(key);
      return () => {
        if (before !== undefined && seen.get(key) === before) seen.delete(key);
      };
    },
  };
}
