import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { createUser } from './user.ts';

describe('user of a plane', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kit-user-'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  const address = () => ({ url: 'https://127.0.0.1:6443', dir, certificateAuthority: 'authority pem' });
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  it('with a certificate has a kubeconfig that holds everything needed', async () => {
    const user = await createUser(address(), 'jane', { certificate: 'certificate pem', key: 'key pem' });
    expect(parse(user.kubeconfig)).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'plane',
          cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority-data': base64('authority pem') },
        },
      ],
      users: [
        {
          name: 'jane',
          user: {
            'client-certificate-data': base64('certificate pem'),
            'client-key-data': base64('key pem'),
          },
        },
      ],
      contexts: [{ name: 'plane', context: { cluster: 'plane', user: 'jane' } }],
      'current-context': 'plane',
    });
  });

  it('with a token has it in the kubeconfig', async () => {
    const user = await createUser(address(), 'dev', { token: 'abc' });
    expect(parse(user.kubeconfig).users).toEqual([{ name: 'dev', user: { token: 'abc' } }]);
  });

  it('has a kubeconfig file that only we can read, whatever the name', async () => {
    const user = await createUser(address(), 'system:serviceaccount:a/b:../c', { token: 'abc' });
    expect(await readFile(user.kubeconfigPath, 'utf8')).toBe(user.kubeconfig);
    expect((await stat(user.kubeconfigPath)).mode & 0o777).toBe(0o600);
  });
});
