import type { World } from '../operations/call.ts';
import { runLoop, type Loop, type LoopOptions } from './loop/run-loop.ts';
import type { TypeChanges } from './types/type-changes.ts';

/** Where controllers say what nobody can see in the objects. A pino logger fits as it is. */
export interface ControllerLog {
  warn(fields: object, message: string): void;
}

/** What every controller works with. */
export interface ControllerContext {
  readonly world: World;
  readonly signal: AbortSignal;
  readonly log: ControllerLog;
  /** Tells when resource types come or go. */
  readonly typeChanges: TypeChanges;
}

/** A controller at work. */
export interface RunningController {
  readonly loop: Loop;
}

/** A loop that reports its failures to the log and stops with the context. */
export function controllerLoop(
  { signal, log }: ControllerContext,
  controller: string,
  handle: LoopOptions['handle'],
): Loop {
  const onFailure = (key: string, error: unknown) => {
    const problem = error instanceof Error ? error.message : String(error);
    log.warn({ controller, key, problem }, 'a controller failed and will try again');
  };
  return runLoop({ handle, signal, onFailure });
}

/** Ends something with the context. */
export function onStop({ signal }: ControllerContext, end: () => void): void {
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
}
