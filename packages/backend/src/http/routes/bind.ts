import { encodeBindingResponse, KlutchError, isKlutchError } from '@klutch/api';
import { maxApis, redeemCode, redeemForBundle, redeemForEviction, type RequestOf } from '@klutch/api/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { issueToken } from '../../enrolment/issue-token.ts';
import { challengeOf, isSameText } from '../../login/login-proof.ts';
import { type Caller, callerId } from '../../policy/caller.ts';
import type { RequestedApi } from '../../policy/entitled-offers.ts';
import type { Tenant } from '../../policy/tenant.ts';
import type { PresentedCluster } from '../../tenants/app-cluster.ts';
import { checkedApi, parseApiName } from '../api-names.ts';
import { type CheckedBind, checkBind, evictAll, grantBind, type Purpose, purposeOf } from '../bind-apis.ts';
import type { WebContext } from '../context.ts';
import { counted } from '../counted.ts';
import { formOf } from '../forgery.ts';
import { queryOf } from '../requests.ts';
import { route } from '../route.ts';
import { type BindSession, requireBindSession, useSession } from '../session.ts';
import { presented, renderCatalogue } from './catalogue.ts';

/** Seconds in which a command has to redeem a code. */
const codeSeconds = 120;

/** What a code stands for. The credential is made when it is redeemed, so it is in no URL, not even sealed. */
interface Code {
  readonly caller: Caller;
  readonly tenant: Tenant;
  readonly cluster: PresentedCluster;
  readonly apis: readonly RequestedApi[];
  readonly sid: string;
  readonly challenge: string;
  /** Seconds for which an enrolment token is to be good; absent when the code is for a credential. */
  readonly enrolmentSeconds?: number;
  /** Cluster namespace of the app cluster whose credentials are all to end. */
  readonly evict?: string;
}

/** The form of the catalogue page, the links of older pages, and the codes that the form leads to. */
export function bindRoutes(app: FastifyInstance, context: WebContext): void {
  app.get('/bind', { config: { answers: 'pages' } }, async (request, reply) => {
    const query = queryOf(request);
    const api = checkedApi({ group: query.get('group') ?? '', resource: query.get('resource') ?? '' }, 'resource');
    const name = api.group === '' ? api.resource : `${api.resource}.${api.group}`;
    return await reply.redirect(`resources?api=${encodeURIComponent(name)}`, 303);
  });

  app.post(
    '/bind',
    { config: { answers: 'pages' } },
    async (request, reply) =>
      await counted(
        (result) => context.metrics.bound('browser', result),
        () => bindFromForm(context, request, reply),
      ),
  );

  const report = (result: string) => context.metrics.bound('code', result);
  const grant = (checked: CheckedBind, { sid }: Code) => grantBind(context, checked, sid);
  const issue = (checked: CheckedBind, { sid, enrolmentSeconds }: Code) =>
    issueToken(context, checked, { session: sid, enrolmentSeconds });
  route(app, context, redeemCode, ({ body }) => redeem(context, body, 'credential', grant), { report });
  route(app, context, redeemForBundle, ({ body }) => redeem(context, body, 'bundle', issue), { report });
  const evict = (checked: CheckedBind, { sid }: Code) => evictAll(context, checked, sid);
  route(app, context, redeemForEviction, ({ body }) => redeem(context, body, 'eviction', evict), { report });
}

async function bindFromForm(context: WebContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const session = await requireBindSession(context, request);
  const form = formOf(context, request, session);
  const { caller, tenants, login } = session.content;
  await context.limits.countSubject(request, callerId(caller));

  const chosen = form.getAll('api');
  if (chosen.length > maxApis) throw new KlutchError('KLUTCH_REQUEST_INVALID', 'The form names too many APIs.');
  const tenant = form.get('tenant') ?? undefined;
  const { evict } = login;
  if (chosen.length === 0 && evict === undefined) return await askAgain('Choose at least one API.');
  const apis = chosen.map((name) => parseApiName(name, 'api'));
  const checked = await checkBind(context, { caller, tenants, cluster: presented(login), apis, tenant, evict }).catch(
    (error: unknown) => {
      if (tenant === undefined && isKlutchError(error, 'KLUTCH_TENANT_UNDECIDED')) return undefined;
      throw error;
    },
  );
  if (checked === undefined) return await askAgain('Choose the tenant the app cluster belongs to.');

  await useSession(context, session);
  const target = new URL(login.redirect);
  for (const [name, value] of await answerFor(context, session, checked)) target.searchParams.set(name, value);
  context.cookies.clearSession(reply);
  return await reply.redirect(target.href, 303);

  async function askAgain(problem: string): Promise<FastifyReply> {
    const page = await renderCatalogue(context, session, { chosen, tenant, problem });
    return await reply.code(400).type('text/html; charset=utf-8').send(page);
  }
}

/** A code for commands that can redeem one; the credential itself for those of Go, which cannot. */
async function answerFor(
  context: WebContext,
  { content: { login } }: BindSession,
  checked: CheckedBind,
): Promise<[string, string][]> {
  const { ask, tenant } = checked;
  if (login.challenge === undefined) {
    return [['response', encodeBindingResponse(await grantBind(context, checked, login.sid))]];
  }
  const { caller, cluster, apis } = ask;
  const { sid, challenge, enrolmentSeconds, evict } = login;
  const code: Code = { caller, tenant, cluster, apis, sid, challenge, enrolmentSeconds, evict };
  return [
    ['code', await context.sealer.seal<Code>('code', code, codeSeconds)],
    ['sid', login.sid],
  ];
}

/** Redeems a code for what it was made for. Throws `KLUTCH_LOGIN_STATE_INVALID`. */
async function redeem<T>(
  context: WebContext,
  { code, verifier }: RequestOf<typeof redeemCode>,
  purpose: Purpose,
  yields: (checked: CheckedBind, code: Code) => Promise<T>,
): Promise<T> {
  const ticket = await context.sealer.open<Code>('code', code);
  // A wrong verifier must not use the code up, or whoever sees it in the browser could spoil the login.
  if (ticket === undefined || !isSameText(challengeOf(verifier), ticket.content.challenge)) throw codeInvalid();
  const { caller, tenant, cluster, apis, evict } = ticket.content;
  if (purpose !== purposeOf(ticket.content)) throw codeInvalid();
  const checked = await checkBind(context, { caller, tenants: [tenant], cluster, apis, evict });
  const response = await yields(checked, ticket.content);
  // Last, so that the command can try again when the control plane did not answer; only it knows the verifier.
  if (!(await context.usedTickets.use(ticket.id, ticket.expiresAt))) throw codeInvalid();
  return response;
}

function codeInvalid(): KlutchError {
  return new KlutchError(
    'KLUTCH_LOGIN_STATE_INVALID',
    'This code cannot be redeemed: it is older than two minutes, was redeemed, or belongs to another command. Start the login again.',
  );
}
