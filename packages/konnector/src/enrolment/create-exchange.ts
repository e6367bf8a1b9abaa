import { KlutchError } from '@klutch/api';
import { createContractClient, exchangeEnrolment, isLoopback, limitedText, type Send } from '@klutch/api/contract';
import { userAgentOf } from '@klutch/kube';
import { Agent, ProxyAgent, request } from 'undici';
import type { Exchange } from './exchange.ts';

/** Milliseconds until the backend has to have answered. */
const timeoutMs = 30_000;

/** Longest answer that is read. */
const maxCharacters = 1024 * 1024;

export interface ExchangeOptions {
  readonly version: string;
  /** The proxy to an address, if there is one. */
  readonly proxyFor: (url: URL) => string | undefined;
}

/** Exchanges tokens at the backend that the enrolment names. Redirects are not followed: the token is for nobody else. */
export function createExchange({ version, proxyFor }: ExchangeOptions): Exchange {
  return async ({ backendUrl, token, ca }, { clusterUid, key }, signal) => {
    const client = createContractClient({
      url: backendUrl,
      send: sendWith({ ca, proxyFor, userAgent: userAgentOf('klutch-konnector', version) }),
      // The controller waits between attempts.
      pause: async () => undefined,
    });
    const { kubeconfig } = await client.call(exchangeEnrolment, { token, clusterUID: clusterUid, key }, { signal });
    return Buffer.from(kubeconfig, 'base64').toString('utf8');
  };
}

interface Sending extends Pick<ExchangeOptions, 'proxyFor'> {
  /** PEM; in place of what the system trusts. */
  readonly ca: string | undefined;
  readonly userAgent: string;
}

function sendWith({ ca, proxyFor, userAgent }: Sending): Send {
  return async ({ method, url: address, headers, body, signal }) => {
    const url = secureUrl(address);
    const limit = AbortSignal.timeout(timeoutMs);
    const proxy = proxyFor(url);
    // A connection for one call: exchanges are rare.
    const dispatcher =
      proxy === undefined ? new Agent({ connect: { ca } }) : new ProxyAgent({ uri: proxy, requestTls: { ca } });
    try {
      const response = await request(url, {
        dispatcher,
        method,
        body,
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        headers: { accept: 'application/json', 'user-agent': userAgent, ...headers },
      });
      const { 'content-type': type, 'retry-after': after } = response.headers;
      return {
        url: `${url.origin}${url.pathname}`,
        status: response.statusCode,
        contentType: (String(type ?? '').split(';')[0] ?? '').trim().toLowerCase(),
        ...(/^\d{1,5}$/.test(String(after)) && { retryAfterSeconds: Number(after) }),
        text: await limitedText(response.body, maxCharacters),
      };
    } catch (cause) {
      signal?.throwIfAborted();
      throw failureOf(cause, { url, proxy, isLate: limit.aborted });
    } finally {
      await dispatcher.destroy();
    }
  };
}

/** An address to which a token can be sent without being read on the way. */
function secureUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))) return url;
  const message = 'The address of the backend does not begin with https://, so that others could read the token.';
  throw new KlutchError('KLUTCH_PROVIDER_UNTRUSTED', message);
}

function failureOf(
  cause: unknown,
  { url, proxy, isLate }: { readonly url: URL; readonly proxy: string | undefined; readonly isLate: boolean },
): KlutchError {
  const way = proxy === undefined ? '' : ` through the proxy ${new URL(proxy).host}`;
  const shown = `${url.origin}${url.pathname}`;
  if (isLate) return new KlutchError('KLUTCH_PROVIDER_TIMEOUT', `${shown} did not answer in time${way}.`, { cause });
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (/CERT|SELF_SIGNED|UNABLE_TO|ISSUER|ERR_TLS/.test(code)) {
    const message = `The certificate of ${shown} is not trusted (${code}). Make the bundle again with --backend-ca-file.`;
    return new KlutchError('KLUTCH_PROVIDER_UNTRUSTED', message, { cause });
  }
  const message = `${shown} cannot be reached${way} (${code || 'the connection broke'}).`;
  return new KlutchError('KLUTCH_PROVIDER_UNREACHABLE', message, { cause });
}
