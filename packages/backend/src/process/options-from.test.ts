import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderKubeconfig } from '@klutch/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { optionsFrom } from './options-from.ts';

const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const key = (length: number) => randomBytes(length).toString('base64');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'klutch-backend-'));
  await writeFile(
    join(folder, 'config'),
    renderKubeconfig({ server: 'https://127.0.0.1:1', ca: pem, namespace: 'ops', user: { token: 'x' } }),
  );
  await writeFile(join(folder, 'ca.pem'), pem);
  await writeFile(join(folder, 'secret'), 'from-file\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = (name: string) => join(folder, name);
/** What a backend with a web server cannot do without. */
const least = () => ({
  kubeconfig: file('config'),
  'external-url': 'https://bind.example.org/',
  'oidc-issuer-url': 'https://issuer.example.org/realms/x/',
  'oidc-issuer-client-id': 'klutch',
  'oidc-client-secret-file': file('secret'),
  'cookie-signing-key': key(32),
  'allow-all-users': 'true',
});
type Given = Readonly<Record<string, string | undefined>>;
const argsOf = (given: Given) =>
  Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`]));
const read = (given: Given = {}, env: NodeJS.ProcessEnv = {}, more: readonly string[] = []) =>
  optionsFrom([...argsOf({ ...least(), ...given }), ...more], env, '1.2.3');

describe('the options of a backend', () => {
  it('have defaults that work', async () => {
    const { options } = await read();

    expect(options).toMatchObject({
      version: '1.2.3',
      namespace: 'ops',
      prettyName: 'Klutch',
      namespacePrefix: 'cluster',
      consumerScope: 'Namespaced',
      isolation: 'Prefixed',
      external: { server: 'https://127.0.0.1:1', ca: pem },
      listen: { host: '127.0.0.1', port: 8080 },
      operations: { host: '127.0.0.1', port: 8081 },
      controlPlaneMode: false,
      konnectorImages: [],
      credentials: { lifetimeSeconds: 604_800, graceSeconds: 3600, expirySeconds: 7_776_000 },
      lease: { name: 'klutch-backend' },
      web: {
        baseUrl: 'https://bind.example.org',
        issuer: {
          url: 'https://issuer.example.org/realms/x/',
          clientSecrets: { value: ['from-file'] },
          callbackUrl: 'https://bind.example.org/callback',
          scopes: ['openid', 'profile', 'email'],
        },
        policy: { allowAll: true, groupsClaim: 'groups', machines: { scope: 'klutch/bind' } },
      },
    });
    expect(options.konnectorImage).toMatch(/\/konnector:v1\.2\.3$/);
    expect(options.listen.tls).toBeUndefined();
  });

  it('take all flags of the Go backend', async () => {
    const args = argsOf({
      kubeconfig: file('config'),
      'namespace-prefix': 'kube-bind-',
      'pretty-name': 'Acme',
      'consumer-scope': 'cluster',
      'cluster-scoped-isolation': 'none',
      'external-address': 'https://api.example.org:6443/',
      'external-ca-file': file('ca.pem'),
      'external-server-name': 'api',
      'oidc-issuer-client-id': 'klutch',
      'oidc-issuer-client-secret': 's3cret',
      'oidc-issuer-url': 'https://issuer.example.org',
      'oidc-callback-url': 'https://bind.example.org/callback',
      'oidc-authorize-url': 'https://bind.example.org/authorize',
      'cookie-signing-key': key(64),
      'cookie-encryption-key': key(24),
      'listen-ip': '0.0.0.0',
      'listen-port': '9443',
      'tls-cert-file': '/tls/crt',
      'tls-key-file': '/tls/key',
      'control-plane-mode': 'true',
      'testing-auto-select': 'a.b',
      vmodule: 'a=1',
      'allowed-groups': 'ops',
    });
    const { options, warnings } = await optionsFrom([...args, '-v=2', '--logging-format=text'], {}, 'v1.0.0');

    expect(options).toMatchObject({
      prettyName: 'Acme',
      namespacePrefix: 'kube-bind',
      consumerScope: 'Cluster',
      isolation: 'None',
      external: { server: 'https://api.example.org:6443/', ca: pem, serverName: 'api' },
      listen: { host: '0.0.0.0', port: 9443, tls: { certFile: '/tls/crt', keyFile: '/tls/key' } },
      controlPlaneMode: true,
      web: { baseUrl: 'https://bind.example.org', issuer: { clientSecrets: { value: ['s3cret'] } } },
    });
    expect(options.web?.sealingKeys.value.map(({ length }) => length)).toEqual([88]);
    expect(warnings.join()).toMatch(/--oidc-issuer-client-secret.*--cookie-signing-key.*--cookie-encryption-key/s);
    expect(warnings.join()).not.toContain('s3cret');
  });

  it('take several keys and secrets, one a line, and read their files again', async () => {
    const [keys, secret] = [file('rolling-keys'), file('rolling-secret')];
    await writeFile(keys, `${key(32)}\n${key(64)}\n`);
    await writeFile(secret, 'old\n');
    const given = {
      'cookie-signing-key': undefined,
      'cookie-signing-key-file': keys,
      'oidc-client-secret-file': secret,
    };
    const { options } = await read(given, { COOKIE_ENCRYPTION_KEY: key(16) });
    const lengths = (some: readonly Uint8Array[] = []) => some.map(({ length }) => length);

    expect(lengths(options.web?.sealingKeys.value)).toEqual([48, 80]);
    expect(options.web?.issuer.clientSecrets.value).toEqual(['old']);

    await writeFile(keys, key(64));
    await writeFile(secret, '\n new \r\nold');
    expect(lengths(await options.web?.sealingKeys.read?.())).toEqual([80]);
    expect(await options.web?.issuer.clientSecrets.read?.()).toEqual(['new', 'old']);

    await writeFile(keys, 'not base64!');
    await writeFile(secret, '\n');
    await expect(options.web?.sealingKeys.read?.()).rejects.toThrow('--cookie-signing-key must be base64');
    await expect(options.web?.issuer.clientSecrets.read?.()).rejects.toThrow('--oidc-client-secret-file names');
  });

  it('S-17 take secrets from files and the environment', async () => {
    const given = { 'oidc-client-secret-file': undefined, 'cookie-signing-key': undefined };
    const { options, warnings } = await read(given, { OIDC_CLIENT_SECRET: 'from-env', COOKIE_SIGNING_KEY: key(32) });

    expect(options.web?.issuer.clientSecrets).toEqual({ value: ['from-env'] });
    expect(warnings).toEqual([]);
  });

  it.each<[readonly string[], object]>([
    [[], { audiences: ['klutch', 'https://bind.example.org'], allowNoAudience: false }],
    [['--machine-audience=api://klutch'], { audiences: ['api://klutch'], allowNoAudience: false }],
    [['--machine-audience=none'], { audiences: [], allowNoAudience: true }],
    [['--machine-audience=a,none', '--machine-audience=b'], { audiences: ['a', 'b'], allowNoAudience: true }],
  ])('with %j say for which audience tokens of machines must be', async (more, expected) => {
    const { options } = await read({}, {}, more);

    expect(options.web?.policy.machines).toMatchObject(expected);
  });

  it('know teams, machines and limits', async () => {
    const more = ['--machine-clients=ci,robot=acme', '--machine-clients', 'other', '--trusted-proxies=10.0.0.0/8'];
    const { options } = await read(
      {
        'allow-all-users': 'false',
        'allowed-users': 'a@example.org, b@example.org',
        'tenant-groups': 'team-(.+)',
        'token-lifetime': '1h30m',
        'token-grace': '5m',
        'app-cluster-expiry': '0',
        'max-clusters-per-tenant': '7',
      },
      {},
      more,
    );

    expect(options.web?.policy).toMatchObject({ allowAll: false, allowedUsers: ['a@example.org', 'b@example.org'] });
    expect(options.web?.policy.tenantGroups?.exec('team-a')?.[1]).toBe('a');
    expect(options.web?.policy.tenantGroups?.test('not-team-a')).toBe(false);
    expect([...(options.web?.policy.machines.clients ?? [])]).toEqual([
      ['ci', undefined],
      ['robot', 'acme'],
      ['other', undefined],
    ]);
    expect(options.web?.trustedProxies).toEqual(['10.0.0.0/8']);
    expect(options).toMatchObject({ credentials: { lifetimeSeconds: 5400, graceSeconds: 300, expirySeconds: 0 } });
    expect(options.quotas.clustersPerTenant).toBe(7);
  });

  it('need no web server in control-plane mode', async () => {
    const { options } = await optionsFrom([`--kubeconfig=${file('config')}`, '--control-plane-mode'], {}, '1.0.0');

    expect(options.controlPlaneMode).toBe(true);
    expect(options.web).toBeUndefined();
  });

  it('learn namespace and identity from the pod', async () => {
    const { options } = await read({}, { POD_NAME: 'p-1', POD_NAMESPACE: 'klutch' });

    expect(options).toMatchObject({ namespace: 'klutch', lease: { identity: expect.stringMatching(/^p-1_./) } });
    expect((await read({ namespace: 'own' }, { POD_NAMESPACE: 'klutch' })).options.namespace).toBe('own');
  });

  it('warn when kubeconfigs would lack certificates', async () => {
    await writeFile(file('bare'), renderKubeconfig({ server: 'https://127.0.0.1:1', user: { token: 'x' } }));

    expect((await read({ kubeconfig: file('bare') })).warnings.join()).toContain('--external-ca-file');
  });
});

describe('a backend refuses to start', () => {
  it.each<[string, Given]>([
    ['--tls-key-file is missing', { 'tls-cert-file': '/x' }],
    ['--tls-cert-file is missing', { 'tls-key-file': '/x' }],
    ['--cookie-encryption-key must be base64 of 16, 24 or 32 bytes, not of 10', { 'cookie-encryption-key': key(10) }],
    ['--cookie-encryption-key must be base64.', { 'cookie-encryption-key': 'ä' }],
    ['--cookie-signing-key must be base64 of at least 32 bytes, not of 16', { 'cookie-signing-key': key(16) }],
    ['--cookie-signing-key-file is required, or', { 'cookie-signing-key': undefined }],
    ['--cookie-signing-key contradicts --cookie-signing-key-file', { 'cookie-signing-key-file': '/x' }],
    [
      '--oidc-client-secret-file is required, or the environment variable OIDC_CLIENT_SECRET',
      { 'oidc-client-secret-file': undefined },
    ],
    ['--oidc-client-secret-file names /not/there, which does not exist', { 'oidc-client-secret-file': '/not/there' }],
    ['--oidc-issuer-url is required', { 'oidc-issuer-url': undefined }],
    ['--oidc-issuer-url must be https', { 'oidc-issuer-url': 'http://issuer.example.org' }],
    ['--oidc-issuer-client-id is required', { 'oidc-issuer-client-id': undefined }],
    ['--oidc-scopes must include openid', { 'oidc-scopes': 'email' }],
    ['--oidc-ca-file names', { 'oidc-ca-file': '/not/there' }],
    ['--external-url is required', { 'external-url': undefined }],
    ['--external-url must be https', { 'external-url': 'http://bind.example.org' }],
    ['--external-url must be an https URL', { 'external-url': 'bind.example.org' }],
    ['--external-address must be a URL that begins with https://', { 'external-address': 'http://x' }],
    ['--consumer-scope must be one of Namespaced, Cluster', { 'consumer-scope': 'x' }],
    ['--cluster-scoped-isolation must be one of', { 'cluster-scoped-isolation': 'x' }],
    ['--namespace-prefix must be', { 'namespace-prefix': 'Not_A_Label' }],
    ['--listen-address must be', { 'listen-address': 'here' }],
    ['--listen-address must be', { 'listen-address': '0.0.0.0:70000' }],
    ['--token-lifetime must be a time of at least 10m', { 'token-lifetime': '1m' }],
    ['--app-cluster-expiry must be a time of at least 2d', { 'app-cluster-expiry': '1d' }],
    ['--token-grace must be at most half', { 'token-lifetime': '1h', 'token-grace': '40m' }],
    ['--max-clusters-per-tenant must be a whole number', { 'max-clusters-per-tenant': '0' }],
    ['--requests-per-minute must be a whole number', { 'requests-per-minute': 'x' }],
    ['--tenant-groups must be a regular expression', { 'tenant-groups': '(' }],
    ['--machine-clients must be', { 'machine-clients': 'a=' }],
    [
      '--allowed-users or --allowed-groups, or let every account of the issuer in with --allow-all-users',
      { 'allow-all-users': 'false' },
    ],
    ["Unknown option '--no-such-flag'", { 'no-such-flag': 'x' }],
  ])('BE-61 saying "%s"', async (message, given) => {
    const failure = await read(given).catch((error: Error) => error);

    expect(failure).toMatchObject({ code: 'KLUTCH_USAGE', message: expect.stringContaining(message) });
  });

  it('BE-61 without quoting keys', async () => {
    const secret = key(10);

    await expect(read({ 'cookie-encryption-key': secret })).rejects.not.toThrow(secret);
  });

  it('lets http through when told to', async () => {
    const given = { 'external-url': 'http://bind.example.org', 'insecure-http': 'true' };

    expect((await read(given)).options.web).toMatchObject({ baseUrl: 'http://bind.example.org', allowHttp: true });
    expect((await read({ 'external-url': 'http://127.0.0.1:8080' })).options.web?.allowHttp).toBe(false);
  });
});
