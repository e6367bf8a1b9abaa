import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { first } from '../auth/test-certificates.ts';
import { testFolder } from '../auth/test-folder.ts';
import { inClusterConfig } from './in-cluster.ts';
import { rejection } from './test-kubeconfig.ts';

const pod = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };

async function serviceAccount(): Promise<string> {
  const folder = await testFolder();
  await writeFile(join(folder, 'token'), 'pod-token\n');
  await writeFile(join(folder, 'ca.crt'), first.certificate);
  await writeFile(join(folder, 'namespace'), 'team-a\n');
  return folder;
}

describe('inClusterConfig', () => {
  it('uses the service of the environment and the files of the service account', async () => {
    const folder = await serviceAccount();

    expect(await inClusterConfig(pod, folder)).toEqual({
      server: 'https://10.96.0.1:443',
      source: 'in-cluster',
      namespace: 'team-a',
      ca: { from: 'file', path: join(folder, 'ca.crt') },
      auth: { kind: 'tokenFile', path: join(folder, 'token') },
    });
  });

  it('puts an IPv6 address in brackets', async () => {
    const config = await inClusterConfig({ ...pod, KUBERNETES_SERVICE_HOST: 'fd00::1' }, await serviceAccount());

    expect(config?.server).toBe('https://[fd00::1]:443');
  });

  it('prefers the namespace the pod was told', async () => {
    const config = await inClusterConfig({ ...pod, POD_NAMESPACE: 'team-b' }, await serviceAccount());

    expect(config?.namespace).toBe('team-b');
  });

  it.each([
    {},
    { KUBERNETES_SERVICE_HOST: '10.96.0.1' },
    { KUBERNETES_SERVICE_HOST: '', KUBERNETES_SERVICE_PORT: '443' },
  ])('is undefined outside of a pod: %j', async (env) => {
    expect(await inClusterConfig(env, '/does/not/exist')).toBeUndefined();
  });

  it('does without CA and namespace files', async () => {
    const folder = await serviceAccount();
    await rm(join(folder, 'ca.crt'));
    await rm(join(folder, 'namespace'));

    const config = await inClusterConfig(pod, folder);

    expect(config).toMatchObject({ server: 'https://10.96.0.1:443', ca: undefined, namespace: undefined });
  });

  it('says what to do when the pod has no service account', async () => {
    const error = await rejection(inClusterConfig(pod, join(await testFolder(), 'none')));

    expect(error.code).toBe('KUBE_CONFIG_UNREADABLE');
    expect(error.message).toMatch(/none\/token does not exist.*automountServiceAccountToken/);
  });

  it.each([
    ['token', '', /token does not hold a token/],
    ['token', 'two words', /token does not hold a token/],
    ['ca.crt', 'not a certificate', /ca\.crt does not hold a certificate/],
  ])('refuses the file %s that holds "%s"', async (name, content, message) => {
    const folder = await serviceAccount();
    await writeFile(join(folder, name), content);

    expect(await rejection(inClusterConfig(pod, folder))).toMatchObject({
      code: 'KUBE_CONFIG_INVALID',
      message: expect.stringMatching(message),
    });
  });

  it('refuses a folder in place of the CA file', async () => {
    const folder = await serviceAccount();
    await rm(join(folder, 'ca.crt'));
    await mkdir(join(folder, 'ca.crt'));

    const error = await rejection(inClusterConfig(pod, folder));

    expect(error).toMatchObject({ code: 'KUBE_CONFIG_UNREADABLE', message: expect.stringContaining('is a folder') });
  });
});
