/** Deletions that a watch delivered, by key, until somebody has dealt with them. */
export interface SeenDeletions {
  add(key: string): void;
  /** The object is there again, or nobody asks any more. */
  delete(key: string): void;
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
    has: (key) => seen.has(key),
    begin: (key) => {
      const before = seen.get(key);
      return () => {
        if (before !== undefined && seen.get(key) === before) seen.delete(key);
      };
    },
  };
}
