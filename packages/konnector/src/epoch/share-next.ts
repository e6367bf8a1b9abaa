/**
 * Calls are made one after the other, and callers that arrive while one is under way share the next: each gets the result of a
 * call that began after it asked.
 */
export function shareNext<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;

  async function start(): Promise<T> {
    next = undefined;
    return await call();
  }

  return () => {
    if (next !== undefined) return next;
    const promise: Promise<T> = running === undefined ? start() : running.then(start, start);
    if (running !== undefined) next = promise;
    const settled: Promise<unknown> = promise.then(ended, ended);
    running = settled;

    function ended(): void {
      if (running === settled) running = undefined;
    }
    return promise;
  };
}
