import type { Store } from '../storage/types.ts';
import { EventTexts } from './event-texts.ts';
import type { Sink } from './sink.ts';
import { startOf } from './start.ts';
import { Watch, type WatchRequest } from './watch.ts';

/** All watches on a store. */
export interface WatchHub {
  /**
   * Starts a watch. Throws a `StatusError` for one that is not accepted, before anything is written; what goes wrong
   * later is told in the stream. Returns how to end it; the sink is ended in any case.
   */
  open(request: WatchRequest, sink: Sink): { end(): void };
  /** How many watches there are now. */
  readonly size: number;
  /** Ends watches of types that are not served any more as they were, so that clients list again. */
  endOutdated(): void;
  /** Ends all watches. */
  close(): void;
}

export interface WatchHubOptions {
  /** Shortest life of a watch whose client names no timeout; it lasts up to twice as long, so that not all end together. */
  readonly minTimeoutSeconds?: number;
  readonly bookmarkSeconds?: number;
  /** How long a client may take nothing. */
  readonly stallSeconds?: number;
  readonly random?: () => number;
}

/** What timers can count to. */
const MAX_MILLISECONDS = 2 ** 31 - 1;

/** Watches that share the work of turning events into bytes. */
export function createWatchHub(store: Store, options: WatchHubOptions = {}): WatchHub {
  const { minTimeoutSeconds = 1800, bookmarkSeconds = 60, stallSeconds = 60, random = Math.random } = options;
  const texts = new EventTexts();
  const watches = new Set<Watch>();
  return {
    open(request, sink) {
      const start = startOf(store, request.options, request.since);
      const seconds = request.options.timeoutSeconds || minTimeoutSeconds * (1 + random());
      const times = {
        timeoutMs: Math.min(Math.max(seconds, 0) * 1000, MAX_MILLISECONDS),
        bookmarkMs: bookmarkSeconds * 1000,
        lastBookmarkMs: 2000,
        stallMs: stallSeconds * 1000,
      };
      const watch = new Watch({ store, texts, times, onEnd: () => watches.delete(watch) }, request, sink);
      watches.add(watch);
      watch.begin(start);
      return watch;
    },
    get size() {
      return watches.size;
    },
    endOutdated() {
      for (const watch of watches) if (watch.isOutdated) watch.end();
    },
    close() {
      for (const watch of watches) watch.end();
    },
  };
}
