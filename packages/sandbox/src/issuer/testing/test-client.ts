import { createHash, createPublicKey, type JsonWebKey, randomBytes, verify } from 'node:crypto';
import { createPlainBrowser, type Page, type PlainBrowser } from '../../login/plain-browser.ts';

/** What an issuer says about itself, as far as the tests need it. */
export interface Discovery {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly device_authorization_endpoint: string;
  readonly [key: string]: unknown;
}

export async function discover(url: string): Promise<Discovery> {
  const response = await fetch(`${url}/.well-known/openid-configuration`);
  return (await response.json()) as Discovery;
}

/** Answer of a token endpoint, or its refusal. */
export interface TokenAnswer {
  readonly status: number;
  readonly access_token: string;
  readonly id_token: string;
  readonly error?: string;
}

export async function post<Answer>(
  url: string,
  fields: Readonly<Record<string, string>>,
  client: { readonly id: string; readonly secret: string },
): Promise<Answer & { readonly status: number }> {
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const response = await fetch(url, { method: 'POST', headers: { authorization }, body: new URLSearchParams(fields) });
  return { status: response.status, ...((await response.json()) as Answer) };
}

/** A login by authorization code and PKCE, up to the login page. */
export async function beginLogin(
  url: string,
  client: { readonly id: string; readonly redirectUri: string },
  scope = 'openid profile email groups',
): Promise<{ readonly browser: PlainBrowser; readonly page: Page; readonly verifier: string }> {
  const { authorization_endpoint } = await discover(url);
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope,
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const browser = createPlainBrowser({ stopAt: ({ href }) => href.startsWith(client.redirectUri) });
  return { browser, verifier, page: await browser.open(`${authorization_endpoint}?${query.toString()}`) };
}

/** The claims of a JWT after its signature was checked against the published keys. */
export async function verifiedClaims(url: string, jwt: string): Promise<Readonly<Record<string, unknown>>> {
  const { jwks_uri } = await discover(url);
  const { keys } = (await (await fetch(jwks_uri)).json()) as { readonly keys: readonly JsonWebKey[] };
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { readonly kid: string };
  const key = keys.find((candidate) => candidate['kid'] === kid);
  if (key === undefined) throw new Error(`no published key ${kid}`);
  const isGenuine = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    createPublicKey({ key, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  );
  if (!isGenuine) throw new Error('the signature does not fit the key');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Readonly<Record<string, unknown>>;
}
