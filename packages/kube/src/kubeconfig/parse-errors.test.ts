import { describe, expect, it } from 'vitest';
import { first, protectedKeys, second } from '../auth/test-certificates.ts';
import { base64, kubeconfigText, type Lines, lineWith, parseError } from './test-kubeconfig.ts';

const server = 'server: https://hub.example:6443';
const ca = `certificate-authority-data: ${base64(first.certificate)}`;
const certificate = `client-certificate-data: ${base64(first.certificate)}`;
const v1 = 'apiVersion: client.authentication.k8s.io/v1';

/** Title; lines; field the error must name; text on the line it must name; words it must say. */
type Case = [title: string, lines: Lines, field: string, onLine: string, says: string | RegExp];

const clusterCases: Case[] = [
  ['no server', { cluster: ['{}'] }, 'clusters[0].cluster.server', 'cluster:', 'is missing'],
  [
    'host and port as server',
    { cluster: ['server: hub.example:6443'] },
    'clusters[0].cluster.server',
    'server:',
    'https://',
  ],
  [
    'server of another scheme',
    { cluster: ['server: ftp://hub'] },
    'clusters[0].cluster.server',
    'server:',
    'not a URL',
  ],
  ['server that is no URL', { cluster: ['server: "https://["'] }, 'clusters[0].cluster.server', 'server:', 'not a URL'],
  [
    'number as server',
    { cluster: ['server: 6443'] },
    'clusters[0].cluster.server',
    'server:',
    'must be text, but is a number',
  ],
  [
    'password in server',
    { cluster: ['server: https://jane:hidden-value@hub'] },
    'clusters[0].cluster.server',
    'server:',
    'user name or password',
  ],
  [
    'CA that is not base64',
    { cluster: [server, 'certificate-authority-data: "%%%%"'] },
    'clusters[0].cluster.certificate-authority-data',
    'certificate-authority-data',
    'is not base64',
  ],
  [
    'CA as bare PEM',
    { cluster: [server, `certificate-authority-data: ${JSON.stringify(first.certificate)}`] },
    'clusters[0].cluster.certificate-authority-data',
    'certificate-authority-data',
    'It is PEM: encode it',
  ],
  [
    'CA that is not PEM',
    { cluster: [server, `certificate-authority-data: ${base64('hello')}`] },
    'clusters[0].cluster.certificate-authority-data',
    'certificate-authority-data',
    'does not hold a certificate in PEM form',
  ],
  [
    'CA encoded twice',
    { cluster: [server, `certificate-authority-data: ${base64(base64(first.certificate))}`] },
    'clusters[0].cluster.certificate-authority-data',
    'certificate-authority-data',
    'once too often',
  ],
  [
    'key as CA',
    { cluster: [server, `certificate-authority-data: ${base64(first.key)}`] },
    'clusters[0].cluster.certificate-authority-data',
    'certificate-authority-data',
    'it is "PRIVATE KEY"',
  ],
  [
    'CA as data and file',
    { cluster: [server, ca, 'certificate-authority: ca.crt'] },
    'clusters[0].cluster.certificate-authority',
    'certificate-authority:',
    'Remove one',
  ],
  [
    'CA and no verification',
    { cluster: [server, ca, 'insecure-skip-tls-verify: true'] },
    'clusters[0].cluster.insecure-skip-tls-verify',
    'insecure-skip-tls-verify',
    'contradicts',
  ],
  [
    'CA file and no verification',
    { cluster: [server, 'certificate-authority: ca.crt', 'insecure-skip-tls-verify: true'] },
    'clusters[0].cluster.insecure-skip-tls-verify',
    'insecure-skip-tls-verify',
    'contradicts',
  ],
  [
    'text as flag',
    { cluster: [server, 'insecure-skip-tls-verify: maybe'] },
    'clusters[0].cluster.insecure-skip-tls-verify',
    'insecure-skip-tls-verify',
    'true or false, but is text',
  ],
  [
    'SOCKS proxy',
    { cluster: [server, 'proxy-url: socks5://hidden-value@proxy:1080'] },
    'clusters[0].cluster.proxy-url',
    'proxy-url',
    'SOCKS proxies are not supported',
  ],
  [
    'bad proxy',
    { cluster: [server, 'proxy-url: proxy:3128'] },
    'clusters[0].cluster.proxy-url',
    'proxy-url',
    'not a URL',
  ],
];

