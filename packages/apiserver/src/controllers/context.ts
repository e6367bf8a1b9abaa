import type { World } from '../operations/call.ts';
import { runLoop, type Loop, type LoopOptions } from './loop/run-loop.ts';
import { createTypeChanges, type TypeChanges } from './types/type-changes.ts';

/** Where controllers say what nobody can see in the objects. A pino logger fits as it is. */
export interface ControllerLog {
  warn(fields: object, message: string): void;
}

/** What every controller works with. */
export interface ControllerContext {
  readonly world: World;
  readonly signal: AbortSignal;
  readonly log: ControllerLog;
  /** What is called when the signal aborts; see {@link onStop}. */
  readonly endings: (() => void)[];
  /** Tells when resource types come or go. */
  readonly typeChanges: TypeChanges;
}

/** A controller at work. */
export interface RunningController {
  readonly loop: Loop;
}

/** A context that is one listener of its signal, however much ends with it. */
export function createContext(given: Pick<ControllerContext, 'world' | 'signal' | 'log'>): ControllerContext {
  const endings: (() => void)[] = [];
  const endAll = () => {
    for (const end of endings.splice(0)) end();
  };
  given.signal.addEventListener('abort', endAll, { once: true });
  return { ...given, endings, typeChanges: createTypeChanges() };
}

/** A loop that reports its failures to the log and stops with the context. */
export function controllerLoop(context: ControllerContext, controller: string, handle: LoopOptions['handle']): Loop {
  const onFailure = (key: string, error: unknown) => {
    const problem = error instanceof Error ? error.message : String(error);
    context.log.warn({ controller, key, problem }, 'a controller failed and will try again');
  };
  const loop = runLoop({ handle, onFailure });
  onStop(context, () => void loop.stop());
  return loop;
}

/** Ends something with the context. */
export function onStop({ signal, endings }: ControllerContext, end: () => void): void {
  if (signal.aborted) end();
  else endings.push(end);
}
