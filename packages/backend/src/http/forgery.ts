import { createHmac } from 'node:crypto';
import { KlutchError } from '@klutch/api';
import type { FastifyRequest } from 'fastify';
import { isSameText } from '../login/login-proof.ts';
import type { Ticket } from '../login/sealer.ts';
import type { WebContext } from './context.ts';

/** The hidden field of the form that belongs to one session; another site cannot know it. */
export function formToken(key: Uint8Array, sessionId: string): string {
  return createHmac('sha256', key).update(`form ${sessionId}`).digest('base64url');
}

/** The form that a request carries. Throws `KLUTCH_FORM_FORGED` unless it came from a page of this session. */
export function formOf(context: WebContext, request: FastifyRequest, session: Ticket<unknown>): URLSearchParams {
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const site = request.headers['sec-fetch-site'];
  refuseForgery(
    { secFetchSite: typeof site === 'string' ? site : undefined, origin: request.headers.origin },
    { sent: form.get('token') ?? undefined, expected: formToken(context.sealer.derive('form', session), session.id) },
    context.options.baseUrl,
  );
  return form;
}

/** What a browser tells about where a form came from. */
export interface FormOrigin {
  readonly secFetchSite?: string;
  readonly origin?: string;
}

/**
 * Throws `KLUTCH_FORM_FORGED` unless a form came from the page of this backend: the browser does not say otherwise, and the
 * token is the one of the session. Browsers send `Origin: null` from pages that ask them not to send a referrer, so that
 * says nothing.
 */
export function refuseForgery(
  from: FormOrigin,
  token: { readonly sent: string | undefined; readonly expected: string },
  baseUrl: string,
): void {
  const isElsewhere =
    from.secFetchSite === undefined
      ? from.origin !== undefined && from.origin !== 'null' && from.origin !== new URL(baseUrl).origin
      : from.secFetchSite !== 'same-origin';
  if (!isElsewhere && token.sent !== undefined && isSameText(token.sent, token.expected)) return;
  throw new KlutchError(
    'KLUTCH_FORM_FORGED',
    'This form was not sent from a page of this login. Open the page again from the command of Klutch.',
  );
}
