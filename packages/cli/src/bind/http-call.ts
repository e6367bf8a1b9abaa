import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { KlutchError } from '@klutch/api';
import type { WireAnswer } from '@klutch/api/contract';

/** How to reach a provider. */
export interface HttpSettings {
  /** Milliseconds until a call is given up. */
  readonly timeoutMs: number;
  /** PEM; in addition to what the system trusts when absent, and in its place when given. */
  readonly ca?: string;
  readonly insecureSkipTlsVerify?: boolean;
}

export interface HttpCall {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request and yields the answer, whatever its status. GET follows redirects, though never from https to http. Throws
 * `KLUTCH_PROVIDER_TIMEOUT`, `KLUTCH_PROVIDER_UNTRUSTED` or `KLUTCH_PROVIDER_UNREACHABLE`, with the address but without its query.
 */
export async function callHttp(url: string, call: HttpCall, settings: HttpSettings): Promise<WireAnswer> {
  let target = new URL(url);
  for (let hops = 0; ; hops++) {
    const { location, ...answer } = await send(target, call, settings);
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && location !== undefined;
    if (!isRedirect || (call.method ?? 'GET') !== 'GET' || !URL.canParse(location, target.href)) return answer;
    const next = new URL(location, target);
    const isDowngrade = target.protocol === 'https:' && next.protocol !== 'https:';
    if (isDowngrade || !/^https?:$/.test(next.protocol) || hops >= maxRedirects) return answer;
    target = next;
  }
}

const maxRedirects = 5;
const maxCharacters = 4 * 1024 * 1024;

async function send(
  url: URL,
  { method = 'GET', headers, body, signal }: HttpCall,
  { timeoutMs, ca, insecureSkipTlsVerify }: HttpSettings,
): Promise<WireAnswer & { readonly location?: string }> {
  const limit = AbortSignal.timeout(timeoutMs);
  const tls = { ca, rejectUnauthorized: !insecureSkipTlsVerify };
  const options = {
    method,
    agent: false,
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    headers: {
      accept: 'application/json',
      'user-agent': 'klutch-cli',
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
  };
  try {
    return await new Promise((resolve, reject) => {
      const request = url.protocol === 'https:' ? requestTls(url, { ...options, ...tls }) : requestPlain(url, options);
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
          const { 'content-type': type = '', 'retry-after': after = '', location } = response.headers;
          resolve({
            url: shown(url),
            status: response.statusCode ?? 0,
            contentType: (type.split(';')[0] ?? '').trim().toLowerCase(),
            ...(/^\d{1,5}$/.test(after) && { retryAfterSeconds: Number(after) }),
            ...(location !== undefined && { location }),
            text,
          });
        });
      });
      request.end(body);
    });
  } catch (cause) {
    signal?.throwIfAborted();
    throw failureOf(cause, shown(url), limit.aborted ? timeoutMs : undefined);
  }
}

function failureOf(cause: unknown, url: string, timeoutMs: number | undefined): KlutchError {
  if (timeoutMs !== undefined) {
    const message = `The address ${url} did not answer within ${timeoutMs / 1_000} s; try again later, or wait longer with --timeout.`;
    return new KlutchError('KLUTCH_PROVIDER_TIMEOUT', message, { cause });
  }
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (untrusted.test(code)) {
    const message = `The certificate of ${url} is not trusted (${code}); name the certificates of its authority with --backend-ca-file.`;
    return new KlutchError('KLUTCH_PROVIDER_UNTRUSTED', message, { cause });
  }
  const message = `The address ${url} cannot be reached (${code || 'the connection broke'}); check the address, the network and whether the backend runs.`;
  return new KlutchError('KLUTCH_PROVIDER_UNREACHABLE', message, { cause });
}

const untrusted = /CERT|SELF_SIGNED|UNABLE_TO|ISSUER|ERR_TLS/;

/** An address without its query, which may hold what nobody should read. */
function shown(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
