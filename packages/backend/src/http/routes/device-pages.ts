import { apiName, isKlutchError, KlutchError } from '@klutch/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  confirm,
  type DeviceLoginState,
  type DeviceRequest,
  enter,
  ownState,
  refuse,
} from '../../login/device-login.ts';
import type { Ticket } from '../../login/sealer.ts';
import { parseUserCode } from '../../login/user-code.ts';
import { codePage, consentPage, waitingPage } from '../../pages/device-pages.ts';
import { messagePage } from '../../pages/message-page.ts';
import { callerId } from '../../policy/caller.ts';
import { chooseTenant } from '../../policy/choose-tenant.ts';
import { entitledOffers } from '../../policy/entitled-offers.ts';
import type { Tenant } from '../../policy/tenant.ts';
import type { Offer } from '../../templates/catalogue.ts';
import { checkBind } from '../bind-apis.ts';
import type { Session, WebContext } from '../context.ts';
import { advanceDeviceLogin, findDeviceLogin } from '../device-logins.ts';
import { formOf, formToken } from '../forgery.ts';
import { queryOf } from '../requests.ts';
import { findSession, requireSession } from '../session.ts';
import { beginLogin } from './login.ts';

type Presented = Extract<DeviceLoginState, { readonly step: 'presented' }>;

/**
 * The pages of a login with a device code: the user logs in, types the code that the command shows, sees what that command asks
 * for, and says yes or no. Nothing is written before somebody is logged in.
 */
export function devicePages(app: FastifyInstance, context: WebContext): void {
  const config = { answers: 'pages' as const };
  app.get('/device', { config }, async (request, reply) => await showDevice(context, request, reply));
  app.post('/device/enter', { config }, async (request, reply) => await enterCode(context, request, reply));
  app.post('/device/confirm', { config }, async (request, reply) => await decide(context, request, reply));
}

async function showDevice(context: WebContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const typed = queryOf(request).get('user_code') ?? '';
  const userCode = parseUserCode(typed);
  const session = await findSession(context, request);
  if (session === undefined) return await beginLogin(context, request, reply, { device: userCode ?? '' });
  const state = userCode === undefined ? undefined : await findDeviceLogin(context, userCode);
  if (userCode === undefined || state === undefined) return await askForCode(context, session, reply, typed);
  ownState(state, callerId(session.content.caller));
  return await show(reply, await pageFor(context, session, userCode, state));
}

async function enterCode(context: WebContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const session = await requireSession(context, request);
  const form = formOf(context, request, session);
  const by = callerId(session.content.caller);
  await context.limits.countSubject(request, by);
  const typed = form.get('user_code') ?? '';
  const userCode = parseUserCode(typed);
  if (userCode === undefined) {
    return await askForCode(context, session, reply.code(400), typed, 'This is not a code. Codes look like WDJB-MJHT.');
  }
  await advanceDeviceLogin(context, userCode, (state) => enter(state, by));
  return await reply.redirect(`../device?user_code=${userCode}`, 303);
}

async function decide(context: WebContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const session = await requireSession(context, request);
  const form = formOf(context, request, session);
  const { caller, tenants } = session.content;
  const by = callerId(caller);
  await context.limits.countSubject(request, by);
  const userCode = parseUserCode(form.get('user_code') ?? '') ?? '';
  const state = await findDeviceLogin(context, userCode);
  if (state?.step !== 'presented') {
    throw new KlutchError(
      'KLUTCH_SESSION_EXPIRED',
      'This login is over or was decided already. Run the command again.',
    );
  }
  const presented = ownState(state, by);
  const back = () => reply.redirect(`../device?user_code=${userCode}`, 303);
  if (form.get('answer') !== 'connect') {
    await refuseLogin(context, userCode, presented, refusedByUser);
    return await back();
  }
  const { cluster, apis, evict } = presented.request;
  const asked = presented.request.tenant ?? form.get('tenant') ?? undefined;
  const checked = await checkBind(context, { caller, tenants, cluster, apis, tenant: asked, evict }).catch(
    (error: unknown) => {
      if (asked === undefined && isKlutchError(error, 'KLUTCH_TENANT_UNDECIDED')) return undefined;
      throw error;
    },
  );
  if (checked === undefined) {
    const problem = 'Choose the tenant the app cluster belongs to.';
    return await show(reply.code(400), await consentFor(context, session, userCode, presented, problem));
  }
  await advanceDeviceLogin(context, userCode, (known) =>
    confirm(ownState(known ?? presented, by), caller, checked.tenant),
  );
  return await back();
}

