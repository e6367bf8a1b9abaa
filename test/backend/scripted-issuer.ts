import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A user of the scripted issuer: the claims of their ID tokens. */
export interface ScriptedUser {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

export interface ScriptedIssuerOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** PEM; with it the issuer speaks https. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** Claims of a token; those that are undefined are left out. */
export type Claims = Readonly<Record<string, unknown>>;

/** What becomes of the next ID tokens: tests forge them here. */
export interface Script {
  user: ScriptedUser;
  /** The secret that the client has to send. */
  clientSecret: string;
  /** Changes the claims of an ID token before it is signed. */
  alter: (claims: Claims) => Claims;
  /** Signs with a key that is not published. */
  forgeSignature: boolean;
  /** The `error` that the authorization endpoint answers with. */
  refuse?: string;
  /** Characters that the access token has at least. */
  accessTokenLength: number;
}

/** An OpenID Connect issuer that logs everybody in at once, and lies when it is told to. */
export interface ScriptedIssuer {
  readonly url: string;
  readonly script: Script;
  /** Codes that were handed out, to look for them in logs. */
  readonly codes: readonly string[];
  /** Requests to the token endpoint that succeeded. */
  readonly tokensIssued: number;
  /** A token as the issuer would sign it. */
  sign(claims: Claims, header?: { readonly typ?: string }): string;
  /** From now on another key signs, and only that is published. */
  rotateKeys(): void;
  /** Stops answering; `resume` listens on the same port again. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

interface Key {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: object;
}

interface Grant {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

/** Starts an issuer on loopback. With `isDown` its port is known, but nobody answers until it is resumed. */
export async function startScriptedIssuer(options: ScriptedIssuerOptions, isDown = false): Promise<ScriptedIssuer> {
  const { clientId, clientSecret } = options;
  const script: Script = {
    user: { sub: 'alice', name: 'Alice Adams', email: 'alice@example.com', email_verified: true },
    clientSecret,
    alter: (claims) => claims,
    forgeSignature: false,
    accessTokenLength: 0,
  };
  const grants = new Map<string, Grant>();
  const codes: string[] = [];
  let tokensIssued = 0;
  let key = newKey();
  const unpublished = newKey(key.kid);
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  };
  const server: Server = options.tls ? createTlsServer(options.tls, handle) : createServer(handle);
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const url = `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  if (isDown) await stop(server);

  return {
    url,
    script,
    codes,
    get tokensIssued() {
      return tokensIssued;
    },
    sign: (claims, header) => signed({ iss: url, ...claims }, key, header),
    rotateKeys: () => {
      key = newKey();
    },
    pause: () => stop(server),
    resume: () => listen(server, port),
    close: () => stop(server),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/.well-known/openid-configuration') return void json(200, description());
    if (pathname === '/jwks') return void json(200, { keys: [key.jwk] });
    if (pathname === '/auth') return authorize(searchParams, response);
    if (pathname === '/token') {
      const form = new URLSearchParams(await bodyOf(request));
      return void json(...token(form));
    }
    json(404, {});
  }

  function description(): object {
    return {
      issuer: url,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      code_challenge_methods_supported: ['S256'],
    };
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const target = new URL(query.get('redirect_uri') ?? '');
    target.searchParams.set('state', query.get('state') ?? '');
    if (script.refuse === undefined) {
      const code = randomBytes(20).toString('hex');
      grants.set(code, {
        challenge: query.get('code_challenge') ?? '',
        nonce: query.get('nonce') ?? '',
        redirectUri: query.get('redirect_uri') ?? '',
      });
      codes.push(code);
      target.searchParams.set('code', code);
    } else {
      target.searchParams.set('error', script.refuse);
      target.searchParams.set('error_description', '<script>alert(1)</script> at Decoder.decode (decoder.go:17)');
    }
    response.writeHead(302, { location: target.href }).end();
  }

  function token(form: URLSearchParams): [number, object] {
    if (form.get('client_id') !== clientId || form.get('client_secret') !== script.clientSecret) {
      return [401, { error: 'invalid_client' }];
    }
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (grant === undefined || challenge !== grant.challenge || form.get('redirect_uri') !== grant.redirectUri) {
      return [400, { error: 'invalid_grant' }];
    }
    return [200, tokens(grant.nonce)];
  }

  function tokens(nonce: string): object {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: url, aud: clientId, iat: now, exp: now + 300, nonce, ...script.user };
    tokensIssued += 1;
    return {
      token_type: 'Bearer',
      expires_in: 300,
      access_token: `access-${'x'.repeat(script.accessTokenLength)}`,
      id_token: signed(script.alter(claims), script.forgeSignature ? unpublished : key),
    };
  }
}

function newKey(kid = randomBytes(8).toString('hex')): Key {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' } };
}

function signed(claims: Claims, { kid, privateKey }: Key, header: { readonly typ?: string } = {}): string {
  const encoded = [{ alg: 'ES256', kid, ...header }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const text = encoded.join('.');
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

function stop(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
