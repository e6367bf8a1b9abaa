import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { KlutchError } from '@klutch/api';
import { createContractClient, exchangeEnrolment, type Send, type WireAnswer } from '@klutch/api/contract';
import { userAgentOf } from '@klutch/kube';
import type { Exchange } from './exchange.ts';

/** Milliseconds until the backend has to have answered. */
const timeoutMs = 30_000;

/** Longest answer that is read. */
const maxCharacters = 1024 * 1024;

/** Exchanges tokens at the backend that the enrolment names. Redirects are not followed: the token is for nobody else. */
export function createExchange({ version }: { readonly version: string }): Exchange {
  return async ({ backendUrl, token, ca }, { clusterUid, key }, signal) => {
    const client = createContractClient({
      url: backendUrl,
      send: sendWith({ ca, userAgent: userAgentOf('klutch-konnector', version) }),
      // The controller waits between attempts.
      pause: async () => undefined,
    });
    const { kubeconfig } = await client.call(exchangeEnrolment, { token, clusterUID: clusterUid, key }, { signal });
    return Buffer.from(kubeconfig, 'base64').toString('utf8');
  };
}

function sendWith({ ca, userAgent }: { readonly ca: string | undefined; readonly userAgent: string }): Send {
  return async ({ method, url: address, headers, body = '', signal }) => {
    const url = secureUrl(address);
    const limit = AbortSignal.timeout(timeoutMs);
    const options = {
      method,
      agent: false,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        'content-length': String(Buffer.byteLength(body)),
        ...headers,
      },
    } as const;
    try {
      return await new Promise<WireAnswer>((resolve, reject) => {
        const request = url.protocol === 'https:' ? requestTls(url, { ...options, ca }) : requestPlain(url, options);
        request.once('error', reject);
        request.once('response', (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (part: string) => {
            text += part;
            if (text.length > maxCharacters) request.destroy(new Error('the answer is too long'));
          });
          response.once('error', reject);
          response.once('end', () => {
            const { 'content-type': type = '', 'retry-after': after = '' } = response.headers;
            resolve({
              url: `${url.origin}${url.pathname}`,
              status: response.statusCode ?? 0,
              contentType: (type.split(';')[0] ?? '').trim().toLowerCase(),
              ...(/^\d{1,5}$/.test(after) && { retryAfterSeconds: Number(after) }),
              text,
            });
          });
        });
        request.end(body);
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw failureOf(cause, url, limit.aborted);
    }
  };
}

/** An address to which a token can be sent without being read on the way. */
function secureUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '');
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)) return url;
  const message = 'The address of the backend does not begin with https://, so that others could read the token.';
  throw new KlutchError('KLUTCH_PROVIDER_UNTRUSTED', message);
}

function failureOf(cause: unknown, url: URL, isLate: boolean): KlutchError {
  const shown = `${url.origin}${url.pathname}`;
  if (isLate) return new KlutchError('KLUTCH_PROVIDER_TIMEOUT', `${shown} did not answer in time.`, { cause });
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (/CERT|SELF_SIGNED|UNABLE_TO|ISSUER|ERR_TLS/.test(code)) {
    const message = `The certificate of ${shown} is not trusted (${code}). Make the bundle again with --backend-ca-file.`;
    return new KlutchError('KLUTCH_PROVIDER_UNTRUSTED', message, { cause });
  }
  const message = `${shown} cannot be reached (${code || 'the connection broke'}).`;
  return new KlutchError('KLUTCH_PROVIDER_UNREACHABLE', message, { cause });
}
