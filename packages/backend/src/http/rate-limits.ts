import { isIPv6 } from 'node:net';
import { KlutchError } from '@klutch/api';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Limits in requests a minute, counted by each replica on its own. */
export interface RateLimits {
  /** Counts a request of an address. Throws `TooManyRequests`. */
  countAddress(request: FastifyRequest): Promise<void>;
  /** Counts a request of somebody whose identity is verified. Throws `TooManyRequests`. */
  countSubject(request: FastifyRequest, subject: string): Promise<void>;
}

/** `KLUTCH_RATE_LIMITED`, with the time to wait. */
export class TooManyRequests extends KlutchError {
  readonly retryAfterSeconds: number;

  constructor(who: string, retryAfterSeconds: number) {
    super('KLUTCH_RATE_LIMITED', `There were too many requests ${who}. Try again in ${retryAfterSeconds} seconds.`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const minute = 60_000;

/** How many addresses and subjects are kept count of; the one not seen for longest is forgotten first. */
const remembered = 20_000;

export async function createRateLimits(
  app: FastifyInstance,
  { perAddress, perSubject }: { readonly perAddress: number; readonly perSubject: number },
): Promise<RateLimits> {
  await app.register(rateLimit, { global: false, cache: remembered });
  const subjects = new WeakMap<FastifyRequest, string>();
  const byAddress = app.createRateLimit({
    max: perAddress,
    timeWindow: minute,
    keyGenerator: ({ ip }) => `address ${networkOf(ip)}`,
  });
  const bySubject = app.createRateLimit({
    max: perSubject,
    timeWindow: minute,
    keyGenerator: (request) => `subject ${subjects.get(request)}`,
  });
  return {
    countAddress: async (request) => refuseIfExceeded(await byAddress(request), 'from this address'),
    countSubject: async (request, subject) => {
      subjects.set(request, subject);
      refuseIfExceeded(await bySubject(request), 'of this account');
    },
  };
}

function refuseIfExceeded(
  count: Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>,
  who: string,
): void {
  if (!count.isAllowed && count.isExceeded) throw new TooManyRequests(who, Math.max(1, count.ttlInSeconds));
}

/** Whoever has one IPv6 address has 2^64 of them, so they count together. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: gap }, () => '0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
