import type { HealthCheck } from '@klutch/kube';
import type { FastifyInstance } from 'fastify';
import type { WebContext } from '../context.ts';

/** Milliseconds a check may take; load balancers wait a second or more. */
const limitMs = 800;

/**
 * `/healthz` for load balancers and for commands that wait until the backend answers. It is not limited in rate and tells
 * nothing but whether the process works; details and metrics are on the operations address.
 */
export function healthRoutes(app: FastifyInstance, { livez = [] }: WebContext): void {
  app.get('/healthz', { config: { answers: 'json', isProbe: true } }, async (_, reply) => {
    const isAlive = (await Promise.all(livez.map(isPassed))).every(Boolean);
    return await reply.code(isAlive ? 200 : 503).send({ status: isAlive ? 'ok' : 'failed' });
  });
}

async function isPassed({ check }: HealthCheck): Promise<boolean> {
  const signal = AbortSignal.timeout(limitMs);
  try {
    await Promise.race([check(signal), rejected(signal)]);
    return true;
  } catch {
    // Which check fails, and why, is told at the operations address.
    return false;
  }
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${limitMs} ms`)), { once: true });
  });
}
