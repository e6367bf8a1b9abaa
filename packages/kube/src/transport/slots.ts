/** Lets a limited number in at a time; the others wait in the order they came. */
export interface Slots {
  /** Resolves with a function that gives the slot back. Rejects with the signal's reason when that aborts first. */
  take(signal: AbortSignal): Promise<() => void>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(enter);
        reject(signal.reason as Error);
      };
      waiting.add(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  function giveBack(): void {
    const [next] = waiting;
    if (!next) free += 1;
    else {
      waiting.delete(next);
      next();
    }
  }

  return {
    take: async (signal) => {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else await turn(signal);
      let held = true;
      return () => {
        if (held) giveBack();
        held = false;
      };
    },
  };
}
