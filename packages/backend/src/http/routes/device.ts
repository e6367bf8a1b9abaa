import { KlutchError } from '@klutch/api';
import { beginDeviceLogin, type BindRequest, finishDeviceLogin } from '@klutch/api/contract';
import type { FastifyInstance } from 'fastify';
import { callerId } from '../../policy/caller.ts';
import { askIn, checkBind, grantBind } from '../bind-apis.ts';
import type { WebContext } from '../context.ts';
import { route } from '../route.ts';
import { entitledPerson } from './login.ts';

/** What a command holds while somebody types the code: sealed, so that only the backend can ask the issuer with it. */
interface Waiting {
  readonly deviceCode: string;
  readonly ask: BindRequest;
}

/**
 * Logins in which a person types a code into a browser elsewhere; the backend talks to the issuer, the command to the
 * backend. Names and waiting are those of RFC 8628.
 */
export function deviceRoutes(app: FastifyInstance, context: WebContext): void {
  route(app, context, beginDeviceLogin, async ({ body: ask }) => {
    context.issuer.check();
    if (!context.issuer.offersDeviceCode) {
      throw new KlutchError(
        'KLUTCH_REQUEST_INVALID',
        'The identity provider does not offer logins with a device code. Log in with a browser.',
      );
    }
    const login = await context.issuer.beginDeviceLogin();
    const waiting: Waiting = { deviceCode: login.deviceCode, ask };
    return {
      device_code: await context.sealer.seal<Waiting>('device', waiting, login.expiresInSeconds),
      user_code: login.userCode,
      verification_uri: login.verificationUri,
      verification_uri_complete: login.verificationUriComplete,
      expires_in: login.expiresInSeconds,
      interval: login.intervalSeconds,
    };
  });

  route(
    app,
    context,
    finishDeviceLogin,
    async ({ body, request }) => {
      const ticket = await context.sealer.open<Waiting>('device', body.device_code);
      if (ticket === undefined) {
        throw new KlutchError('KLUTCH_SESSION_EXPIRED', 'Nobody typed the code in time. Start the login again.');
      }
      const { deviceCode, ask } = ticket.content;
      const outcome = await context.issuer.pollDeviceLogin(deviceCode);
      if ('error' in outcome) return outcome;
      const { caller, tenants } = entitledPerson(context, outcome.claims);
      await context.limits.countSubject(request, callerId(caller));
      return await grantBind(context, await checkBind(context, { caller, tenants, ...askIn(ask) }), ask.session);
    },
    { report: (result) => context.metrics.bound('device', result) },
  );
}
