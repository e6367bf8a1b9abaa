import type { HealthCheck } from '@klutch/kube';
import type { FastifyInstance } from 'fastify';
import type { WebContext } from '../context.ts';

/** Milliseconds a check may take; a kubelet waits a second. */
const limitMs = 800;

/** Probes and metrics. They are not limited in rate, since those who ask are few and must get an answer. */
export function healthRoutes(app: FastifyInstance, context: WebContext): void {
  const { checks = {}, issuer, registry, log } = context;
  const readyz: readonly HealthCheck[] = [
    { name: 'catalogue', check: () => context.requireCatalogue() },
    { name: 'issuer', check: () => issuer.check() },
    ...(checks.readyz ?? []),
  ];
  const config = { answers: 'json' as const, isProbe: true };

  app.get('/healthz', { config }, async (_, reply) => {
    const failed = await failing(checks.livez);
    return await reply
      .code(failed.length > 0 ? 503 : 200)
      .send(failed.length > 0 ? { status: 'failed', failed } : { status: 'ok' });
  });
  for (const [path, some] of [
    ['/livez', checks.livez],
    ['/readyz', readyz],
  ] as const) {
    app.get(path, { config }, async (_, reply) => {
      const failed = await failing(some);
      return await reply
        .code(failed.length > 0 ? 503 : 200)
        .type('text/plain; charset=utf-8')
        .send(failed.length > 0 ? failed.map(({ name, reason }) => `${name}: ${reason}\n`).join('') : 'ok\n');
    });
  }
  app.get(
    '/metrics',
    { config },
    async (_, reply) => await reply.type(registry.contentType).send(await registry.metrics()),
  );

  async function failing(some: readonly HealthCheck[] = []): Promise<{ name: string; reason: string }[]> {
    const results = await Promise.all(some.map(failureIn));
    return results.filter((result) => result !== undefined);
  }

  async function failureIn({ name, check }: HealthCheck): Promise<{ name: string; reason: string } | undefined> {
    const signal = AbortSignal.timeout(limitMs);
    try {
      await Promise.race([check(signal), rejected(signal)]);
      return undefined;
    } catch (error) {
      log.debug({ check: name }, 'health check fails');
      return { name, reason: error instanceof Error ? error.message : 'failed' };
    }
  }
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${limitMs} ms`)), { once: true });
  });
}
