import { type Clock, systemClock } from '../clock/clock.ts';
import { onAbort } from '../scope/on-abort.ts';
import { deadline } from './deadline.ts';
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
  const waiting = new Set<() => void>();

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
    const { timeoutMs } = request;
    const { signal, clear } = deadline([request.signal, closed], timeoutMs);
    const began = systemClock.now();
    try {
      await called(signal);
    } finally {
      clear();
    }
    if (timeoutMs === undefined) return request;
    return { ...request, timeoutMs: Math.max(1, Math.floor(timeoutMs - (systemClock.now() - began))) };
  }

  function called(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const goOn = () => {
        stay();
        resolve();
      };
      waiting.add(goOn);
      const stay = onAbort(signal, () => {
        waiting.delete(goOn);
        reject(signal.reason as Error);
      });
    });
  }

  function leave(): void {
    inFlight -= 1;
    for (const goOn of waiting) {
      if (!isFree()) return;
      waiting.delete(goOn);
      inFlight += 1;
      goOn();
    }
  }

  function learn(began: number, overloaded: boolean): void {
    const now = clock.now();
    pace = nextPace(pace, { overloaded, tookMs: now - began, now }, bounds);
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
