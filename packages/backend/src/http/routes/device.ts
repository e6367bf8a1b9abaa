import { KlutchError } from '@klutch/api';
import {
  beginDeviceLogin,
  type BindRequest,
  finishDeviceLogin,
  finishDeviceLoginForBundle,
  finishDeviceLoginForEviction,
  type RequestOf,
} from '@klutch/api/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { issueToken } from '../../enrolment/issue-token.ts';
import { type DeviceRequest, outcomeFor } from '../../login/device-login.ts';
import type { Ticket } from '../../login/sealer.ts';
import { newUserCode } from '../../login/user-code.ts';
import { callerId } from '../../policy/caller.ts';
import { askIn, type CheckedBind, checkBind, evictAll, grantBind, type Purpose, purposeOf } from '../bind-apis.ts';
import type { WebContext } from '../context.ts';
import { advanceDeviceLogin, deviceLoginSeconds } from '../device-logins.ts';
import { route } from '../route.ts';

/** What a command holds while somebody logs in elsewhere: sealed, so that nothing is stored for those who only ask. */
interface DeviceTicket {
  readonly userCode: string;
  readonly ask: BindRequest;
  readonly from: string;
  readonly at: string;
}

/** Seconds between two questions for the outcome. */
const intervalSeconds = 2;

/**
 * Logins that go on in a browser elsewhere, for commands; names and waiting are those of RFC 8628, see decision 20. The browser
 * logs in at the backend as always, and its user confirms on a page what the command asks for.
 */
export function deviceRoutes(app: FastifyInstance, context: WebContext): void {
  route(app, context, beginDeviceLogin, async ({ body: ask, request }) => {
    context.issuer.check();
    const userCode = newUserCode();
    const content = { userCode, ask, from: request.ip, at: context.clock.date().toISOString() };
    const page = `${context.options.baseUrl}/device`;
    return {
      device_code: await context.sealer.seal<DeviceTicket>('device', content, deviceLoginSeconds),
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: deviceLoginSeconds,
      interval: intervalSeconds,
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

  route(
    app,
    context,
    finishDeviceLoginForEviction,
    ({ body, request }) => finish(body, request, 'eviction', (checked, ask) => evictAll(context, checked, ask.session)),
    { report },
  );

  async function finish<T>(
    { device_code: sealed }: RequestOf<typeof finishDeviceLogin>,
    request: FastifyRequest,
    purpose: Purpose,
    yields: (checked: CheckedBind, ask: BindRequest) => Promise<T>,
  ) {
    const ticket = await context.sealer.open<DeviceTicket>('device', sealed);
    if (ticket === undefined || purpose !== purposeOf(ticket.content.ask)) {
      throw expired('Nobody confirmed the login in time.');
    }
    const { userCode, ask } = ticket.content;
    const presented = requestIn(ticket);
    // The one write on behalf of a caller who is not known follows one of somebody who is: they typed this code.
    const state = await advanceDeviceLogin(context, userCode, (known) => {
      const outcome = outcomeFor(known, presented);
      return outcome.kind === 'present' ? outcome.next : known;
    });
    const outcome = outcomeFor(state, presented);
    if (outcome.kind !== 'grant') return { error: 'authorization_pending' as const };
    const { caller, tenant } = outcome;
    await context.limits.countSubject(request, callerId(caller));
    const { evict } = ask;
    const checked = await checkBind(context, { ...askIn(ask), caller, tenants: [tenant], tenant: tenant.name, evict });
    const response = await yields(checked, ask);
    // Last, so that the command can try again when the control plane did not answer.
    if (!(await context.usedTickets.use(ticket.id, ticket.expiresAt))) throw expired('This login is over.');
    return response;
  }
}

function requestIn({ id, content: { ask, from, at } }: Ticket<DeviceTicket>): DeviceRequest {
  const { enrolmentSeconds, evict } = ask;
  return {
    ticket: id,
    ...askIn(ask),
    from,
    at,
    ...(enrolmentSeconds !== undefined && { enrolmentSeconds }),
    ...(evict !== undefined && { evict }),
  };
}

function expired(problem: string): KlutchError {
  return new KlutchError('KLUTCH_SESSION_EXPIRED', `${problem} Start the login again.`);
}
