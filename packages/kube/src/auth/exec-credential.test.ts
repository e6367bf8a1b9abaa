import { describe, expect, it } from 'vitest';
import type { ClusterConfig, ExecPlugin } from '../kubeconfig/cluster-config.ts';
import { execInfo, readExecCredential } from './exec-credential.ts';
import { first, second } from './test-certificates.ts';

const plugin: ExecPlugin = {
  command: 'login',
  args: [],
  env: {},
  apiVersion: 'client.authentication.k8s.io/v1',
  provideClusterInfo: false,
};
const config: ClusterConfig = { server: 'https://hub.example', source: 'test', auth: { kind: 'exec', plugin } };

describe('execInfo', () => {
  it('tells version and mode', () => {
    expect(JSON.parse(execInfo(plugin, true, config, undefined))).toEqual({
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1',
      spec: { interactive: true },
    });
  });

  it('tells about the cluster only when asked to', () => {
    const asking = { ...plugin, provideClusterInfo: true, clusterConfig: { audience: 'hub' } };
    const cluster: ClusterConfig = {
      ...config,
      tlsServerName: 'api.internal',
      insecureSkipTlsVerify: true,
      proxyUrl: 'http://proxy:3128',
    };

    expect(JSON.parse(execInfo(plugin, false, cluster, 'pem')).spec.cluster).toBeUndefined();
    expect(JSON.parse(execInfo(asking, false, cluster, 'pem')).spec.cluster).toEqual({
      server: 'https://hub.example',
      'tls-server-name': 'api.internal',
      'insecure-skip-tls-verify': true,
      'certificate-authority-data': Buffer.from('pem').toString('base64'),
      'proxy-url': 'http://proxy:3128',
      config: { audience: 'hub' },
    });
  });
});

describe('readExecCredential', () => {
  const version = 'client.authentication.k8s.io/v1';
  const read = (status: unknown, change: object = {}) =>
    readExecCredential(JSON.stringify({ apiVersion: version, kind: 'ExecCredential', status, ...change }), version);
  const pair = { clientCertificateData: first.certificate, clientKeyData: first.key };

  it.each([
    ['a token', { token: 'abc' }, { authorization: 'Bearer abc' }],
    ['a token that ends with a line break', { token: 'abc\n' }, { authorization: 'Bearer abc' }],
    ['a certificate', pair, first],
    ['both', { ...pair, token: 'abc' }, { ...first, authorization: 'Bearer abc' }],
    [
      'fields that are null',
      { token: 'abc', clientKeyData: null, expirationTimestamp: null },
      { authorization: 'Bearer abc' },
    ],
  ])('takes %s', (_, status, credentials) => {
    expect(read(status)).toEqual({ kind: 'credentials', credentials, expiresAt: undefined });
  });

  it('takes the expiry', () => {
    expect(read({ token: 'abc', expirationTimestamp: '2030-01-02T03:04:05Z' })).toMatchObject({
      expiresAt: Date.UTC(2030, 0, 2, 3, 4, 5),
    });
  });

  it.each([
    ['no status', undefined, /without a status/],
    ['status as text', 'hidden', /without a status/],
    ['nothing in it', {}, /without a token or a client certificate/],
    ['an empty token', { token: '' }, /without a token or a client certificate/],
    ['a number as token', { token: 7 }, /token that is not text/],
    ['a token of two words', { token: 'hidden hidden' }, /cannot be sent in an HTTP header/],
    ['a certificate alone', { clientCertificateData: first.certificate }, /only one of/],
    ['a key next to a token', { token: 'abc', clientKeyData: first.key }, /only one of/],
    [
      'a certificate that is no PEM',
      { ...pair, clientCertificateData: 'hidden' },
      /clientCertificateData that does not hold/,
    ],
    ['a key that is no PEM', { ...pair, clientKeyData: 'hidden' }, /clientKeyData that does not hold/],
    ['a pair that does not fit', { ...pair, clientKeyData: second.key }, /do not belong together/],
    ['a wrong time', { token: 'abc', expirationTimestamp: 'hidden' }, /not a time/],
    ['a number as time', { token: 'abc', expirationTimestamp: 1 }, /expirationTimestamp that is not text/],
  ])('refuses %s without showing it', (_, status, problem) => {
    const answer = read(status);

    expect(answer).toMatchObject({ kind: 'problem', problem: expect.stringMatching(problem) });
    expect(JSON.stringify(answer)).not.toContain('hidden');
  });

  it.each(['', 'hidden', '[]', 'null', '"hidden"', '{"kind": "ExecCredential"', '{"kind": "hidden"}'])(
    'refuses the output %j',
    (output) => {
      const answer = readExecCredential(output, version);

      expect(answer.kind).toBe('problem');
      expect(JSON.stringify(answer)).not.toContain('hidden');
    },
  );

  it('refuses another version than the one asked for', () => {
    expect(read({ token: 'abc' }, { apiVersion: 'client.authentication.k8s.io/v1beta1' })).toEqual({
      kind: 'problem',
      problem: `must answer with apiVersion "${version}", but answered with "client.authentication.k8s.io/v1beta1"`,
    });
    expect(read({ token: 'abc' }, { apiVersion: undefined })).toMatchObject({
      problem: expect.stringMatching(/with none$/),
    });
  });
});
