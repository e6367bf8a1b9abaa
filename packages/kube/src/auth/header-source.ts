import type { HeaderAuth } from '../kubeconfig/cluster-config.ts';
import { cleanToken } from './bearer-token.ts';
import type { Credentials, CredentialSource } from './credentials.ts';
import { credentialFileFailed, credentialsFailed } from './credentials-failed.ts';
import { fixedSource } from './fixed-source.ts';
import { watchedFile } from './watched-file.ts';

/** Credentials that travel in the `Authorization` header. A token file is followed as it changes on disk. */
export function headerSource(auth: HeaderAuth, now: () => number): CredentialSource {
  switch (auth.kind) {
    case 'token':
      return fixedSource(bearer(auth.token));
    case 'basic':
      return fixedSource(basic(auth.username, auth.password));
    case 'tokenFile':
      return tokenFileSource(auth.path, now);
  }
}

function tokenFileSource(path: string, now: () => number): CredentialSource {
  const file = watchedFile(path, (text) => bearer(tokenIn(text, path)), now);
  return {
    current: async () => {
      try {
        return await file.current();
      } catch (cause) {
        throw credentialFileFailed('token', path, cause);
      }
    },
    invalidate: () => file.invalidate(),
  };
}

function tokenIn(text: string, path: string): string {
  const token = cleanToken(text);
  if (token === undefined)
    throw credentialsFailed(`The file ${path} does not hold a token in one line. Write it again.`);
  return token;
}

function bearer(token: string): Credentials {
  return { authorization: `Bearer ${token}` };
}

function basic(username: string, password: string): Credentials {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}` };
}
