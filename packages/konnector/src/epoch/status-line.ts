import { type ClusterBinding, ConditionType, findCondition, setCondition } from '@klutch/api';
import { type Clock, KubeError, type Logger, scope, whenAborted } from '@klutch/kube';
import type { ClusterBindingStatus } from '../heartbeat/cluster-binding-status.ts';
import { createLine, type Line } from './line.ts';
import { parseMark, renderMark } from './mark.ts';

/** The line of a control plane. A condition of the ClusterBinding carries the mark: its status is all that may be written. */
export interface StatusLine extends Line {
  /** Resolves when the mark has been read; never rejects. */
  readonly ready: Promise<void>;
  /** Something was written on the control plane: within five seconds the mark goes on, so that a restore to before shows. */
  touch(): void;
  readonly stopped: Promise<void>;
}

export interface StatusLineOptions {
  readonly status: ClusterBindingStatus;
  readonly relist: () => Promise<void>;
  /**
   * Each tells when the control plane may have come back from a backup: it answers again after it did not, or accepts a watch, which no
   * restore leaves open.
   */
  readonly returns: readonly (((returned: () => void) => () => void) | undefined)[];
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export function runStatusLine({ status, relist, returns, clock, log, signal }: StatusLineOptions): StatusLine {
  let isTouched = false;
  let isDue = false;
  let cancelDue: (() => void) | undefined;
  let interrupt = () => {};
  const line = createLine({
    carrier: {
      read: async () => markOf(await status.read(signal)),
      write: async (change) => {
        const written = await status.update((current) => {
          const message = renderMark(change(markOf(current)));
          const state = { type: ConditionType.HistoryMarked, status: 'True' as const, message };
          return { conditions: setCondition(current.status?.conditions, state, clock.date()) };
        }, signal);
        if (!written) throw new KubeError('KUBE_NOT_FOUND', 'There is no ClusterBinding to carry the mark.');
      },
    },
    relist,
    log,
  });
  const unsubscribes = returns.map((onReturn) => onReturn?.(wake));

  function wake(): void {
    isDue = true;
    interrupt();
  }

  function wakeAfter(ms: number): void {
    cancelDue ??= clock.after(ms, () => {
      cancelDue = undefined;
      wake();
    });
  }

  /** A mark that cannot be read or written now is tried again. */
  async function look(): Promise<boolean> {
    const wasTouched = isTouched;
    isTouched = false;
    try {
      if (wasTouched) await line.reserve();
      else await line.look();
      return true;
    } catch (error) {
      isTouched ||= wasTouched;
      log.debug({ err: error }, 'the mark of the control plane could not be looked at');
      if (!wasTouched) return false;
      // One that may not be written can be read.
      return line.look().then(
        () => true,
        () => false,
      );
    }
  }

  async function lookUntilRead(): Promise<void> {
    let isRead = await look();
    while (!isRead && !signal.aborted) {
      wakeAfter(retryMs);
      await due();
      isRead = await look();
    }
  }

  async function run(): Promise<void> {
    await ready;
    while (!signal.aborted) {
      await due();
      if (signal.aborted) break;
      const isRead = await look();
      if (!isRead || isTouched) wakeAfter(touchedMs);
    }
    cancelDue?.();
    for (const unsubscribe of unsubscribes) unsubscribe?.();
  }

  async function due(): Promise<void> {
    if (!isDue && !signal.aborted) {
      const waiting = scope(signal);
      interrupt = () => waiting.end();
      await whenAborted(waiting.signal);
    }
    isDue = false;
  }

  const ready = lookUntilRead();
  return {
    ...line,
    ready,
    touch: () => {
      isTouched = true;
      wakeAfter(touchedMs);
    },
    stopped: run(),
  };
}

const touchedMs = 5_000;
const retryMs = 1_000;

function markOf(clusterBinding: ClusterBinding | undefined) {
  return parseMark(findCondition(clusterBinding?.status?.conditions, ConditionType.HistoryMarked)?.message);
}
