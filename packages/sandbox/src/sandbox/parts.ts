/** Something that runs until it is told to end. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** Keeps track of what runs, so that all of it ends in good order and nothing fails unnoticed. */
export interface Parts {
  /** Starts something that others rest on. */
  add<T extends Stoppable>(start: () => Promise<T>): Promise<T>;
  /** Starts something that ends after everything else. */
  addLast(start: () => Promise<Stoppable>): Promise<void>;
  /** Notes something that ends by itself when the signal does; `onFailure` is called when it ends by failing. */
  watch(stopped: Promise<void>): void;
  /** Waits for what is watched, then ends what it rests on, the latest first. Call it when the signal has aborted. */
  end(): Promise<void>;
  /** Throws the first failure of anything that was watched or ended. */
  throwIfFailed(): void;
}

export function createParts(onFailure: () => void): Parts {
  const resting: Stoppable[] = [];
  const watched: Promise<void>[] = [];
  const failures: unknown[] = [];
  let last: Stoppable | undefined;
  const note = (failure: unknown) => {
    failures.push(failure);
  };
  return {
    add: async (start) => {
      const part = await start();
      resting.push(part);
      return part;
    },
    addLast: async (start) => {
      last = await start();
    },
    watch: (stopped) => {
      watched.push(
        stopped.catch((failure: unknown) => {
          note(failure);
          onFailure();
        }),
      );
    },
    end: async () => {
      await Promise.all(watched);
      for (const part of resting.reverse()) await part.stop().catch(note);
      await last?.stop().catch(note);
    },
    throwIfFailed: () => {
      if (failures.length > 0) throw failures[0];
    },
  };
}
