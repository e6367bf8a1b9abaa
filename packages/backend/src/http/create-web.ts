import { KlutchError, type KlutchErrorCode } from '@klutch/api';
import type { HealthCheck } from '@klutch/kube';
import cookie from '@fastify/cookie';
import {
  fastify,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { messagePage } from '../pages/message-page.ts';
import { checkWebOptions } from './check-options.ts';
import { createContext, type WebContext } from './context.ts';
import { defaultTiming, type WebDeps, type WebTiming } from './deps.ts';
import { type Failure, failureOf } from './failure.ts';
import { createRateLimits } from './rate-limits.ts';
import { wantedForm } from './requests.ts';
import { bindRoutes } from './routes/bind.ts';
import { catalogueRoutes } from './routes/catalogue.ts';
import { credentialRoutes } from './routes/credentials.ts';
import { devicePages } from './routes/device-pages.ts';
import { deviceRoutes } from './routes/device.ts';
import { enrolmentRoutes } from './routes/enrolment.ts';
import { healthRoutes } from './routes/health.ts';
import { loginRoutes } from './routes/login.ts';
import { machineRoutes } from './routes/machine.ts';
import { providerRoutes } from './routes/provider.ts';
import { securityHeaders } from './security-headers.ts';
import { type KeyPair, readKeyPair } from './tls.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether browsers or programs ask here. */
    readonly answers?: 'pages' | 'json';
    /** Asked by machinery that watches over the backend. */
    readonly isProbe?: boolean;
  }
}

export interface Web {
  readonly app: FastifyInstance;
  /** What has to hold for people and machines to bind. */
  readonly readyz: readonly HealthCheck[];
  /** What it serves https with. */
  readonly keyPair?: KeyPair;
}

/**
 * The web server of the backend with all its routes, ready to listen. Throws `KLUTCH_USAGE` for options with which it could not
 * be run safely.
 */
export async function createWeb(deps: WebDeps): Promise<Web> {
  checkWebOptions(deps.options);
  const timing = { ...defaultTiming, ...deps.timing };
  const keyPair = deps.tls && (await readKeyPair(deps.tls));
  const app = fastify(serverOptions(deps, timing, keyPair));
  const context = createContext(deps, await createRateLimits(app, deps.options.limits, deps.log));
  await app.register(cookie);
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  addHooks(app, context, timing.answer);
  answerFailures(app, context);
  for (const routes of [
    providerRoutes,
    loginRoutes,
    catalogueRoutes,
    bindRoutes,
    machineRoutes,
    deviceRoutes,
    devicePages,
    credentialRoutes,
    enrolmentRoutes,
    healthRoutes,
  ]) {
    routes(app, context);
  }
  await app.ready();
  const readyz = [
    { name: 'catalogue', check: () => context.requireCatalogue() },
    { name: 'issuer', check: () => context.issuer.check() },
  ];
  return { app, readyz, ...(keyPair && { keyPair }) };
}

function serverOptions({ options }: WebDeps, timing: WebTiming, keys: KeyPair | undefined): FastifyServerOptions {
  const node = {
    headersTimeout: timing.headers,
    requestTimeout: timing.request,
    connectionsCheckingInterval: timing.inspection,
  };
  return {
    logger: false,
    bodyLimit: 64 * 1024,
    requestTimeout: timing.request,
    exposeHeadRoutes: false,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    routerOptions: { maxParamLength: 200 },
    ...(keys === undefined ? { http: node } : { https: { ...node, ...keys, minVersion: 'TLSv1.2' } }),
  };
}

function addHooks(app: FastifyInstance, { options, limits, log, metrics }: WebContext, answerMs: number): void {
  const headers = securityHeaders(options.baseUrl);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    if (request.routeOptions.config?.isProbe !== true) await limits.countAddress(request);
  });
  app.addHook('preHandler', async (_, reply) => {
    const limit = setTimeout(() => {
      if (reply.sent) return;
      const message = 'The backend did not finish in time. Try again in a moment.';
      void reply.send(new KlutchError('KLUTCH_BACKEND_UNAVAILABLE', message));
    }, answerMs);
    reply.raw.once('close', () => clearTimeout(limit));
  });
  app.addHook('onResponse', async (request, reply) => {
    // The route and not the URL: that may hold codes, and whatever else somebody puts into it.
    const { url: route = 'unknown', config } = request.routeOptions;
    const { method } = request;
    metrics.requested(route, knownMethod(method), reply.statusCode, reply.elapsedTime / 1000);
    const line = { method: knownMethod(method), route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    if (config?.isProbe) log.debug(line, 'request');
    else log.info(line, 'request');
  });
}

function answerFailures(app: FastifyInstance, context: WebContext): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const failure = failureOf(error);
    const route = request.routeOptions.url ?? 'unknown';
    if (failure.code === 'KLUTCH_INTERNAL') context.log.error({ err: error, route }, 'request failed');
    else
      context.log[failure.isOurs ? 'error' : 'info'](
        { code: failure.code, reason: reasonOf(error), route },
        'request refused',
      );
    return await sendFailure(context, request, reply, failure);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const allowed = ['GET', 'POST'].filter((method) => app.hasRoute({ method, url: pathOf(request) }));
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    return await sendFailure(context, request, reply, failureOf({ statusCode: allowed.length > 0 ? 405 : 404 }));
  });
}

async function sendFailure({ options }: WebContext, request: FastifyRequest, reply: FastifyReply, failure: Failure) {
  const { code, message, status, retryAfterSeconds } = failure;
  reply.code(status);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  const isForPrograms = request.routeOptions.config?.answers === 'json';
  if (status === 401 && isForPrograms) reply.header('www-authenticate', 'Bearer');
  const form = isForPrograms ? 'json' : wantedForm(request);
  if (form === 'json') return await reply.send({ code, message });
  if (form === 'text') return await reply.type('text/plain; charset=utf-8').send(`${message}\n`);
  const title = titlesByCode[code] ?? titles[status] ?? (status < 500 ? 'This does not work' : 'Something went wrong');
  const page = messagePage({ provider: options.prettyName, title, text: message, code });
  return await reply.type('text/html; charset=utf-8').send(page);
}

const titlesByCode: Readonly<Partial<Record<KlutchErrorCode, string>>> = {
  KLUTCH_LOGIN_DENIED: 'The login was refused',
  KLUTCH_LOGIN_STATE_INVALID: 'This login cannot be finished',
  KLUTCH_LOGIN_REDIRECT_REFUSED: 'This login leads elsewhere',
  KLUTCH_FORM_FORGED: 'This form came from elsewhere',
  KLUTCH_SESSION_EXPIRED: 'This login is over',
  KLUTCH_ACCESS_REVOKED: 'Access was revoked',
  KLUTCH_QUOTA_EXCEEDED: 'There are too many app clusters',
};

const titles: Readonly<Record<number, string>> = {
  400: 'This request cannot be answered',
  401: 'Please log in again',
  403: 'You may not do this',
  404: 'Not found',
  409: 'This app cluster belongs to somebody else',
  429: 'Too many requests',
  503: 'Not available at the moment',
};

/** Errors of the control plane are told with their cause to the operator; others have said all in their code. */
function reasonOf(error: unknown): string | undefined {
  return error instanceof Error && error.name === 'KubeError' ? error.message : undefined;
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

/** Methods are texts of clients; metrics need a limited number of them. */
function knownMethod(method: string): string {
  return ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) ? method : 'other';
}
