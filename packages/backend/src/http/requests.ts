import { KlutchError } from '@klutch/api';
import type { FastifyRequest } from 'fastify';

/** The query of a request, with parameters that occur several times. */
export function queryOf({ url }: FastifyRequest): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
}

/** The bearer token of a request. Throws `KLUTCH_TOKEN_INVALID` when it has none. */
export function bearerOf({ headers }: FastifyRequest): string {
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(headers.authorization ?? '')?.[1];
  if (token !== undefined) return token;
  throw new KlutchError(
    'KLUTCH_TOKEN_INVALID',
    'The request has no bearer token. Send one in the header Authorization.',
  );
}

/** Whether whoever asks wants to read a page, plain text or JSON. */
export function wantedForm({ headers }: FastifyRequest): 'page' | 'text' | 'json' {
  const accept = headers.accept ?? '';
  if (accept.includes('text/html')) return 'page';
  return accept.includes('application/json') ? 'json' : 'text';
}
