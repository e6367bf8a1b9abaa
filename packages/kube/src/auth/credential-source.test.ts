import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Auth } from '../kubeconfig/cluster-config.ts';
import { rejection } from '../kubeconfig/test-kubeconfig.ts';
import { createCredentialSource } from './credential-source.ts';
import { first, second } from './test-certificates.ts';
import { testFolder } from './test-folder.ts';

function sourceOf(auth: Auth, now: () => number = () => 0) {
  return createCredentialSource({ server: 'https://hub.example', source: 'test', auth }, { now });
}

const embedded = {
  kind: 'certificate',
  certificate: { from: 'data', pem: first.certificate },
  key: { from: 'data', pem: first.key },
} as const;

describe('createCredentialSource', () => {
  it.each<[string, Auth, object]>([
    ['nothing', { kind: 'none' }, {}],
    ['a token', { kind: 'token', token: 'abc' }, { authorization: 'Bearer abc' }],
    [
      'basic authentication in UTF-8',
      { kind: 'basic', username: 'jäne', password: 'p:w' },
      { authorization: 'Basic asOkbmU6cDp3' },
    ],
    ['a certificate', embedded, first],
    [
      'a certificate and a token',
      { ...embedded, header: { kind: 'token', token: 'abc' } },
      { ...first, authorization: 'Bearer abc' },
    ],
  ])('yields %s, the same after a refusal', async (_, auth, expected) => {
    const source = sourceOf(auth);

    expect(await source.current()).toEqual(expected);
    source.invalidate();
    expect(await source.current()).toEqual(expected);
  });

  it('follows a token file as it changes on disk', async () => {
    const path = join(await testFolder(), 'token');
    let now = 0;
    await writeFile(path, 'one\n');
    const source = sourceOf({ kind: 'tokenFile', path }, () => now);
    expect(await source.current()).toEqual({ authorization: 'Bearer one' });

    await writeFile(path, 'two\n');
    expect(await source.current()).toEqual({ authorization: 'Bearer one' });
    now += 10_000;
    expect(await source.current()).toEqual({ authorization: 'Bearer two' });

    await writeFile(path, 'three\n');
    source.invalidate();
    expect(await source.current()).toEqual({ authorization: 'Bearer three' });
  });

  it('keeps the last token while the file is gone, until the token is refused', async () => {
    const path = join(await testFolder(), 'token');
    let now = 0;
    await writeFile(path, 'one');
    const source = sourceOf({ kind: 'tokenFile', path }, () => now);
    await source.current();

    await rm(path);
    now += 10_000;
    expect(await source.current()).toEqual({ authorization: 'Bearer one' });
    source.invalidate();

    expect(await rejection(source.current())).toMatchObject({
      code: 'KUBE_CREDENTIALS_FAILED',
      message: `The token file ${path} does not exist. Provide it or correct the kubeconfig.`,
    });
  });

  it('refuses a token file that holds no token, without showing what it holds', async () => {
    const path = join(await testFolder(), 'token');
    await writeFile(path, 'hidden one\nhidden two');

    const error = await rejection(sourceOf({ kind: 'tokenFile', path }).current());

    expect(error.code).toBe('KUBE_CREDENTIALS_FAILED');
    expect(error.message).toContain(`${path} does not hold a token in one line`);
    expect(error.message).not.toContain('hidden');
  });

  it('follows certificate files and token file together', async () => {
    const folder = await testFolder();
    const paths = { certificate: join(folder, 'crt'), key: join(folder, 'key'), token: join(folder, 'token') };
    const write = async (pair: typeof first | typeof second, token: string) => {
      await writeFile(paths.certificate, pair.certificate);
      await writeFile(paths.key, pair.key);
      await writeFile(paths.token, token);
    };
    await write(first, 'one');
    const source = sourceOf({
      kind: 'certificate',
      certificate: { from: 'file', path: paths.certificate },
      key: { from: 'file', path: paths.key },
      header: { kind: 'tokenFile', path: paths.token },
    });
    expect(await source.current()).toEqual({ ...first, authorization: 'Bearer one' });

    await write(second, 'two');
    source.invalidate();

    expect(await source.current()).toEqual({ ...second, authorization: 'Bearer two' });
  });
});
