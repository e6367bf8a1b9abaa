import { runChecks } from '@klutch/kube';
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
    const isAlive = (await runChecks(livez, limitMs)).every(({ failure }) => failure === undefined);
    return await reply.code(isAlive ? 200 : 503).send({ status: isAlive ? 'ok' : 'failed' });
  });
}
