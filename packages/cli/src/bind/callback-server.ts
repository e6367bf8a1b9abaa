import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isKlutchError, KlutchError } from '@klutch/api';
import { scope, unlessAborted } from '@klutch/kube';
import { alreadyPage, donePage, failedPage, type Page, refusedPage } from './callback-pages.ts';

export interface CallbackOptions<T> {
  /** Identity of the login that is waited for. */
  readonly sessionId: string;
  /** Exchanges a code for the answer. */
  readonly redeem: (code: string) => Promise<T>;
  /** Which login an answer belongs to. */
  readonly sessionOf: (answer: T) => string | undefined;
  /** Reads an answer that the browser brings itself; absent when there is none of that kind. */
  readonly decode?: (text: string) => T;
  /** Told when somebody called with something that is not the answer, so that a user is not left wondering. */
  readonly onRefused?: (why: string) => void;
}

/** Waits on this machine for the browser to bring the answer of a login. */
export interface CallbackServer<T> {
  readonly port: number;
  /**
   * The first genuine answer. Forged ones are refused and waiting goes on. Rejects when the signal aborts, and with the
   * error of the provider when it refuses this very login.
   */
  answer(signal: AbortSignal): Promise<T>;
  /** Ends it; a browser that is being told of the success gets a moment to show it. */
  close(): Promise<void>;
}

/** Listens on the loopback addresses of this machine, on a port that the system chooses. Close it. */
export async function startCallbackServer<T>(options: CallbackOptions<T>): Promise<CallbackServer<T>> {
  let outcome: Outcome<T> | undefined;
  const isAnswered = () => outcome !== undefined && 'answer' in outcome;
  /** Ends when those who wait may hear of the outcome. */
  const told = scope();
  /** Ends when the browser shows the last page. */
  const shown = scope();

  const receive = async (query: URLSearchParams): Promise<Reaction> => {
    if (outcome) return { page: alreadyPage };
    try {
      const response = await answerIn(query, options);
      // While a code was redeemed, another call may have been faster.
      if (outcome) return { page: alreadyPage };
      outcome = { answer: response };
      told.end();
      return { page: 'redirect' };
    } catch (error) {
      const why = isKlutchError(error) ? error.message : 'It could not be read.';
      // Only the provider knows the session besides us: what it refuses now, it has refused to this very login.
      if (query.has('code') && query.get('sid') === options.sessionId && !outcome) {
        outcome = { error };
        return { page: failedPage(why), afterwards: () => told.end() };
      }
      options.onRefused?.(why);
      return { page: refusedPage(why) };
    }
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = targetOf(request);
    if (url === undefined) return show(response, refusedPage('Only this machine may call.'));
    if (request.method !== 'GET') return show(response, { status: 405, html: '' });
    if (url.pathname === '/done' && isAnswered()) {
      response.once('finish', () => shown.end());
      return show(response, donePage);
    }
    if (url.pathname !== '/callback') return show(response, { status: 404, html: '' });
    const { page, afterwards } = await receive(url.searchParams);
    // Whoever learns that it is over closes the server, and the browser should have its page by then.
    if (afterwards) response.once('close', afterwards);
    if (page !== 'redirect') return show(response, page);
    // The address that the browser keeps holds no credential.
    response.writeHead(303, { ...headers, location: '/done' }).end();
  };

  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const second = await listenAlso(server, port);
  return {
    port,
    answer: async (signal) => {
      signal.throwIfAborted();
      await unlessAborted(told.ended, signal);
      if (outcome && 'answer' in outcome) return outcome.answer;
      throw outcome?.error;
    },
    close: async () => {
      if (isAnswered()) await Promise.race([shown.ended, timer(lastPageMs)]);
      await Promise.all([server, ...(second ? [second] : [])].map(ended));
    },
  };
}

const lastPageMs = 1_000;

/** How a login ended. */
type Outcome<T> = { readonly answer: T } | { readonly error: unknown };

/** What a call leads to. */
interface Reaction {
  readonly page: Page | 'redirect';
  /** Done once the page was sent. */
  readonly afterwards?: () => void;
}

async function answerIn<T>(
  query: URLSearchParams,
  { sessionId, redeem, sessionOf, decode }: CallbackOptions<T>,
): Promise<T> {
  const code = query.get('code');
  if ((query.get('sid') ?? sessionId) !== sessionId) throw otherLogin();
  if (!code && decode === undefined) throw otherLogin();
  const response = code || decode === undefined ? await redeem(code ?? '') : decode(query.get('response') ?? '');
  if (sessionOf(response) === sessionId) return response;
  throw otherLogin();
}

function otherLogin(): KlutchError {
  return new KlutchError('KLUTCH_LOGIN_SESSION_MISMATCH', 'The answer belongs to another login.');
}

/** Where a request wants to go; undefined when it comes by a name that is not of this machine, as with DNS rebinding. */
function targetOf(request: IncomingMessage): URL | undefined {
  const host = request.headers.host ?? '';
  if (!/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host)) return undefined;
  return URL.canParse(request.url ?? '', 'http://localhost')
    ? new URL(request.url ?? '', 'http://localhost')
    : undefined;
}

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

function show(response: ServerResponse, { status, html }: Page): void {
  response.writeHead(status, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(html);
}

/** Where `localhost` is an address of IPv6, browsers try that first. Not every machine has it. */
async function listenAlso(first: Server, port: number): Promise<Server | undefined> {
  const server = createServer((request, response) => void first.emit('request', request, response));
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, '::1', () => resolve(server));
  });
}

async function ended(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

function timer(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
