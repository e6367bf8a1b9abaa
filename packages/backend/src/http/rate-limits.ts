import { isIPv6 } from 'node:net';
import { KlutchError } from '@klutch/api';
import rateLimit from '@fastify/rate-limit';
import type { Logger } from '@klutch/kube';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type HiddenProxy, hiddenProxyOf } from './hidden-proxy.ts';

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

/** How many times the limit of one address all clients behind a proxy that is not trusted have together. */
const sharedFactor = 10;

/**
 * Limits of a server. Clients behind a proxy that is not trusted are told apart by the address that the proxy adds, and
 * limited together, since the proxy may make addresses up; the operator is warned once.
 */
export async function createRateLimits(
  app: FastifyInstance,
  { perAddress, perSubject }: { readonly perAddress: number; readonly perSubject: number },
  log: Logger,
): Promise<RateLimits> {
  let isWarned = false;
  await app.register(rateLimit, { global: false, cache: remembered });
  const subjects = new WeakMap<FastifyRequest, string>();
  const byAddress = app.createRateLimit({
    max: perAddress,
    timeWindow: minute,
    keyGenerator: (request) => `address ${addressOf(request)}`,
  });
  const byHiddenProxy = app.createRateLimit({
    max: perAddress * sharedFactor,
    timeWindow: minute,
    keyGenerator: ({ ip }) => `proxy ${ip}`,
  });
  const bySubject = app.createRateLimit({
    max: perSubject,
    timeWindow: minute,
    keyGenerator: (request) => `subject ${subjects.get(request)}`,
  });
  return {
    countAddress: async (request) => {
      const proxy = hiddenProxyIn(request);
      if (proxy) {
        warnOf(proxy);
        refuseIfExceeded(await byHiddenProxy(request), 'through this proxy');
        if (proxy.client === undefined) return;
      }
      refuseIfExceeded(await byAddress(request), 'from this address');
    },
    countSubject: async (request, subject) => {
      subjects.set(request, subject);
      refuseIfExceeded(await bySubject(request), 'of this account');
    },
  };

  function warnOf({ address }: HiddenProxy): void {
    if (isWarned) return;
    isWarned = true;
    log.warn(
      { proxy: address, reason: `Set --trusted-proxies=${address}, or to the network of the proxies.` },
      'requests come through a proxy that is not trusted; its clients share one limit of requests',
    );
  }
}

function hiddenProxyIn({ ip, raw, headers }: FastifyRequest): HiddenProxy | undefined {
  return hiddenProxyOf({
    peer: raw.socket.remoteAddress ?? '',
    ip,
    forwardedFor: [headers['x-forwarded-for'] ?? []].flat().at(-1),
    forwarded: headers.forwarded,
  });
}

/** Whom a request counts for; behind a proxy that is not trusted, a client of that proxy only. */
function addressOf(request: FastifyRequest): string {
  const proxy = hiddenProxyIn(request);
  return proxy?.client === undefined ? networkOf(request.ip) : `${proxy.address} ${networkOf(proxy.client)}`;
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
