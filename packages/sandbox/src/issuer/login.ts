import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { IssuerOptions, IssuerUser } from './options.ts';
import { pageHeaders } from './page.ts';
import { loginPage, messagePage } from './pages.ts';

/** More than any form of ours holds. */
const MOST_BYTES = 16 * 1024;

/** Answers the requests of the login page: shows it, and ends the login when its form comes back. */
export function loginHandler(
  provider: Provider,
  { users, autoLogin }: Pick<IssuerOptions, 'users' | 'autoLogin'>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const login = await provider.interactionDetails(request, response).catch(() => undefined);
    if (login === undefined) {
      const message = 'It was started in another browser, took too long, or is finished. Start it again.';
      return show(response, 400, messagePage('This login cannot go on', message));
    }
    const finish = (accountId: string) => provider.interactionFinished(request, response, { login: { accountId } });
    if (autoLogin !== undefined) return finish(autoLogin);

    const client = await provider.Client.find(String(login.params['client_id']));
    const page = {
      action: request.url ?? '',
      client: client?.clientName ?? client?.clientId ?? 'an application',
      scopes: String(login.params['scope'] ?? '').split(' '),
    };
    if (request.method !== 'POST') return show(response, 200, loginPage(page));

    const form = await readForm(request);
    if (form === undefined)
      return show(response, 413, messagePage('This login cannot go on', 'The form is too large.'));
    if (form.get('answer') === 'cancel') {
      const answer = { error: 'access_denied', error_description: 'The user has cancelled the login.' };
      return provider.interactionFinished(request, response, answer);
    }
    const name = form.get('name')?.trim() ?? '';
    const user = users.find((candidate) => candidate.name === name);
    if (user !== undefined && hasPassword(user, form.get('password') ?? '')) return finish(user.name);
    show(response, 401, loginPage({ ...page, name, problem: 'This name and password do not go together.' }));
  };
}

function hasPassword({ password }: IssuerUser, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(password), digest(given));
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function show(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, pageHeaders).end(page);
}
