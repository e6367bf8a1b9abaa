import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { configurationOf, interactionPath } from './configuration.ts';
import { openKeys } from './keys.ts';
import { loginHandler } from './login.ts';
import type { IssuerOptions } from './options.ts';

/** A running issuer. */
export interface Issuer {
  /** The `iss` of its tokens; `/.well-known/openid-configuration` is below it. */
  readonly url: string;
  /** Lets answers under way finish, for two seconds at most, and ends. */
  stop(): Promise<void>;
}

/**
 * Starts an OpenID Connect issuer with fixed users and clients in this process, for development and tests. It listens on
 * 127.0.0.1 only, without TLS. Rejects with the system's error when it cannot have the port.
 */
export async function startIssuer(options: IssuerOptions): Promise<Issuer> {
  const { port = 0, dir, autoLogin, users, onProblem = () => {} } = options;
  if (autoLogin !== undefined && !users.some(({ name }) => name === autoLogin)) {
    throw new Error(`autoLogin names ${autoLogin}, who is not among the users`);
  }
  const keys = await openKeys(dir);
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const provider = new Provider(url, configurationOf(options, keys));
    provider.on('server_error', (_, error) => onProblem(error));
    const answer = provider.callback();
    const login = loginHandler(provider, { users, autoLogin });
    server.on('request', (request, response) => {
      const work = request.url?.startsWith(interactionPath) ? login(request, response) : answer(request, response);
      work.catch((problem: unknown) => {
        onProblem(problem);
        response.destroy();
      });
    });
  } catch (error) {
    await stop(server);
    throw error;
  }
  let stopped: Promise<void> | undefined;
  return { url, stop: () => (stopped ??= stop(server)) };
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const insist = setTimeout(() => server.closeAllConnections(), 2_000);
  await closed;
  clearTimeout(insist);
}
