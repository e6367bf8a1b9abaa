import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { first } from '../auth/test-certificates.ts';
import { testFolder } from '../auth/test-folder.ts';
import { loadKubeconfig } from './load.ts';
import { parseKubeconfig } from './parse.ts';
import { base64, errorOf, kubeconfigText, type Lines, rejection } from './test-kubeconfig.ts';

const server = 'server: https://hub.example:6443';
const exec = 'exec: {apiVersion: client.authentication.k8s.io/v1, command: /bin/sh, interactiveMode: Never}';
const parseForeign = (text: string) =>
  parseKubeconfig(text, { source: 'Secret "klutch-bind/kubeconfig"', trust: 'foreign' });

const refused: [string, Lines, string, number][] = [
  ['exec', { user: [exec] }, 'users[0].user.exec', 11],
  ['an empty exec', { user: ['exec: {}'] }, 'users[0].user.exec', 11],
  ['exec next to a token', { user: ['token: abc', exec] }, 'users[0].user.exec', 12],
  ['auth-provider', { user: ['auth-provider: {name: oidc}'] }, 'users[0].user.auth-provider', 11],
  [
    'tokenFile',
    { user: ['tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token'] },
    'users[0].user.tokenFile',
    11,
  ],
  ['tokenFile next to a token', { user: ['token: abc', 'tokenFile: t'] }, 'users[0].user.tokenFile', 12],
  ['client-certificate', { user: ['client-certificate: a', 'client-key: b'] }, 'users[0].user.client-certificate', 11],
  ['client-key', { user: ['client-key: b'] }, 'users[0].user.client-key', 11],
  [
    'certificate-authority',
    { cluster: [server, 'certificate-authority: ca'] },
    'clusters[0].cluster.certificate-authority',
    8,
  ],
  ['proxy-url', { cluster: [server, 'proxy-url: http://10.0.0.1'] }, 'clusters[0].cluster.proxy-url', 8],
];

describe('a kubeconfig from elsewhere', () => {
  it.each(refused)('KON-56 is refused when it holds %s, naming source, line and field', (_, lines, field, line) => {
    const error = errorOf(() => parseForeign(kubeconfigText(lines)));

    expect(error.code).toBe('KUBE_CONFIG_UNTRUSTED');
    expect(error.message).toContain(`Secret "klutch-bind/kubeconfig", line ${line}, ${field}: `);
  });

  it('KON-56 is refused when an entry that no context uses runs a command or names a file', () => {
    const withUser = kubeconfigText().replace('users:', `users:\n- name: idle\n  user: {${exec}}`);
    const withCluster = kubeconfigText().replace(
      'clusters:',
      'clusters:\n- {name: idle, cluster: {certificate-authority: ca}}',
    );

    expect(errorOf(() => parseForeign(withUser)).code).toBe('KUBE_CONFIG_UNTRUSTED');
    expect(errorOf(() => parseForeign(withCluster)).code).toBe('KUBE_CONFIG_UNTRUSTED');
  });

  it('KON-56 is refused when aliases or merge keys hide what it does', () => {
    const aliased = kubeconfigText({ user: ['extensions: &hidden {command: x}', 'exec: *hidden'] });
    const merged = kubeconfigText({ user: ['<<: {tokenFile: /etc/passwd}'] });

    expect(errorOf(() => parseForeign(aliased)).code).toBe('KUBE_CONFIG_UNTRUSTED');
    expect(errorOf(() => parseForeign(merged)).code).toBe('KUBE_CONFIG_UNTRUSTED');
  });

  it('KON-56 is refused before any file it names is opened, also when loaded from a file', async () => {
    const path = join(await testFolder(), 'config');
    await writeFile(path, kubeconfigText({ user: ['tokenFile: /does/not/exist'] }));

    const error = await rejection(loadKubeconfig({ path, trust: 'foreign' }));

    expect(error.code).toBe('KUBE_CONFIG_UNTRUSTED');
    expect(error.message).toContain(`${path}, line 11, users[0].user.tokenFile: `);
  });

  it.each([
    ['a token', { user: ['token: abc'] }],
    [
      'an embedded certificate',
      { user: [`client-certificate-data: ${base64(first.certificate)}`, `client-key-data: ${base64(first.key)}`] },
    ],
    ['basic authentication', { user: ['username: jane', 'password: pw'] }],
    ['an embedded CA', { cluster: [server, `certificate-authority-data: ${base64(first.certificate)}`] }],
    ['no verification of the server', { cluster: [server, 'insecure-skip-tls-verify: true'] }],
    ['empty references', { cluster: [server, 'certificate-authority: ""'], user: ['tokenFile: ""', 'exec: null'] }],
  ])('is accepted with %s', (_, lines) => {
    expect(parseForeign(kubeconfigText(lines)).server).toBe('https://hub.example:6443');
  });
});