const userCases: Case[] = [
  [
    'number as token',
    { user: ['token: 12345'] },
    'users[0].user.token',
    'token:',
    'is a number. Put the value in quotes',
  ],
  [
    'boolean as password',
    { user: ['username: a', 'password: true'] },
    'users[0].user.password',
    'password:',
    'must be text',
  ],
  [
    'list as token',
    { user: ['token: [hidden-value]'] },
    'users[0].user.token',
    'token:',
    'must be text, but is a list',
  ],
  ['mapping as token', { user: ['token: {a: b}'] }, 'users[0].user.token', 'token:', 'must be text, but is a mapping'],
  ['text as user', { user: ['just text'] }, 'users[0].user', 'user:', 'must be a mapping'],
  ['token of two words', { user: ['token: hidden-value two'] }, 'users[0].user.token', 'token:', 'in one line'],
  ['token with umlaut', { user: ['token: hidden-välue'] }, 'users[0].user.token', 'token:', 'special character'],
  [
    'token and basic',
    { user: ['token: abc', 'username: jane'] },
    'users[0].user.username',
    'username:',
    'Keep one way to authenticate',
  ],
  [
    'token file and basic',
    { user: ['tokenFile: abc', 'password: hidden-value'] },
    'users[0].user.password',
    'password:',
    'Keep one way to authenticate',
  ],
  ['certificate without key', { user: [certificate] }, 'users[0].user', 'user:', 'without a key'],
  ['key without certificate', { user: ['client-key: k'] }, 'users[0].user', 'user:', 'without a certificate'],
  [
    'certificate as data and file',
    { user: [certificate, 'client-certificate: c', 'client-key: k'] },
    'users[0].user.client-certificate',
    'client-certificate:',
    'together with client-certificate-data',
  ],
  [
    'key as data and file',
    { user: [certificate, `client-key-data: ${base64(first.key)}`, 'client-key: k'] },
    'users[0].user.client-key',
    'client-key:',
    'together with client-key-data',
  ],
  [
    'key with a passphrase',
    { user: [certificate, `client-key-data: ${base64(protectedKeys.pkcs8)}`] },
    'users[0].user.client-key-data',
    'client-key-data',
    'passphrase',
  ],
  [
    'certificate as key',
    { user: [certificate, `client-key-data: ${base64(second.certificate)}`] },
    'users[0].user.client-key-data',
    'client-key-data',
    'not a private key: it is "CERTIFICATE"',
  ],
  ['uid without user to act as', { user: ['as-uid: "1"'] }, 'users[0].user.as', 'user:', 'Name the user'],
  ['groups without user to act as', { user: ['as-groups: [a]'] }, 'users[0].user.as', 'user:', 'Name the user'],
  ['text as groups', { user: ['as: a', 'as-groups: b'] }, 'users[0].user.as-groups', 'as-groups', 'must be a list'],
  [
    'number as group',
    { user: ['as: a', 'as-groups:', '- b', '- 7'] },
    'users[0].user.as-groups[1]',
    '- 7',
    'must be text',
  ],
  [
    'authentication provider',
    { user: ['auth-provider: {name: gcp}'] },
    'users[0].user.auth-provider',
    'auth-provider',
    'not supported',
  ],
];

const execCases: Case[] = [
  ['no command', { user: ['exec:', `  ${v1}`] }, 'users[0].user.exec.command', 'exec:', 'is missing'],
  ['no version', { user: ['exec:', '  command: a'] }, 'users[0].user.exec.apiVersion', 'exec:', 'is missing'],
  [
    'old version',
    { user: ['exec:', '  command: a', `  ${v1}alpha1`] },
    'users[0].user.exec.apiVersion',
    'v1alpha1',
    'not supported',
  ],
  [
    'v1 without interactiveMode',
    { user: ['exec:', '  command: a', `  ${v1}`] },
    'users[0].user.exec.interactiveMode',
    'exec:',
    'is missing',
  ],
  [
    'unknown interactiveMode',
    { user: ['exec:', '  command: a', `  ${v1}`, '  interactiveMode: Often'] },
    'users[0].user.exec.interactiveMode',
    'interactiveMode',
    '"Often" is not known',
  ],
  [
    'number as argument',
    { user: ['exec:', '  command: a', '  args: [--port, 8000]'] },
    'users[0].user.exec.args[1]',
    'args',
    'must be text',
  ],
  [
    'variable without name',
    { user: ['exec:', '  command: a', '  env:', '  - value: hidden-value'] },
    'users[0].user.exec.env[0].name',
    '- value',
    'is missing',
  ],
];

const contextCases: Case[] = [
  ['no cluster', { context: ['user: jane'] }, 'contexts[0].context.cluster', 'context:', 'Choose one of "hub"'],
  ['unknown cluster', { context: ['cluster: x'] }, 'contexts[0].context.cluster', 'cluster: x', 'Choose one of "hub"'],
  [
    'unknown user',
    { context: ['cluster: hub', 'user: bob'] },
    'contexts[0].context.user',
    'user: bob',
    'Choose one of "jane"',
  ],
  [
    'impossible namespace',
    { context: ['cluster: hub', 'namespace: a/../b'] },
    'contexts[0].context.namespace',
    'namespace:',
    'not the name of a namespace',
  ],
];

describe('a kubeconfig with a wrong field', () => {
  it.each([...clusterCases, ...userCases, ...execCases, ...contextCases])(
    'is refused by line and field, without showing values: %s',
    (_, lines, field, onLine, says) => {
      const text = kubeconfigText(lines);

      const error = parseError(text);

      expect(error.code).toBe('KUBE_CONFIG_INVALID');
      expect(error.message).toContain(`test-config, line ${expectedLine(text, field, onLine)}, ${field}: `);
      expect(error.message).toMatch(says);
      expect(error.message).not.toContain('hidden-v');
    },
  );
});

/** The line below the list the field is in, as `cluster:` also occurs in contexts. */
function expectedLine(text: string, field: string, onLine: string): number {
  const list = `${field.split('[')[0]}:`;
  const start = lineWith(text, list);
  return start + lineWith(text.split('\n').slice(start).join('\n'), onLine);
}
