import { type ClusterBinding, ConditionType, findCondition, setCondition } from '@klutch/api';
import { type Clock, KubeError, type Logger, pause, scope } from '@klutch/kube';
import type { ClusterBindingStatus } from '../heartbeat/cluster-binding-status.ts';
import { createLine, type Line } from './line.ts';
import { parseMark, renderMark } from './mark.ts';

/** The line of a control plane. A condition of the ClusterBinding carries the mark: its status is all that may be written. */
export interface StatusLine extends Line {
  /** Resolves when the mark has been read; never rejects. */
  readonly ready: Promise<void>;
  /** Something was written on the control plane: the mark goes on with the next look, so that a restore to before shows. */
  touch(): void;
  readonly stopped: Promise<void>;
}

export interface StatusLineOptions {
  readonly status: ClusterBindingStatus;
  readonly relist: () => Promise<void>;
  /** Tells when the control plane answers again after it did not: it may have come back from a backup. */
  readonly onRecovered?: (recovered: () => void) => () => void;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export function runStatusLine({ status, relist, onRecovered, clock, log, signal }: StatusLineOptions): StatusLine {
  let isTouched = false;
  let wake = () => {};
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
  const unsubscribe = onRecovered?.(() => wake());
  const first = lookOnce();

  /** A mark that cannot be read or written now is tried again at the next look. */
  async function lookOnce(): Promise<boolean> {
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
    let isRead = await first;
    while (!isRead && !signal.aborted) {
      await rest(retryMs);
      isRead = await lookOnce();
    }
  }

  async function run(): Promise<void> {
    await ready;
    while (!signal.aborted) {
      await rest(everyMs);
      if (!signal.aborted) await lookOnce();
    }
    unsubscribe?.();
  }

  async function rest(ms: number): Promise<void> {
    const resting = scope(signal);
    wake = () => resting.end();
    await pause(clock, ms, resting.signal);
    resting.end();
  }

  const ready = lookUntilRead();
  return { ...line, ready, touch: () => void (isTouched = true), stopped: run() };
}

const everyMs = 5_000;
const retryMs = 1_000;

function markOf(clusterBinding: ClusterBinding | undefined) {
  return parseMark(findCondition(clusterBinding?.status?.conditions, ConditionType.HistoryMarked)?.message);
}
