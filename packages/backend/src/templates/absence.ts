import type { Clock } from '@klutch/kube';
import { templateGraceMs } from './withdrawal.ts';

/** Since when APIs have no template. It is lost with the process, which lengthens a grace period and never shortens one. */
export interface Absence {
  /** Milliseconds for which the API has been without a template; 0 when it is not. */
  of(name: string, isMissing: boolean): number;
  stop(): void;
}

/** Calls back with the name of an API when its grace period is over. */
export function createAbsence(clock: Clock, isOver: (name: string) => void): Absence {
  const missing = new Map<string, { readonly since: number; readonly cancel: () => void }>();
  return {
    of: (name, isMissing) => {
      const known = missing.get(name);
      if (!isMissing) {
        known?.cancel();
        missing.delete(name);
        return 0;
      }
      if (known) return clock.now() - known.since;
      missing.set(name, { since: clock.now(), cancel: clock.after(templateGraceMs, () => isOver(name)) });
      return 0;
    },
    stop: () => {
      for (const { cancel } of missing.values()) cancel();
      missing.clear();
    },
  };
}
