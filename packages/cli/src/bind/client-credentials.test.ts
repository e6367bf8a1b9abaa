import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../testing/run-klutch.ts';
import { KlutchError } from '@klutch/api';
import { clientCredentials, withScope } from './client-credentials.ts';

const wanted = {
  clientId: 'id',
  clientSecret: 'secret',
  tokenUrl: 'https://issuer.example/token',
  scope: 'klutch/bind',
};

async function file(text: string): Promise<string> {
  const path = join(await scratchFolder(), 'credentials');
  await writeFile(path, text);
  return path;
}

describe('CLI-30 clientCredentials', () => {
  it('come from the environment', async () => {
    const env = { OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret', OIDC_TOKEN_URL: wanted.tokenUrl };

    expect(await clientCredentials(undefined, env)).toEqual(wanted);
    expect(await clientCredentials(undefined, { ...env, OIDC_SCOPE: 'x' })).toEqual({ ...wanted, scope: 'x' });
  });

  it.each([
    JSON.stringify({ client_id: 'id', client_secret: 'secret', token_url: wanted.tokenUrl, bind_url: 'x', scope: '' }),
    `client_id: id\nclient_secret: secret\ntoken_url: ${wanted.tokenUrl}\nscope: klutch/bind\n`,
  ])('come from a file: %s', async (text) => {
    expect(await clientCredentials(await file(text), { OIDC_CLIENT_ID: 'other' })).toEqual(wanted);
  });

  it('name what is missing', async () => {
    await expect(clientCredentials(undefined, { OIDC_CLIENT_ID: 'id' })).rejects.toThrow(
      'missing in the environment: OIDC_CLIENT_SECRET, OIDC_TOKEN_URL.',
    );
    await expect(clientCredentials(await file('client_id: id\ntoken_url: 7\nclient_secret: s'), {})).rejects.toThrow(
      /missing in \/.*: token_url\./,
    );
  });

  it.each([
    ['client_secret: "hush', /neither JSON nor YAML/],
    ['- hush', /neither JSON nor YAML/],
    ['client_id: hush\nclient_secret: hush\ntoken_url: hush', /token_url is not a web address/],
  ])('say what is wrong with %j, without repeating it', async (text, problem) => {
    const error = await clientCredentials(await file(text), {}).catch((caught: unknown) => caught as Error);

    expect(String(error)).toMatch(problem);
    expect(String(error)).not.toContain('hush');
  });
});

describe('withScope', () => {
  it('CLI-30 adds the scope to what the backend says about a token, and to nothing else', () => {
    const of = (error: unknown) => (withScope(error, 'a/b') as Error).message;

    expect(of(new KlutchError('KLUTCH_TOKEN_INVALID', 'No.'))).toMatch(/^No\. .*scope "a\/b"/);
    expect(of(new KlutchError('KLUTCH_QUOTA_EXCEEDED', 'No.'))).toBe('No.');
    expect(of(new Error('No.'))).toBe('No.');
  });
});
