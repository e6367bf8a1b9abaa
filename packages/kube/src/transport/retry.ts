import { pause, systemClock } from '../clock/clock.ts';
import { isKubeError } from '../errors/kube-error.ts';
import { Deadline } from './deadline.ts';
import type { Interceptor, KubeRequest } from './types.ts';

export interface RetryOptions {
  /** How often a request is repeated at most. Default 10, as in client-go. */
  readonly attempts?: number;
  /** Longest wait that a server's Retry-After is followed for, in seconds. Default 30. */
  readonly maxWaitSeconds?: number;
  /** Source of jitter in [0, 1). */
  readonly random?: () => number;
}

/**
 * Repeats requests for which a repetition is safe: the server asked for it, or nothing can have been changed. The time
 * limit of a call holds for all its repetitions together; nothing is repeated once `closed` aborts.
 */
export function retry(options: RetryOptions = {}, closed?: AbortSignal): Interceptor {
  const attempts = options.attempts ?? 10;
  return (next) => async (request) => {
    const end = systemClock.now() + (request.timeoutMs ?? Number.POSITIVE_INFINITY);
    let current = request;
    for (let attempt = 0; ; attempt++) {
      try {
        return await next(current);
      } catch (error) {
        const wait = attempt < attempts ? retryDelayMs(error, request, attempt, options) : undefined;
        if (wait === undefined || systemClock.now() + wait >= end) throw error;
        // To a caller that gives up meanwhile, what it waited for is the most useful answer.
        if (!(await waited(wait, [request.signal, closed]))) throw error;
        current = withinTime(request, end - systemClock.now());
      }
    }
  };
}

/** How many reads that met a broken connection are repeated; more than a few say that the server is away. */
const brokenConnectionRetries = 3;

/** Pure: milliseconds to wait before the request is repeated, or undefined when it must not be. */
export function retryDelayMs(
  error: unknown,
  request: Pick<KubeRequest, 'method'>,
  attempt: number,
  options: RetryOptions = {},
): number | undefined {
  if (!isKubeError(error)) return undefined;
  const random = options.random ?? Math.random;
  const asked = error.retryAfterSeconds;
  if (asked !== undefined && (error.status === 429 || (error.status ?? 0) >= 500)) {
    if (asked > (options.maxWaitSeconds ?? 30)) return undefined;
    // Jitter keeps clients that were refused together from coming back together.
    return asked * 1000 * (1 + 0.25 * random());
  }
  if (error.status === 429) return backOff(attempt, random);
  const lostRead = error.code === 'KUBE_UNREACHABLE' && error.status === undefined && request.method === 'GET';
  if (!lostRead || neverConnected.has(error.reason ?? '') || attempt >= brokenConnectionRetries) return undefined;
  return backOff(attempt, random);
}

/** Failures that repeat at once: the caller hears of them immediately and decides how long to keep trying. */
const neverConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_ABORTED',
]);

function withinTime(request: KubeRequest, leftMs: number): KubeRequest {
  return request.timeoutMs === undefined ? request : { ...request, timeoutMs: Math.max(1, Math.floor(leftMs)) };
}

function backOff(attempt: number, random: () => number): number {
  return Math.min(5000, 50 * 2 ** attempt) * (0.5 + random());
}

/** True when the time passed, false when a signal aborted before. */
async function waited(ms: number, signals: readonly (AbortSignal | undefined)[]): Promise<boolean> {
  const deadline = new Deadline(signals);
  await pause(systemClock, ms, deadline.signal);
  deadline.clear();
  return !deadline.signal.aborted;
}
