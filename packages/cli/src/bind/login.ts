import { createHash, randomBytes } from 'node:crypto';
import { type BindingProvider, KlutchError, loginUrl, sessionEntropy, sessionId } from '@klutch/api';
import { beginDeviceLogin, type BindRequest, type ContractClient, isWaiting } from '@klutch/api/contract';
import { pause, scope, systemClock } from '@klutch/kube';
import type { ClusterIdentity } from '../cluster/app-cluster.ts';
import type { Progress } from '../terminal/progress.ts';
import { startCallbackServer } from './callback-server.ts';
import { refusePlainHttp } from './http-call.ts';
import type { LoginPurpose } from './login-purpose.ts';

export interface LoginOptions<T> {
  readonly purpose: LoginPurpose<T>;
  readonly backend: ContractClient;
  readonly provider: BindingProvider;
  readonly identity: ClusterIdentity;
  /** APIs to preselect, as `<resource>.<group>`. */
  readonly apis: readonly string[];
  /** Opens an address where that is possible and wanted, and says whether it did. */
  readonly openBrowser: (url: string) => Promise<boolean>;
  /** Lets the browser be sent to plain http on other machines, too. */
  readonly insecureHttp?: boolean;
  readonly progress: Progress;
  /** Milliseconds to wait for the user. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What a login yielded; close it at the end of the command, so that the browser can show its last page. */
export interface Login<T> {
  readonly response: T;
  close(): Promise<void>;
}

/**
 * Has the user log in with a browser. Throws `KLUTCH_LOGIN_TIMEOUT` when nobody does in time; no port is open then any more.
 */
export async function loginWithBrowser<T>(options: LoginOptions<T>): Promise<Login<T>> {
  const { purpose, backend, provider, progress, timeoutMs, signal } = options;
  const session = sessionId(randomBytes(sessionEntropy));
  const verifier = randomBytes(32).toString('base64url');
  const start = startUrl(loginUrl(provider), options);
  const server = await startCallbackServer({
    sessionId: session,
    redeem: (code) => purpose.redeem(backend, { code, verifier }, { signal }),
    sessionOf: purpose.sessionOf,
    decode: purpose.decode,
    onRefused: (why) => progress.warn(`A callback did not belong to this login: ${why} Still waiting.`),
  });
  try {
    const url = authorizeUrl(start, options, { port: server.port, session, verifier });
    progress.note(`To log in to ${provider.providerPrettyName}, open this address:\n\n    ${url}\n`);
    if (await options.openBrowser(url)) progress.note('It was opened in your browser.');
    const response = await withinTime(timeoutMs, signal, (limited) =>
      progress.during('Waiting for the login', () => server.answer(limited)),
    );
    return { response, close: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Has the user log in on whatever machine with a code. Throws like {@link loginWithBrowser}. */
export async function loginWithDeviceCode<T>(options: LoginOptions<T>, request: BindRequest): Promise<T> {
  const { purpose, backend, provider, progress, timeoutMs, signal } = options;
  if (!provider.authenticationMethods.some(({ method }) => method === 'DeviceCode')) {
    const message = `${provider.providerPrettyName} does not offer login with a code. Omit --device-code to log in with a browser on this machine, or use --non-interactive.`;
    throw new KlutchError('KLUTCH_PROVIDER_NO_LOGIN_METHOD', message);
  }
  const login = await backend.call(beginDeviceLogin, request, { signal });
  const url = startUrl(login.verification_uri_complete ?? login.verification_uri, options).href;
  progress.note(
    `To log in to ${provider.providerPrettyName}, open this address with a browser on any machine and compare the code ${login.user_code}:\n\n    ${url}\n`,
  );
  const limitMs = Math.min(timeoutMs, login.expires_in * 1_000);
  return withinTime(limitMs, signal, (limited) =>
    progress.during('Waiting for the login', async () => {
      let intervalSeconds = login.interval ?? 5;
      for (;;) {
        await pause(systemClock, intervalSeconds * 1_000, limited);
        limited.throwIfAborted();
        const { device_code } = login;
        const answer = await purpose.finishDevice(backend, { device_code }, { signal: limited });
        if (!isWaiting(answer)) return answer;
        if (answer.error === 'slow_down') intervalSeconds += 5;
      }
    }),
  );
}

async function withinTime<T>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = scope(signal);
  const cancel = systemClock.after(milliseconds, limit.end);
  try {
    return await work(limit.signal);
  } catch (error) {
    if (signal.aborted || !limit.isOver) throw error;
    const message = `The login was not finished within ${milliseconds / 1_000} s. Nothing was bound. Run the command again and open the address it prints, or wait longer with --login-timeout.`;
    throw new KlutchError('KLUTCH_LOGIN_TIMEOUT', message);
  } finally {
    cancel();
    limit.end();
  }
}

/**
 * An address that a provider named, if it is one that a browser may be sent to. Throws `KLUTCH_PROVIDER_INVALID` or
 * `KLUTCH_PROVIDER_INSECURE`.
 */
function startUrl(
  text: string,
  { backend, insecureHttp }: Pick<LoginOptions<unknown>, 'backend' | 'insecureHttp'>,
): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const message = 'The provider does not say where to log in. Ask its operator.';
    throw new KlutchError('KLUTCH_PROVIDER_INVALID', message);
  }
  const provider = new URL(backend.url);
  // Backends in Go do not know that their ingress speaks https, and name themselves with http.
  if (url.protocol === 'http:' && provider.protocol === 'https:' && url.host === provider.host) url.protocol = 'https:';
  refusePlainHttp(url, { insecureHttp });
  return url;
}

/** Parameters of the Go CLI first; what it does not know follows. Whatever the address has already stays. */
function authorizeUrl(
  start: URL,
  { identity, apis, purpose }: LoginOptions<unknown>,
  login: { readonly port: number; readonly session: string; readonly verifier: string },
): string {
  const url = new URL(start);
  url.searchParams.append('c', identity.id);
  url.searchParams.append('p', String(login.port));
  url.searchParams.append('s', login.session);
  url.searchParams.append('x', createHash('sha256').update(login.verifier).digest('base64url'));
  if (purpose.enrolmentSeconds !== undefined) url.searchParams.append('e', String(purpose.enrolmentSeconds));
  if (purpose.evict !== undefined) url.searchParams.append('k', purpose.evict);
  if (identity.fingerprint) url.searchParams.append('f', identity.fingerprint);
  for (const api of apis) url.searchParams.append('a', api);
  return url.href;
}
