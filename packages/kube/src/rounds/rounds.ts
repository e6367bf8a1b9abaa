import { scope, type Scope } from '../scope/index.ts';

/** Work that is done in rounds: who asks is served by a round that begins after that, together with all who asked meanwhile. */
export interface Rounds {
  /** Resolves when a round that began after the call is done; rejects when there are no more rounds. */
  request(): Promise<void>;
  /** Begins a round. Its scope ends when somebody asks for another; `isWanted`: somebody waits for this one. */
  begin(signal: AbortSignal): { readonly round: Scope; readonly isWanted: boolean };
  /** What the present round is for is done; otherwise the next one serves those who wait for it. */
  done(): void;
  /** There are no more rounds. */
  end(reason: unknown): void;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export function createRounds(): Rounds {
  /** Those who asked since the round began, and those whom it serves. */
  let waiting: Waiter[] = [];
  let served: Waiter[] = [];
  let current: Scope | undefined;
  let over: { readonly reason: unknown } | undefined;
  return {
    request: () =>
      new Promise<void>((resolve, reject) => {
        if (over) return reject(over.reason);
        waiting.push({ resolve, reject });
        current?.end();
      }),
    begin: (signal) => {
      current?.end();
      current = scope(signal);
      served.push(...waiting);
      waiting = [];
      return { round: current, isWanted: served.length > 0 };
    },
    done: () => {
      for (const { resolve } of served) resolve();
      served = [];
    },
    end: (reason) => {
      over = { reason };
      current?.end();
      for (const { reject } of [...served, ...waiting]) reject(reason);
      served = [];
      waiting = [];
    },
  };
}
