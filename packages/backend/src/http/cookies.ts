import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isBrowserSecret } from '../login/login-proof.ts';

/** The two cookies of the backend; there are never more, however often somebody logs in. */
export interface Cookies {
  /** The secret of the browser, if it has one. */
  browserSecret(request: FastifyRequest): string | undefined;
  setBrowserSecret(reply: FastifyReply, secret: string): void;
  /** The sealed session, if there is one; not yet opened. */
  session(request: FastifyRequest): string | undefined;
  setSession(reply: FastifyReply, sealed: string): void;
  clearSession(reply: FastifyReply): void;
}

/** Seconds: a login and a session, one after the other. */
const browserSeconds = 1200;
export const sessionSeconds = 600;

/** Bytes that browsers surely keep of a cookie, its name and attributes included. */
export const maxCookieBytes = 4096;

/** Where the backend is reached over https, names carry the prefix that keeps other hosts from setting them. */
export function createCookies(baseUrl: string): Cookies {
  const isSecure = new URL(baseUrl).protocol === 'https:';
  const prefix = isSecure ? '__Host-' : '';
  const browser = `${prefix}klutch`;
  const session = `${prefix}klutch-session`;
  const options: CookieSerializeOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure };
  return {
    browserSecret: ({ cookies }) => (isBrowserSecret(cookies[browser]) ? cookies[browser] : undefined),
    setBrowserSecret: (reply, secret) => void reply.setCookie(browser, secret, { ...options, maxAge: browserSeconds }),
    session: ({ cookies }) => cookies[session],
    setSession: (reply, sealed) => void reply.setCookie(session, sealed, { ...options, maxAge: sessionSeconds }),
    clearSession: (reply) => void reply.clearCookie(session, options),
  };
}
