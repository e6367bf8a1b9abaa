import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isKlutchError, KlutchError } from '@klutch/api';
import { callHttp, type HttpSettings } from './http-call.ts';

/** How a machine logs in. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenUrl: string;
  readonly scope: string;
}

/**
 * The credentials of a machine: from a file with the fields `client_id`, `client_secret`, `token_url` and `scope`, JSON or
 * YAML, else from `OIDC_CLIENT_ID`, `OIDC_CLIENT_SECRET`, `OIDC_TOKEN_URL` and `OIDC_SCOPE`. Throws `KLUTCH_USAGE`, naming what is missing.
 */
export async function clientCredentials(file: string | undefined, env: NodeJS.ProcessEnv): Promise<ClientCredentials> {
  const found = file === undefined ? env : await fieldsIn(file);
  const name = (key: string) => (file === undefined ? `OIDC_${key.toUpperCase()}` : key);
  const value = (key: string, otherwise = '') => {
    const text = found[name(key)] ?? otherwise;
    return typeof text === 'string' ? text : '';
  };
  const missing = ['client_id', 'client_secret', 'token_url'].filter((key) => value(key) === '').map(name);
  if (missing.length > 0) {
    const place = file === undefined ? 'in the environment' : `in ${resolve(file)}`;
    throw usage(`A login without a person needs client credentials; missing ${place}: ${missing.join(', ')}.`);
  }
  const tokenUrl = value('token_url');
  if (!/^https?:\/\//.test(tokenUrl) || !URL.canParse(tokenUrl))
    throw usage(`The value of ${name('token_url')} is not a web address.`);
  return {
    clientId: value('client_id'),
    clientSecret: value('client_secret'),
    tokenUrl,
    scope: value('scope', defaultScope) || defaultScope,
  };
}

const defaultScope = 'klutch/bind';

/**
 * An access token of the issuer. Throws `KLUTCH_TOKEN_INVALID` when it gives none, naming the scope when that is the reason;
 * no secret is ever part of it.
 */
export async function fetchToken(
  { clientId, clientSecret, tokenUrl, scope }: ClientCredentials,
  settings: HttpSettings,
  signal?: AbortSignal,
): Promise<string> {
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
  const answer = await callHttp(
    tokenUrl,
    {
      method: 'POST',
      signal,
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString(),
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    },
    settings,
  );
  const { access_token: token, error } = fieldsOf(answer.text);
  if (answer.status === 200 && typeof token === 'string' && token !== '') return token;
  const refused = (why: string) => new KlutchError('KLUTCH_TOKEN_INVALID', `The issuer at ${answer.url} ${why}`);
  if (error === 'invalid_scope') {
    throw refused(
      `does not give client ${clientId} the scope "${scope}"; set OIDC_SCOPE to the one the operator named, or have it granted.`,
    );
  }
  if (error === 'invalid_client' || error === 'unauthorized_client' || answer.status === 401) {
    throw refused(`does not accept the client credentials of ${clientId}; check client id and secret.`);
  }
  const reason = typeof error === 'string' && /^\w{1,60}$/.test(error) ? ` (${error})` : '';
  throw refused(
    `answered ${answer.status}${reason} in place of an access token; check the token address and the scope "${scope}".`,
  );
}

/** An error of the backend about a token, with the scope that was asked for: that is what is wrong most often. */
export function withScope(error: unknown, scope: string): unknown {
  if (!isKlutchError(error, 'KLUTCH_TOKEN_INVALID', 'KLUTCH_NOT_ENTITLED')) return error;
  const message = `${error.message} The token was asked for with the scope "${scope}"; set OIDC_SCOPE to the one the operator named.`;
  return new KlutchError(error.code, message, { cause: error });
}

async function fieldsIn(file: string): Promise<Readonly<Record<string, unknown>>> {
  const path = resolve(file);
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw usage(`The file ${path} of --credentials-file cannot be read (${cause.code ?? 'unknown'}).`);
  });
  const { parse } = await import('yaml');
  try {
    const fields: unknown = parse(text);
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
      return fields as Record<string, unknown>;
  } catch {
    // The parser would quote the text, which holds a secret.
  }
  throw usage(
    `The file ${path} of --credentials-file is neither JSON nor YAML with client_id, client_secret and token_url.`,
  );
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(text);
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function usage(problem: string): KlutchError {
  return new KlutchError('KLUTCH_USAGE', problem);
}
