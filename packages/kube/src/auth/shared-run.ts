import { KubeError } from '../errors/kube-error.ts';
import { type Scope, scope } from '../scope/scope.ts';
import { unlessAborted } from '../scope/unless-aborted.ts';

/**
 * Makes callers that ask while `work` is under way share its result instead of starting it again. A caller whose signal
 * fires gets `KUBE_ABORTED`; when the last one gives up, the work's own signal fires and that caller waits for it to end.
 */
export function sharedRun<T>(work: (signal: AbortSignal) => Promise<T>): (signal?: AbortSignal) => Promise<T> {
  let active: Run<T> | undefined;

  function begin(): Run<T> {
    const life = scope();
    const run: Run<T> = { life, callers: 0, result: work(life.signal).finally(() => end(run)) };
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
      return await patiently(run.result, signal);
    } finally {
      run.callers -= 1;
      if (run.callers === 0 && active === run) await giveUp(run);
    }
  };

  async function giveUp(run: Run<T>): Promise<void> {
    end(run);
    run.life.end();
    await Promise.allSettled([run.result]);
  }
}

interface Run<T> {
  readonly life: Scope;
  readonly result: Promise<T>;
  callers: number;
}

async function patiently<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await result;
  try {
    return await unlessAborted(result, signal);
  } catch (error) {
    throw signal.aborted ? aborted(signal) : error;
  }
}

function aborted(signal: AbortSignal): KubeError {
  return new KubeError('KUBE_ABORTED', 'Waiting for credentials was cancelled.', { cause: signal.reason });
}
