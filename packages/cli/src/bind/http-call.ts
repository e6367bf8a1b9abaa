import { KlutchError } from '@klutch/api';
import { isLoopback, limitedText, type WireAnswer } from '@klutch/api/contract';
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';

/** How to reach a provider. */
export interface HttpSettings {
  /** Milliseconds until a call is given up. */
  readonly timeoutMs: number;
  /** PEM; in addition to what the system trusts when absent, and in its place when given. */
  readonly ca?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** Sends codes, tokens and secrets over plain http to other machines, too. */
  readonly insecureHttp?: boolean;
  /** The proxy to an address, if there is one. Default: none. */
  readonly proxyFor?: (url: URL) => string | undefined;
}

export interface HttpCall {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Neither request nor answer is secret, nor anything trusted that follows from it. */
  readonly isPublic?: boolean;
}

/**
 * Sends a request and yields the answer, whatever its status. GET follows redirects, though never from https to http, and never with
 * a token. Throws `KLUTCH_PROVIDER_INSECURE` for plain http to another machine, `KLUTCH_PROVIDER_TIMEOUT`,
 * `KLUTCH_PROVIDER_UNTRUSTED` or `KLUTCH_PROVIDER_UNREACHABLE`, with the address but without its query.
 */
export async function callHttp(url: string, call: HttpCall, settings: HttpSettings): Promise<WireAnswer> {
  let target = new URL(url);
  const isFollowing = (call.method ?? 'GET') === 'GET' && call.headers?.['authorization'] === undefined;
  for (let hops = 0; ; hops++) {
    if (!call.isPublic) refusePlainHttp(target, settings);
    const { location, ...answer } = await send(target, call, settings);
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && location !== undefined;
    if (!isRedirect || !isFollowing || !URL.canParse(location, target.href)) return answer;
    const next = new URL(location, target);
    const isDowngrade = target.protocol === 'https:' && next.protocol !== 'https:';
    if (isDowngrade || !/^https?:$/.test(next.protocol) || hops >= maxRedirects) return answer;
    target = next;
  }
}

/** Throws `KLUTCH_PROVIDER_INSECURE` when what is sent to an address could be read on its way. */
export function refusePlainHttp(url: URL, { insecureHttp = false }: Pick<HttpSettings, 'insecureHttp'>): void {
  if (url.protocol !== 'http:' || insecureHttp || isLoopback(url)) return;
  throw new KlutchError(
    'KLUTCH_PROVIDER_INSECURE',
    `The address ${shown(url)} is plain http, and codes and credentials sent there can be read on the way. Use an https address; --insecure-http allows it for trials.`,
  );
}

const maxRedirects = 5;
const maxCharacters = 4 * 1024 * 1024;

async function send(
  url: URL,
  { method = 'GET', headers, body, signal }: HttpCall,
  settings: HttpSettings,
): Promise<WireAnswer & { readonly location?: string }> {
  const { timeoutMs } = settings;
  const limit = AbortSignal.timeout(timeoutMs);
  const proxy = settings.proxyFor?.(url);
  const dispatcher = dispatcherFor(settings, proxy);
  try {
    const response = await request(url, {
      dispatcher,
      method,
      body,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      headers: { accept: 'application/json', 'user-agent': 'klutch-cli', ...headers },
    });
    const { 'content-type': type, 'retry-after': after, location } = response.headers;
    const text = await limitedText(response.body, maxCharacters);
    return {
      url: shown(url),
      status: response.statusCode,
      contentType: (String(type ?? '').split(';')[0] ?? '').trim().toLowerCase(),
      ...(/^\d{1,5}$/.test(String(after)) && { retryAfterSeconds: Number(after) }),
      ...(typeof location === 'string' && { location }),
      text,
    };
  } catch (cause) {
    signal?.throwIfAborted();
    throw failureOf(cause, { url: shown(url), proxy, timeoutMs: limit.aborted ? timeoutMs : undefined });
  } finally {
    await dispatcher.destroy();
  }
}

/** A connection for one call: commands make few of them, and none may keep a command from ending. */
function dispatcherFor({ ca, insecureSkipTlsVerify }: HttpSettings, proxy: string | undefined): Dispatcher {
  const tls = { ca, rejectUnauthorized: !insecureSkipTlsVerify };
  return proxy === undefined ? new Agent({ connect: tls }) : new ProxyAgent({ uri: proxy, requestTls: tls });
}

function failureOf(
  cause: unknown,
  { url, proxy, timeoutMs }: { readonly url: string; readonly proxy?: string; readonly timeoutMs?: number },
): KlutchError {
  const way = proxy === undefined ? '' : ` through the proxy ${new URL(proxy).host}`;
  if (timeoutMs !== undefined) {
    const message = `The address ${url} did not answer${way} within ${timeoutMs / 1_000} s; try again later, or wait longer with --timeout.`;
    return new KlutchError('KLUTCH_PROVIDER_TIMEOUT', message, { cause });
  }
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (untrusted.test(code)) {
    const message = `The certificate of ${url} is not trusted (${code}); name the certificates of its authority with --backend-ca-file.`;
    return new KlutchError('KLUTCH_PROVIDER_UNTRUSTED', message, { cause });
  }
  const advice = proxy === undefined ? 'the network' : 'the proxy (HTTPS_PROXY, HTTP_PROXY, NO_PROXY)';
  const message = `The address ${url} cannot be reached${way} (${code || 'the connection broke'}); check the address, ${advice} and whether the backend runs.`;
  return new KlutchError('KLUTCH_PROVIDER_UNREACHABLE', message, { cause });
}

const untrusted = /CERT|SELF_SIGNED|UNABLE_TO|ISSUER|ERR_TLS/;

/** An address without its query, which may hold what nobody should read. */
function shown(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
