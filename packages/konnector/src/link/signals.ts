/** Something that happens now and then, and those who want to hear of it. */
export interface Signals {
  subscribe(listener: () => void): () => void;
  /** Tells everyone who has subscribed; a listener that throws keeps none of the others from hearing. */
  tell(): void;
}

export function createSignals(onError: (error: unknown) => void = rethrowLater): Signals {
  const listeners = new Set<{ readonly listener: () => void }>();
  return {
    subscribe: (listener) => {
      const entry = { listener };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    tell: () => {
      // Who subscribes meanwhile hears of the next one.
      const audience = [...listeners];
      for (const { listener } of audience) {
        try {
          listener();
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}

/** A programming error: it must not be lost, and must not hit whoever only told of something. */
function rethrowLater(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
