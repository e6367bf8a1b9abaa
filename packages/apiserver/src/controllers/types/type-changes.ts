/** Tells those who want to know that resource types have come or gone. */
export interface TypeChanges {
  announce(): void;
  /** Returns how to end it. */
  subscribe(listener: () => void): () => void;
}

export function createTypeChanges(): TypeChanges {
  const listeners = new Set<() => void>();
  return {
    announce: () => {
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
