import { type Clock, isKubeError, type KubeError } from '@klutch/kube';

/**
 * Lets keys that failed during an outage be tried as soon as it is over, instead of when their back-off ends.
 */
export interface Recovery {
  /** A key failed with this error. */
  failed(key: string, error: unknown): void;
  /** A key did not fail. */
  worked(key: string): void;
  stop(): void;
}

export interface RecoveryOptions {
  readonly clock: Clock;
  /** Why a cluster cannot be followed right now. */
  problem(): KubeError | undefined;
  retry(key: string): void;
}

const lookEveryMs = 500;

export function createRecovery({ clock, problem, retry }: RecoveryOptions): Recovery {
  const stalled = new Set<string>();
  let sawOutage = false;
  let cancel: (() => void) | undefined;

  function tick(): void {
    cancel = undefined;
    if (problem() !== undefined) sawOutage = true;
    else if (sawOutage) flush();
    if (stalled.size > 0) arm();
  }

  function flush(): void {
    sawOutage = false;
    const keys = [...stalled];
    stalled.clear();
    for (const key of keys) retry(key);
  }

  function arm(): void {
    cancel ??= clock.after(lookEveryMs, tick);
  }

  function rest(): void {
    sawOutage = false;
    cancel?.();
    cancel = undefined;
  }

  return {
    failed: (key, error) => {
      if (!isOutage(error)) return;
      stalled.add(key);
      arm();
    },
    worked: (key) => {
      stalled.delete(key);
      if (stalled.size === 0) rest();
    },
    stop: () => {
      stalled.clear();
      rest();
    },
  };
}

function isOutage(error: unknown): boolean {
  return isKubeError(
    error,
    'KUBE_UNREACHABLE',
    'KUBE_TIMEOUT',
    'KUBE_UNAUTHORIZED',
    'KUBE_SERVER_ERROR',
    'KUBE_TOO_MANY_REQUESTS',
  );
}
