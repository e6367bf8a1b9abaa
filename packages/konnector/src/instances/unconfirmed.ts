import type { Clock } from '@klutch/kube';
import { trustMs } from './written.ts';

/**
 * Keys that came to rest before their watches told what was written for them. If these never do, because it is gone again,
 * somebody has to notice.
 */
export interface Unconfirmed {
  /** A key came to rest; `isAhead`: its watches have something to tell yet. */
  rests(key: string, isAhead: boolean): void;
  stop(): void;
}

export interface UnconfirmedOptions {
  readonly clock: Clock;
  /** Whether the watches of the key still have something to tell. */
  isAhead(key: string): boolean;
  look(key: string): void;
}

export function createUnconfirmed({ clock, isAhead, look }: UnconfirmedOptions): Unconfirmed {
  /** When each came to rest, the oldest first. */
  const since = new Map<string, number>();
  let cancel: (() => void) | undefined;

  function arm(): void {
    const [oldest] = since.values();
    if (oldest !== undefined) cancel ??= clock.after(oldest + trustMs - clock.now(), lookAtOverdue);
  }

  function lookAtOverdue(): void {
    cancel = undefined;
    for (const [key, at] of since) {
      if (clock.now() - at < trustMs) break;
      since.delete(key);
      if (isAhead(key)) look(key);
    }
    arm();
  }

  return {
    rests: (key, ahead) => {
      since.delete(key);
      if (ahead) since.set(key, clock.now());
      arm();
    },
    stop: () => {
      cancel?.();
      since.clear();
    },
  };
}
