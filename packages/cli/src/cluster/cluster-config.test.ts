import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderKubeconfig } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../testing/run-klutch.ts';
import { clusterConfig } from './cluster-config.ts';
import type { ConnectionFlags } from './connection-flags.ts';

async function kubeconfig(): Promise<string> {
  const file = join(await scratchFolder(), 'config');
  await writeFile(
    file,
    renderKubeconfig({ server: 'https://app.example:6443', namespace: 'team', user: { token: 'mine' } }),
  );
  return file;
}

async function pem(): Promise<string> {
  const file = join(await scratchFolder(), 'ca.pem');
  await writeFile(file, '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n');
  return file;
}

describe('clusterConfig', () => {
  it.each([
    [{}, { server: 'https://app.example:6443', namespace: 'team', auth: { kind: 'token', token: 'mine' } }],
    [{ server: 'https://other.example/' }, { server: 'https://other.example', auth: { token: 'mine' } }],
    [{ server: 'other.example:1' }, { server: 'https://other.example:1' }],
    [{ server: 'http://other.example' }, { auth: { kind: 'none' } }],
    [{ token: 'theirs' }, { auth: { kind: 'token', token: 'theirs' } }],
    [{ username: 'jane', password: 'hush' }, { auth: { kind: 'basic', username: 'jane', password: 'hush' } }],
    [{ namespace: 'other' }, { namespace: 'other' }],
    [{ as: 'jane', asGroup: ['a', 'b'], asUid: '7' }, { impersonate: { user: 'jane', groups: ['a', 'b'], uid: '7' } }],
    [{ insecureSkipTlsVerify: true }, { insecureSkipTlsVerify: true, ca: undefined }],
    [
      { tlsServerName: 'x', proxyUrl: 'http://p.example' },
      { tlsServerName: 'x', proxyUrl: 'http://p.example' },
    ],
  ] as const)('follows %j', async (flags: ConnectionFlags, expected) => {
    expect(await clusterConfig({ kubeconfig: await kubeconfig(), ...flags }, {})).toMatchObject(expected);
  });

  it('trusts the certificates of a file', async () => {
    const config = await clusterConfig({ kubeconfig: await kubeconfig(), certificateAuthority: await pem() }, {});

    expect(config).toMatchObject({
      ca: { from: 'data', pem: expect.stringContaining('BEGIN') as string },
      insecureSkipTlsVerify: false,
    });
  });

  it('needs no kubeconfig when the command line says everything', async () => {
    const config = await clusterConfig({ server: 'https://x.example', token: 't' }, { HOME: '/nowhere' });

    expect(config).toMatchObject({
      server: 'https://x.example',
      source: '--server, and the command line',
      auth: { token: 't' },
    });
  });

  it('uses KUBECONFIG', async () => {
    expect((await clusterConfig({}, { KUBECONFIG: await kubeconfig() })).namespace).toBe('team');
  });

  it.each([
    [{ asGroup: ['a'] }, /need --as/],
    [{ token: 'a', username: 'b' }, /--token contradicts/],
    [{ certificateAuthority: 'a', insecureSkipTlsVerify: true }, /--certificate-authority contradicts/],
    [{ certificateAuthority: '/nowhere' }, /The file \/nowhere of --certificate-authority does not exist/],
    [{ server: 'https://' }, /--server is not the address/],
    [{ user: 'joe' }, /there is no user "joe"/],
    [{ cluster: 'x' }, /there is no cluster "x"/],
    [{ context: 'x' }, /there is no context "x"/],
  ] as const)('says what is wrong with %j', async (flags: ConnectionFlags, problem) => {
    await expect(clusterConfig({ kubeconfig: await kubeconfig(), ...flags }, {})).rejects.toThrow(problem);
  });

  it('does not take a key for a certificate', async () => {
    const file = join(await scratchFolder(), 'key.pem');
    await writeFile(file, '-----BEGIN PRIVATE KEY-----\nhush\n');
    const error = await clusterConfig({ kubeconfig: await kubeconfig(), certificateAuthority: file }, {}).catch(
      (caught: unknown) => caught,
    );

    expect(String(error)).toMatch(/holds no certificate/);
    expect(String(error)).not.toContain('hush');
  });
});
