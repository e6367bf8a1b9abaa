import { KlutchError } from '@klutch/api';
import {
  beginDeviceLogin,
  type BindRequest,
  finishDeviceLogin,
  finishDeviceLoginForBundle,
  type RequestOf,
} from '@klutch/api/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { issueToken } from '../../enrolment/issue-token.ts';
import { callerId } from '../../policy/caller.ts';
import { askIn, type CheckedBind, checkBind, grantBind } from '../bind-apis.ts';
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

  const report = (result: string) => context.metrics.bound('device', result);
  route(
    app,
    context,
    finishDeviceLogin,
    ({ body, request }) =>
      finish(body, request, 'credential', (checked, ask) => grantBind(context, checked, ask.session)),
    { report },
  );
  route(
    app,
    context,
    finishDeviceLoginForBundle,
    ({ body, request }) => finish(body, request, 'bundle', (checked, ask) => issueToken(context, checked, ask)),
    { report },
  );

  async function finish<T>(
    { device_code: sealed }: RequestOf<typeof finishDeviceLogin>,
    request: FastifyRequest,
    purpose: 'credential' | 'bundle',
    yields: (checked: CheckedBind, ask: BindRequest) => Promise<T>,
  ) {
    const ticket = await context.sealer.open<Waiting>('device', sealed);
    if (ticket === undefined || purpose !== purposeOf(ticket.content)) {
      throw new KlutchError('KLUTCH_SESSION_EXPIRED', 'Nobody typed the code in time. Start the login again.');
    }
    const { deviceCode, ask } = ticket.content;
    const outcome = await context.issuer.pollDeviceLogin(deviceCode);
    if ('error' in outcome) return outcome;
    const { caller, tenants } = entitledPerson(context, outcome.claims);
    await context.limits.countSubject(request, callerId(caller));
    return await yields(await checkBind(context, { caller, tenants, ...askIn(ask) }), ask);
  }
}

/** What a login was begun for; it yields nothing else. */
function purposeOf({ ask }: Waiting): 'credential' | 'bundle' {
  return ask.enrolmentSeconds === undefined ? 'credential' : 'bundle';
}