const refusedByUser = new KlutchError(
  'KLUTCH_LOGIN_DENIED',
  'The login was refused in the browser. Run the command again if that was a mistake.',
);

async function pageFor(
  context: WebContext,
  session: Ticket<Session>,
  userCode: string,
  state: DeviceLoginState,
): Promise<string> {
  const { prettyName: provider } = context.options;
  switch (state.step) {
    case 'entered':
      return waitingPage({ provider, userCode });
    case 'presented':
      return await consentFor(context, session, userCode, state);
    case 'confirmed': {
      const { cluster, evict } = state.request;
      const what =
        evict === undefined
          ? `App cluster ${cluster.id} is being connected for tenant ${state.tenant.name}.`
          : `All credentials of app cluster ${evict} of tenant ${state.tenant.name} are being ended.`;
      const text = `${what} You can close this page; the command goes on by itself.`;
      return messagePage({ provider, title: 'You are logged in', text });
    }
    case 'refused':
      return messagePage({ provider, title: 'Nothing was connected', text: state.message, code: state.code });
  }
}

/** The page on which the user decides. What cannot be granted is told to the command, too, which would wait in vain. */
async function consentFor(
  context: WebContext,
  session: Ticket<Session>,
  userCode: string,
  presented: Presented,
  problem?: string,
): Promise<string> {
  const { caller } = session.content;
  const { request } = presented;
  try {
    context.requireCatalogue();
    const tenants = await tenantsFor(context, session.content, request);
    return consentPage({
      provider: context.options.prettyName,
      user: caller.displayName,
      userCode,
      token: formToken(context.sealer.derive('form', session), session.id),
      clusterId: request.cluster.id,
      evict: request.evict,
      from: request.from,
      at: request.at,
      enrolmentSeconds: request.enrolmentSeconds,
      tenants: tenants.map(({ name }) => name),
      offers: request.evict === undefined ? offersFor(context, request, tenants) : [],
      problem,
    });
  } catch (error) {
    if (isKlutchError(error) && !isKlutchError(error, 'KLUTCH_BACKEND_UNAVAILABLE')) {
      await refuseLogin(context, userCode, presented, error);
    }
    throw error;
  }
}

/** Those the app cluster may belong to. One that is registered, or for which the command named a tenant, leaves no choice. */
async function tenantsFor(
  context: WebContext,
  { caller, tenants }: Session,
  { cluster, tenant: asked, evict }: DeviceRequest,
): Promise<readonly Tenant[]> {
  if (evict !== undefined) return [await context.tenants.ownerOfNamespace(evict, tenants)];
  const owner = await context.tenants.ownerOf(cluster, tenants, caller);
  return asked === undefined && owner === undefined ? tenants : [chooseTenant({ tenants, asked, owner })];
}

/** What is asked for, as it is offered to any of these tenants. Throws when one API is offered to none. */
function offersFor({ catalogue }: WebContext, { apis }: DeviceRequest, tenants: readonly Tenant[]): readonly Offer[] {
  return apis.flatMap((api) => {
    const entitled = tenants.find((tenant) => typeof catalogue.find(api, tenant) !== 'string') ?? tenants[0];
    return entitled === undefined ? [] : entitledOffers(catalogue, [api], entitled);
  });
}

async function refuseLogin(context: WebContext, userCode: string, { by, request }: Presented, why: KlutchError) {
  const action = request.evict === undefined ? 'Bind' : 'Evict';
  await advanceDeviceLogin(context, userCode, (state) => (state?.step === 'presented' ? refuse(state, why) : state));
  context.audit.record({ action, who: by, what: request.apis.map(apiName), result: why.code });
}

async function askForCode(
  context: WebContext,
  session: Ticket<Session>,
  reply: FastifyReply,
  typed: string,
  problem?: string,
): Promise<FastifyReply> {
  const token = formToken(context.sealer.derive('form', session), session.id);
  const { prettyName: provider } = context.options;
  const userCode = parseUserCode(typed) ?? '';
  return await show(reply, codePage({ provider, user: session.content.caller.displayName, token, userCode, problem }));
}

async function show(reply: FastifyReply, page: string): Promise<FastifyReply> {
  return await reply.type('text/html; charset=utf-8').send(page);
}
