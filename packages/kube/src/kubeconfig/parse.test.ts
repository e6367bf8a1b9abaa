import { describe, expect, it } from 'vitest';
import { first, second } from '../auth/test-certificates.ts';
import { parseKubeconfig } from './parse.ts';
import { base64, errorOf, kubeconfigText, type Lines } from './test-kubeconfig.ts';

const parse = (lines: Lines, options: { context?: string; folder?: string } = {}) =>
  parseKubeconfig(kubeconfigText(lines), { source: 'test-config', trust: 'local', folder: '/etc/kube', ...options });

const server = 'server: https://hub.example:6443';
const certificateData = `client-certificate-data: ${base64(first.certificate)}`;
const keyData = `client-key-data: ${base64(first.key)}`;
const embedded = {
  kind: 'certificate',
  certificate: { from: 'data', pem: first.certificate },
  key: { from: 'data', pem: first.key },
};
const plugin = {
  command: 'login',
  args: [],
  env: {},
  apiVersion: 'client.authentication.k8s.io/v1',
  provideClusterInfo: false,
  interactiveMode: 'Never',
};
const execLines = [
  'exec:',
  '  apiVersion: client.authentication.k8s.io/v1',
  '  command: login',
  '  interactiveMode: Never',
];

describe('parseKubeconfig', () => {
  it('resolves the current context into server, namespace and token', () => {
    expect(parse({})).toEqual({
      server: 'https://hub.example:6443',
      source: 'context "dev" of test-config',
      namespace: 'team-a',
      auth: { kind: 'token', token: 'some-token' },
    });
  });

  it('resolves the context it is asked for instead of the current one', () => {
    const text = `${kubeconfigText()}- name: other\n  context: {cluster: hub, user: jane, namespace: team-b}\n`;

    const config = parseKubeconfig(text, { source: 'test-config', trust: 'local', context: 'other' });

    expect(config).toMatchObject({ namespace: 'team-b', source: 'context "other" of test-config' });
  });

  it('does not look at entries the context does not use', () => {
    const text = kubeconfigText().replace('users:', 'users:\n- name: broken\n  user: {token: "a b", as-uid: "1"}');

    expect(parseKubeconfig(text, { source: 'test-config', trust: 'local' }).auth.kind).toBe('token');
  });

  it('accepts JSON, CRLF line ends, a byte order mark, a document marker and merge keys', () => {
    const json = JSON.stringify({
      'current-context': 'dev',
      clusters: [{ name: 'hub', cluster: { server: 'https://hub.example:6443' } }],
      contexts: [{ name: 'dev', context: { cluster: 'hub' } }],
    });
    const merged = kubeconfigText({ context: ['<<: {cluster: hub, user: jane}', 'namespace: team-a'] });
    const texts = [json, kubeconfigText().replaceAll('\n', '\r\n'), `\uFEFF---\n${kubeconfigText()}---\n`, merged];

    for (const text of texts) {
      expect(parseKubeconfig(text, { source: 't', trust: 'foreign' }).server).toBe('https://hub.example:6443');
    }
  });

  it('follows a YAML alias', () => {
    const text = kubeconfigText({ user: ['token: &shared some-token', 'as: *shared'] });

    expect(parseKubeconfig(text, { source: 't', trust: 'local' }).impersonate).toEqual({ user: 'some-token' });
  });

  it('takes tagged values as the text they are', () => {
    const text = kubeconfigText({ user: ['token: !!binary c29tZQ=='] });

    expect(parseKubeconfig(text, { source: 't', trust: 'local' }).auth).toEqual({ kind: 'token', token: 'c29tZQ==' });
  });

  describe('cluster', () => {
    it.each([
      ['https://hub.example:6443', 'https://hub.example:6443'],
      ['https://hub.example:443/', 'https://hub.example:443'],
      ['https://hub.example/k8s/clusters/c-1/', 'https://hub.example/k8s/clusters/c-1'],
      ['https://hub.example/base?x=1#part', 'https://hub.example/base'],
      ['https://[fd00::1]:6443', 'https://[fd00::1]:6443'],
    ])('takes the server %s as %s', (written, expected) => {
      expect(parse({ cluster: [`server: "${written}"`] }).server).toBe(expected);
    });

    it('takes an embedded certificate authority', () => {
      const { ca } = parse({ cluster: [server, `certificate-authority-data: ${base64(first.certificate)}`] });

      expect(ca).toEqual({ from: 'data', pem: first.certificate });
    });

    it('takes base64 that is broken into lines', () => {
      const lines = base64(first.certificate).match(/.{1,76}/g) ?? [];
      const cluster = [server, 'certificate-authority-data: |', ...lines.map((line) => `  ${line}`)];

      expect(parse({ cluster }).ca).toEqual({ from: 'data', pem: first.certificate });
    });

    it.each([
      ['ca.crt', '/etc/kube/ca.crt'],
      ['../pki/ca.crt', '/etc/pki/ca.crt'],
      ['/srv/ca.crt', '/srv/ca.crt'],
    ])('resolves the certificate authority file %s against the folder of the kubeconfig', (written, path) => {
      expect(parse({ cluster: [server, `certificate-authority: ${written}`] }).ca).toEqual({ from: 'file', path });
    });

    it('takes the TLS server name and the proxy', () => {
      const cluster = [server, 'tls-server-name: api.internal', 'proxy-url: http://proxy.example:3128'];

      expect(parse({ cluster })).toMatchObject({
        tlsServerName: 'api.internal',
        proxyUrl: 'http://proxy.example:3128',
      });
    });

    it.each(['true', 'yes', 'On', 'y'])('skips verification when told %s, in any spelling Go knows', (word) => {
      expect(parse({ cluster: [server, `insecure-skip-tls-verify: ${word}`] }).insecureSkipTlsVerify).toBe(true);
    });

    it.each(['false', 'no', 'Off', 'n'])('verifies when told %s, also next to a certificate authority', (word) => {
      const ca = `certificate-authority-data: ${base64(first.certificate)}`;
      const config = parse({ cluster: [server, `insecure-skip-tls-verify: ${word}`, ca] });

      expect(config.insecureSkipTlsVerify).toBeUndefined();
    });
  });

  describe('user', () => {
    const authCases: [string, string[], unknown][] = [
      ['token', ['token: abc'], { kind: 'token', token: 'abc' }],
      ['token with a line break at its end', ['token: "abc\\n"'], { kind: 'token', token: 'abc' }],
      ['token file', ['tokenFile: secrets/token'], { kind: 'tokenFile', path: '/etc/kube/secrets/token' }],
      ['token file before token', ['token: abc', 'tokenFile: /t'], { kind: 'tokenFile', path: '/t' }],
      ['basic', ['username: jane', 'password: pw'], { kind: 'basic', username: 'jane', password: 'pw' }],
      ['embedded certificate', [certificateData, keyData], embedded],
      [
        'certificate files',
        ['client-certificate: jane.crt', 'client-key: /keys/jane.key'],
        {
          kind: 'certificate',
          certificate: { from: 'file', path: '/etc/kube/jane.crt' },
          key: { from: 'file', path: '/keys/jane.key' },
        },
      ],
      [
        'certificate together with token',
        [certificateData, keyData, 'token: abc'],
        { ...embedded, header: { kind: 'token', token: 'abc' } },
      ],
      ['nothing', ['{}'], { kind: 'none' }],
      ['null and empty fields', ['token:', 'username: ""', 'exec: null', 'tokenFile: ~'], { kind: 'none' }],
      ['exec plugin', execLines, { kind: 'exec', plugin }],
      ['token before exec plugin', ['token: abc', ...execLines], { kind: 'token', token: 'abc' }],
      ['certificate before exec plugin', [certificateData, keyData, ...execLines], embedded],
    ];

    it.each(authCases)('authenticates with %s', (_, user, expected) => {
      expect(parse({ user }).auth).toEqual(expected);
    });

    it('is nobody when the context names no user', () => {
      expect(parse({ context: ['cluster: hub'] }).auth).toEqual({ kind: 'none' });
    });

    it('never uses credentials over plain HTTP, as client-go', () => {
      const config = parse({ cluster: ['server: http://hub.example:8080'], user: ['token: abc', 'as: bob'] });

      expect(config).toMatchObject({ auth: { kind: 'none' }, impersonate: { user: 'bob' } });
    });

    it('impersonates user, uid, groups and extra', () => {
      const user = ['token: abc', 'as: bob', 'as-uid: "7"', 'as-groups: [a, b]', 'as-user-extra: {team: [x, y]}'];

      expect(parse({ user }).impersonate).toEqual({
        user: 'bob',
        uid: '7',
        groups: ['a', 'b'],
        extra: { team: ['x', 'y'] },
      });
    });

    it('takes everything an exec plugin can have', () => {
      const user = [
        'exec:',
        '  apiVersion: client.authentication.k8s.io/v1beta1',
        '  command: ./bin/login',
        '  args: [--cluster, hub]',
        '  env: [{name: PROFILE, value: dev}, {name: EMPTY, value: ""}]',
        '  provideClusterInfo: true',
        '  installHint: Get it from https://login.example',
      ];
      const cluster = [
        server,
        'extensions:',
        '- {name: other, extension: {audience: wrong}}',
        '- {name: client.authentication.k8s.io/exec, extension: {audience: hub}}',
      ];

      expect(parse({ cluster, user }).auth).toEqual({
        kind: 'exec',
        plugin: {
          command: '/etc/kube/bin/login',
          args: ['--cluster', 'hub'],
          env: { PROFILE: 'dev', EMPTY: '' },
          apiVersion: 'client.authentication.k8s.io/v1beta1',
          provideClusterInfo: true,
          clusterConfig: { audience: 'hub' },
          interactiveMode: 'IfAvailable',
          installHint: 'Get it from https://login.example',
        },
      });
    });

    it('resolves relative file references against the working folder when no folder is given', () => {
      const text = kubeconfigText({ user: ['tokenFile: token'] });

      const { auth } = parseKubeconfig(text, { source: 't', trust: 'local' });

      expect(auth).toEqual({ kind: 'tokenFile', path: `${process.cwd()}/token` });
    });

    it('keeps certificate and key from mixed sources apart', () => {
      const user = [`client-certificate-data: ${base64(second.certificate)}`, 'client-key: jane.key'];

      expect(parse({ user }).auth).toEqual({
        kind: 'certificate',
        certificate: { from: 'data', pem: second.certificate },
        key: { from: 'file', path: '/etc/kube/jane.key' },
      });
    });
  });

  it('refuses foreign text that is larger than a Secret can be', () => {
    const text = `${kubeconfigText()}# ${'x'.repeat(1024 * 1024)}`;

    const error = errorOf(() => parseKubeconfig(text, { source: 'Secret "a/b"', trust: 'foreign' }));

    expect(error).toMatchObject({ code: 'KUBE_CONFIG_UNREADABLE', message: expect.stringContaining('Secret "a/b"') });
    expect(parseKubeconfig(text, { source: 't', trust: 'local' }).server).toBe('https://hub.example:6443');
  });
});
