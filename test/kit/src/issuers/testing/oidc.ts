import { createHash, randomBytes } from 'node:crypto';

/** What an issuer says about itself, as far as the kit's tests need it. */
export interface Discovery {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly device_authorization_endpoint?: string;
}

export async function discover(url: string): Promise<Discovery> {
  return (await (await fetch(`${url}/.well-known/openid-configuration`)).json()) as Discovery;
}

export interface Tokens {
  readonly id_token: string;
  readonly access_token: string;
}

/** Sends a form as a client with a secret. */
export async function postForm<Answer>(
  url: string,
  client: { readonly id: string; readonly secret: string },
  fields: Readonly<Record<string, string>>,
): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const response = await fetch(url, { method: 'POST', headers: { authorization }, body: new URLSearchParams(fields) });
  return (await response.json()) as Answer;
}

/** The claims of a JWT; nobody checks the signature. */
export function claimsOf(jwt: string): Readonly<Record<string, unknown>> {
  const [, payload = ''] = jwt.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Readonly<Record<string, unknown>>;
}

/** Logs in by authorization code and PKCE over plain HTTP: one form with the given fields, then back to the client. */
export async function logIn(
  url: string,
  client: { readonly id: string; readonly redirectUris: readonly string[] },
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly code: string; readonly verifier: string }> {
  const verifier = randomBytes(32).toString('base64url');
  const [redirectUri = ''] = client.redirectUris;
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email groups',
    state: 'state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const cookies = new Map<string, string>();
  const { authorization_endpoint } = await discover(url);
  const page = await follow(`${authorization_endpoint}?${query.toString()}`, redirectUri, cookies);
  const action = /<form[^>]*action="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const end = await follow(new URL(action, page.url).href, redirectUri, cookies, fields);
  const code = new URL(end.url).searchParams.get('code');
  if (code === null) throw new Error(`the login ended at ${end.url}: ${end.text.slice(0, 500)}`);
  return { code, verifier };
}

async function follow(
  address: string,
  until: string,
  cookies: Map<string, string>,
  form?: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly text: string }> {
  let url = address;
  let body = form && new URLSearchParams(form);
  while (!url.startsWith(until)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { method: body ? 'POST' : 'GET', body, headers: { cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) return { url, text: await response.text() };
    url = new URL(location, url).href;
    body = undefined;
  }
  return { url, text: '' };
}
