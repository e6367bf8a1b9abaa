/** Handles keys that others add, each as often as necessary and never twice at a time. */
export interface Loop {
  /** Has the key handled soon; once, however often it is added until then, and again when added while being handled. */
  add(key: string): void;
  /** As {@link add}, after a while; the earlier time counts. */
  addAfter(key: string, milliseconds: number): void;
  /** Whether no key is being handled or waits for its turn. Keys that wait for a time do not count. */
  readonly isIdle: boolean;
  /** Resolves as soon as the loop is idle. */
  idle(): Promise<void>;
  /** Starts nothing more; resolves when nothing is being handled any more. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  /** Does what the key stands for. When it fails, it is tried again: later each time. */
  readonly handle: (key: string) => Promise<void>;
  readonly onFailure: (key: string, error: unknown) => void;
  /** How many keys may be handled at the same time. Default 32. */
  readonly width?: number;
  /** Milliseconds until the first retry; doubled with every failure in a row. Default 10. */
  readonly firstRetry?: number;
  /** Milliseconds between retries at most. Default one minute. */
  readonly longestRetry?: number;
}

/** Starts a loop. It does nothing, and costs nothing, while there are no keys. */
export function runLoop(options: LoopOptions): Loop {
  const { handle, onFailure, width = 32, firstRetry = 10, longestRetry = 60_000 } = options;
  const waiting = new Set<string>();
  const running = new Set<string>();
  const timers = new Map<string, { readonly at: number; readonly timer: NodeJS.Timeout }>();
  const failures = new Map<string, number>();
  const onIdle: (() => void)[] = [];
  let isScheduled = false;
  let isOver = false;

  function add(key: string): void {
    if (isOver) return;
    cancelTimer(key);
    waiting.add(key);
    schedule();
  }

  function addAfter(key: string, milliseconds: number): void {
    if (isOver || waiting.has(key)) return;
    const at = performance.now() + milliseconds;
    if ((timers.get(key)?.at ?? Number.POSITIVE_INFINITY) <= at) return;
    cancelTimer(key);
    timers.set(key, { at, timer: setTimeout(() => add(key), milliseconds) });
  }

  function cancelTimer(key: string): void {
    clearTimeout(timers.get(key)?.timer);
    timers.delete(key);
  }

  /** A turn of the event loop goes by between batches, so that a flood of keys does not keep requests waiting. */
  function schedule(): void {
    if (isScheduled || running.size >= width) return;
    isScheduled = true;
    setImmediate(startBatch);
  }

  function startBatch(): void {
    isScheduled = false;
    for (const key of waiting) {
      if (running.size >= width) break;
      if (running.has(key)) continue;
      waiting.delete(key);
      running.add(key);
      void attempt(key);
    }
    settle();
  }

  async function attempt(key: string): Promise<void> {
    try {
      await handle(key);
      failures.delete(key);
    } catch (error) {
      if (!isOver) retryLater(key, error);
    }
    running.delete(key);
    if (waiting.size > 0) schedule();
    settle();
  }

  function retryLater(key: string, error: unknown): void {
    const before = failures.get(key) ?? 0;
    failures.set(key, before + 1);
    onFailure(key, error);
    addAfter(key, Math.min(longestRetry, firstRetry * 2 ** Math.min(before, 30)));
  }

  const isIdle = () => waiting.size === 0 && running.size === 0;

  function settle(): void {
    if (!isIdle()) return;
    for (const tell of onIdle.splice(0)) tell();
  }

  function idle(): Promise<void> {
    return isIdle() ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve));
  }

  function stop(): Promise<void> {
    isOver = true;
    waiting.clear();
    for (const key of timers.keys()) cancelTimer(key);
    settle();
    return idle();
  }

  return {
    add,
    addAfter,
    get isIdle() {
      return isIdle();
    },
    idle,
    stop,
  };
}
