import { PassThrough, Readable } from 'node:stream';
import { pause, systemClock } from '../clock/clock.ts';
import { KubeError } from '../errors/kube-error.ts';
import type { Interceptor, KubeRequest, KubeResponse, Send } from '../transport/types.ts';

/** What goes wrong with a request. */
export type Fault =
  /** The connection breaks before the server sees the request. */
  | { readonly type: 'drop' }
  /** The server carries the request out, but its answer is lost. */
  | { readonly type: 'loseAnswer' }
  /** The request arrives late. */
  | { readonly type: 'delay'; readonly ms: number }
  /** The answer breaks off after so many bytes. */
  | { readonly type: 'truncate'; readonly afterBytes: number }
  /** The server refuses with this status; it does not see the request. */
  | { readonly type: 'status'; readonly status: 409 | 410 | 429 | 500 | 503; readonly retryAfterSeconds?: number };

export interface FaultRule {
  readonly fault: Fault;
  /** Which requests are hit; all when absent. */
  readonly when?: (request: KubeRequest) => boolean;
  /** How many requests are hit at most. Default: no limit. */
  readonly times?: number;
  /** Share of matching requests that are hit, 0 to 1. Default 1. */
  readonly probability?: number;
}

/** A rule in force. */
export interface FaultHandle {
  /** Requests hit so far. */
  readonly hits: number;
  remove(): void;
}

/** Makes requests fail on purpose; give `interceptor` to a transport. */
export interface Faults {
  readonly interceptor: Interceptor;
  /** Rules are tried in the order they were added; the first that matches decides. */
  add(rule: FaultRule): FaultHandle;
  clear(): void;
}

/** @param random source of chance in [0, 1), to make runs repeatable */
export function createFaults(random: () => number = Math.random): Faults {
  let rules: ActiveRule[] = [];

  function pick(request: KubeRequest): Fault | undefined {
    const hit = rules.find((rule) => rule.matches(request));
    if (!hit) return undefined;
    hit.hits += 1;
    return hit.fault;
  }

  return {
    interceptor: (next) => (request) => {
      const fault = pick(request);
      return fault ? inflict(fault, request, next) : next(request);
    },
    add: (rule) => {
      const active: ActiveRule = {
        fault: rule.fault,
        hits: 0,
        matches: (request) =>
          active.hits < (rule.times ?? Number.POSITIVE_INFINITY) &&
          (rule.when?.(request) ?? true) &&
          (rule.probability === undefined || random() < rule.probability),
      };
      rules.push(active);
      return {
        get hits() {
          return active.hits;
        },
        remove: () => {
          rules = rules.filter((other) => other !== active);
        },
      };
    },
    clear: () => {
      rules = [];
    },
  };
}

interface ActiveRule {
  readonly fault: Fault;
  readonly matches: (request: KubeRequest) => boolean;
  hits: number;
}

async function inflict(fault: Fault, request: KubeRequest, next: Send): Promise<KubeResponse> {
  switch (fault.type) {
    case 'drop':
      throw broken(request);
    case 'loseAnswer': {
      const response = await next(request);
      abandon(response.body);
      throw broken(request);
    }
    case 'delay':
      await pause(systemClock, fault.ms, request.signal);
      if (request.signal?.aborted) throw new KubeError('KUBE_ABORTED', 'Cancelled while delayed (injected fault).');
      return next(request);
    case 'truncate': {
      const response = await next(request);
      return { ...response, body: cutShort(response.body, fault.afterBytes, request) };
    }
    case 'status':
      return refusal(fault);
  }
}

/** Destroyed before its end, a body reports an error; nobody is left to hear it. */
function abandon(body: Readable): void {
  body.on('error', () => {}).destroy();
}

function broken(request: KubeRequest): KubeError {
  return new KubeError('KUBE_UNREACHABLE', 'The connection broke (injected fault).', {
    object: request.about.object,
    reason: 'ECONNRESET',
  });
}

function cutShort(body: Readable, afterBytes: number, request: KubeRequest): Readable {
  async function* upToCut() {
    let left = afterBytes;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (left > 0) yield chunk.subarray(0, left);
      left -= chunk.length;
      if (left <= 0) throw broken(request);
    }
  }
  const cut = Readable.from(upToCut(), { objectMode: false });
  // A reader that leaves before the first byte never started the generator.
  return cut.on('close', () => abandon(body));
}

const reasons = {
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
} as const;

function refusal(fault: Extract<Fault, { type: 'status' }>): KubeResponse {
  const reason = reasons[fault.status];
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason,
    code: fault.status,
    message: 'injected fault',
  };
  const body = new PassThrough();
  body.end(JSON.stringify(status));
  const retryAfter = fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
  return { status: fault.status, headers: { 'content-type': 'application/json', ...retryAfter }, body };
}
