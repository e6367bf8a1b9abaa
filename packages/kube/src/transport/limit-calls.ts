import { type Clock, systemClock } from '../clock/clock.ts';
import { onAbort } from '../scope/on-abort.ts';
import { timedOut } from './deadline.ts';
import { firstPace, nextPace } from './pace.ts';
import type { Interceptor, KubeRequest, KubeResponse } from './types.ts';

export interface CallLimits {
  /** Calls in flight at most, and at the start. */
  readonly most: number;
  /** Calls in flight at least, however busy the server is. Default 2. */
  readonly least?: number;
  /** Nobody waits any longer once it aborts. */
  readonly closed: AbortSignal;
  readonly clock?: Clock;
}

/**
 * Holds calls back while the server has as many in flight as it can bear, which it shows by how it answers. The others wait
 * in the order they came, within their time limit. Streams and `control` traffic pass.
 */
export function limitCalls({ most, least = 2, closed, clock = systemClock }: CallLimits): Interceptor {
  const bounds = { least: Math.min(least, most), most };
  let pace = firstPace(bounds);
  let inFlight = 0;
  const waiting = new Set<Waiter>();

  return (next) => async (request) => {
    if (request.mode === 'stream' || request.traffic === 'control') return next(request);
    const admitted = isFree() ? enter(request) : await turn(request);
    const release = once(leave);
    const began = clock.now();
    try {
      const response = await next(admitted);
      learn(began, isOverload(response));
      // The end of an answer frees its connection; one that breaks off has no end.
      response.body.once('end', release).once('close', release);
      return response;
    } catch (error) {
      // A caller that gave up says nothing about the server.
      if (!request.signal?.aborted) learn(began, true);
      release();
      throw error;
    }
  };

  function isFree(): boolean {
    return inFlight < Math.floor(pace.limit);
  }

  function enter(request: KubeRequest): KubeRequest {
    inFlight += 1;
    return request;
  }

  /** The request when its turn has come, with the time that is left to it. */
  async function turn(request: KubeRequest): Promise<KubeRequest> {
    const { signal, timeoutMs } = request;
    signal?.throwIfAborted();
    closed.throwIfAborted();
    const began = systemClock.now();
    await new Promise<void>((resolve, reject) => {
      waiting.add(
        new Waiter({ resolve, reject, leave: (waiter) => waiting.delete(waiter) }, [signal, closed], timeoutMs),
      );
    });
    if (timeoutMs === undefined) return request;
    return { ...request, timeoutMs: Math.max(1, Math.floor(timeoutMs - (systemClock.now() - began))) };
  }

  function leave(): void {
    inFlight -= 1;
    for (const waiter of waiting) {
      if (!isFree()) return;
      inFlight += 1;
      waiter.goOn();
    }
  }

  function learn(began: number, overloaded: boolean): void {
    const now = clock.now();
    pace = nextPace(pace, { overloaded, tookMs: now - began, now }, bounds);
  }
}

interface Wait {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
  readonly leave: (waiter: Waiter) => void;
}

/** A call that waits for its turn. It has no signal of its own, which would cost as much as the rest of a call. */
class Waiter {
  readonly #wait: Wait;
  readonly #stay: readonly ((() => void) | undefined)[];
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(wait: Wait, signals: readonly (AbortSignal | undefined)[], limitMs: number | undefined) {
    this.#wait = wait;
    this.#stay = signals.map((signal) => signal && onAbort(signal, () => this.#giveUp(signal.reason)));
    this.#timer = limitMs === undefined ? undefined : setTimeout(() => this.#giveUp(timedOut), limitMs);
  }

  goOn(): void {
    this.#end();
    this.#wait.resolve();
  }

  #giveUp(reason: unknown): void {
    this.#end();
    this.#wait.reject(reason);
  }

  #end(): void {
    clearTimeout(this.#timer);
    for (const stay of this.#stay) stay?.();
    this.#wait.leave(this);
  }
}

function isOverload({ status }: KubeResponse): boolean {
  return status === 429 || status === 503 || status === 504;
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}
