import { KubeError } from '../errors/kube-error.ts';

/**
 * Makes callers that ask while `work` is under way share its result instead of starting it again. A caller whose signal
 * fires gets `KUBE_ABORTED`; when the last one gives up, the work's own signal fires and that caller waits for it to end.
 */
export function sharedRun<T>(work: (signal: AbortSignal) => Promise<T>): (signal?: AbortSignal) => Promise<T> {
  let active: Run<T> | undefined;

  function begin(): Run<T> {
    const abort = new AbortController();
    const run: Run<T> = { abort, callers: 0, result: work(abort.signal).finally(() => end(run)) };
    return run;
  }

  function end(run: Run<T>): void {
    if (active === run) active = undefined;
  }

  return async (signal) => {
    if (signal?.aborted) throw aborted(signal);
    const run = (active ??= begin());
    run.callers += 1;
    try {
      return await unlessAborted(run.result, signal);
    } finally {
      run.callers -= 1;
      if (run.callers === 0 && active === run) await giveUp(run);
    }
  };

  async function giveUp(run: Run<T>): Promise<void> {
    end(run);
    run.abort.abort();
    await Promise.allSettled([run.result]);
  }
}

interface Run<T> {
  readonly abort: AbortController;
  readonly result: Promise<T>;
  callers: number;
}

async function unlessAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await result;
  let onAbort: () => void = () => undefined;
  const abort = new Promise<never>((_, reject) => {
    onAbort = () => reject(aborted(signal));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([result, abort]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function aborted(signal: AbortSignal): KubeError {
  return new KubeError('KUBE_ABORTED', 'Waiting for credentials was cancelled.', { cause: signal.reason });
}
