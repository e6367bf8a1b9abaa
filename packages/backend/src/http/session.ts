import { KlutchError } from '@klutch/api';
import type { FastifyRequest } from 'fastify';
import { browserMark, isSameText } from '../login/login-proof.ts';
import type { Ticket } from '../login/sealer.ts';
import type { Session, WebContext } from './context.ts';
import type { LoginRequest } from './login-request.ts';

/** A session that was opened for a command. */
export type BindSession = Ticket<Session & { readonly login: LoginRequest }>;

/** The session of a browser, if it has one that is still good. */
export async function findSession(context: WebContext, request: FastifyRequest): Promise<Ticket<Session> | undefined> {
  const sealed = context.cookies.session(request);
  const secret = context.cookies.browserSecret(request);
  if (sealed === undefined || secret === undefined) return undefined;
  const ticket = await context.sealer.open<Session>('session', sealed);
  return ticket && isSameText(ticket.content.browser, browserMark(secret)) ? ticket : undefined;
}

/** The session of a browser. Throws `KLUTCH_SESSION_EXPIRED` when there is none. */
export async function requireSession(context: WebContext, request: FastifyRequest): Promise<Ticket<Session>> {
  const ticket = await findSession(context, request);
  if (ticket !== undefined) return ticket;
  throw sessionExpired();
}

/** The session in which something can be bound. Throws `KLUTCH_SESSION_EXPIRED` when there is none. */
export async function requireBindSession(context: WebContext, request: FastifyRequest): Promise<BindSession> {
  const ticket = await findSession(context, request);
  if (ticket !== undefined && isForCommand(ticket)) return ticket;
  throw sessionExpired();
}

/** Uses a session up. Throws `KLUTCH_SESSION_EXPIRED` when that happened before, in whatever replica. */
export async function useSession(context: WebContext, { id, expiresAt }: BindSession): Promise<void> {
  if (!(await context.usedTickets.use(id, expiresAt))) throw sessionExpired();
}

export function isForCommand(ticket: Ticket<Session>): ticket is BindSession {
  return ticket.content.login !== undefined;
}

function sessionExpired(): KlutchError {
  return new KlutchError(
    'KLUTCH_SESSION_EXPIRED',
    'This login is over: it lasts ten minutes and is good for one bind. Run the command again.',
  );
}
