import { randomBytes } from 'node:crypto';
import { KlutchError } from '@klutch/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { browserMark, challengeOf, isSameText, loginProof, newBrowserSecret } from '../../login/login-proof.ts';
import type { Ticket } from '../../login/sealer.ts';
import { callerId } from '../../policy/caller.ts';
import { requireTenant } from '../../policy/choose-tenant.ts';
import { requireMayBind } from '../../policy/may-bind.ts';
import { personOf, type VerifiedClaims } from '../../policy/person.ts';
import { tenantsOf } from '../../policy/tenants-of.ts';
import type { LoginState, Session, WebContext } from '../context.ts';
import { maxCookieBytes, sessionSeconds } from '../cookies.ts';
import { counted } from '../counted.ts';
import { failureOf } from '../failure.ts';
import { parseLoginRequest } from '../login-request.ts';
import { queryOf } from '../requests.ts';

/** Seconds in which somebody has to log in at the identity provider. */
const stateSeconds = 600;

/** `/authorize` sends a browser to the identity provider, `/callback` takes it back and opens a session. */
export function loginRoutes(app: FastifyInstance, context: WebContext): void {
  app.get(
    '/authorize',
    { config: { answers: 'pages' } },
    async (request, reply) => await beginLogin(context, request, reply, { login: parseLoginRequest(queryOf(request)) }),
  );

  app.get('/callback', { config: { answers: 'pages' } }, async (request, reply) => {
    const { session, next } = await counted(
      (result) => context.metrics.loggedIn('browser', result),
      () => finishLogin(context, request),
    );
    const sealed = await context.sealer.seal<Session>('session', session, sessionSeconds);
    // Names of cookies and their attributes take up less than this.
    if (sealed.length > maxCookieBytes - 200) throw tooManyTenants(session);
    context.cookies.setSession(reply, sealed);
    // Relative, so that it holds below whatever path a proxy puts the backend.
    return await reply.redirect(next, 302);
  });
}

/** Sends the browser to the identity provider; without a purpose, to look at the catalogue only. */
export async function beginLogin(
  context: WebContext,
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: Pick<LoginState, 'login' | 'device'> = {},
): Promise<FastifyReply> {
  const secret = context.cookies.browserSecret(request) ?? newBrowserSecret();
  const attempt = randomBytes(16).toString('base64url');
  const { nonce, verifier } = loginProof(context.sealer.derive('login-proof'), attempt, secret);
  const content: LoginState = { attempt, browser: browserMark(secret), ...purpose };
  // Nothing is awaited since the proof was derived, so the same key seals.
  const state = await context.sealer.seal<LoginState>('state', content, stateSeconds);
  const url = context.issuer.authorizationUrl({ state, nonce, challenge: challengeOf(verifier) });
  context.cookies.setBrowserSecret(reply, secret);
  return await reply.redirect(url.href, 302);
}

/** Opens a session, and says where the browser goes on. */
async function finishLogin(
  context: WebContext,
  request: FastifyRequest,
): Promise<{ readonly session: Session; readonly next: string }> {
  const query = queryOf(request);
  refuseDenied(query);
  const secret = context.cookies.browserSecret(request);
  const state = query.get('state') ?? '';
  const ticket = await context.sealer.open<LoginState>('state', state);
  if (ticket === undefined || secret === undefined || !isSameText(ticket.content.browser, browserMark(secret))) {
    throw stateInvalid('it was altered, took longer than ten minutes, or began in another browser');
  }
  if (!query.has('code')) throw stateInvalid('the identity provider sent no code');
  const proof = loginProof(context.sealer.derive('login-proof', ticket), ticket.content.attempt, secret);
  const claims = await context.issuer.exchange(query, { state, ...proof });
  const person = entitledPerson(context, claims);
  // Last: only somebody whom the issuer vouches for may cause a write. Until then the code, which the issuer accepts
  // once, keeps the state from being used again.
  await useOnce(context, ticket);
  const { browser, login, device } = ticket.content;
  const next = device === undefined ? 'resources' : device === '' ? 'device' : `device?user_code=${device}`;
  return { session: { ...person, browser, login }, next };
}

/** The person of verified claims, who may bind, and their tenants; throws when there is no right or no tenant. */
export function entitledPerson(
  { options: { issuer, policy }, audit }: WebContext,
  claims: VerifiedClaims,
): Pick<Session, 'caller' | 'tenants'> {
  const person = personOf(claims, { id: issuer.clientId, groupsClaim: policy.groupsClaim });
  const entry = { action: 'Login', who: callerId(person) } as const;
  try {
    requireMayBind(person, policy);
    const tenants = tenantsOf(person, policy);
    requireTenant(tenants);
    audit.record({ ...entry, what: tenants.map(({ name }) => name), result: 'success' });
    // Groups by which somebody may bind are asked for again when a bundle is exchanged; the others are of no use.
    const groups = person.groups.filter((group) => policy.allowedGroups.includes(group));
    return { caller: { ...person, groups }, tenants };
  } catch (error) {
    audit.record({ ...entry, result: failureOf(error).code });
    throw error;
  }
}

/** The text of the issuer is not shown: whoever made the link may have written it. */
function refuseDenied(query: URLSearchParams): void {
  const error = query.get('error');
  if (error === null) return;
  if (['temporarily_unavailable', 'server_error'].includes(error)) {
    throw new KlutchError(
      'KLUTCH_ISSUER_UNREACHABLE',
      'The identity provider failed during the login. Try again later.',
    );
  }
  throw new KlutchError(
    'KLUTCH_LOGIN_DENIED',
    'The identity provider refused the login, or it was cancelled there. Log in with an account that may use this provider.',
  );
}

async function useOnce(context: WebContext, { id, expiresAt }: Ticket<LoginState>): Promise<void> {
  if (await context.usedTickets.use(id, expiresAt)) return;
  throw stateInvalid('it was finished already');
}

function stateInvalid(why: string): KlutchError {
  return new KlutchError('KLUTCH_LOGIN_STATE_INVALID', `This login cannot be finished: ${why}. Start the login again.`);
}

function tooManyTenants({ tenants }: Session): KlutchError {
  const problem = `You belong to ${tenants.length} tenants, which is more than a login can carry`;
  return new KlutchError(
    'KLUTCH_TENANT_UNDECIDED',
    `${problem}. Ask the operator to narrow down which groups are tenants.`,
  );
}
