import { appCluster as names } from '@klutch/api';
import { Namespaces } from '@klutch/kube';
import { afterEach, expect, it } from 'vitest';
import { runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { sampleApi } from '../konnector/world.ts';
import { bind, onBindStage, openProvider, printedUrl, scratchFile } from './bind-stage.ts';
import { closedPort } from './closed-port.ts';

const description = (changes: object) => ({
  apiVersion: 'v1alpha1',
  kind: 'BindingProvider',
  providerPrettyName: 'Scripted provider',
  version: 'v1.5.0',
  authenticationMethods: [
    { method: 'OAuth2CodeGrant', oauth2CodeGrant: { authenticatedURL: 'http://127.0.0.1:1/authorize' } },
  ],
  ...changes,
});
const page = { type: 'text/html; charset=utf-8', body: '<html><body>Sign in</body></html>' };
const robot = 'client_id: robot\nclient_secret: robot-secret\n';

onBindStage('klutch bind, when something is wrong,', (stage) => {
  // None of these may get as far as writing, and this is the first thing that would be written.
  afterEach(async () => {
    expect(await stage().app.admin.resource(Namespaces).find({ name: names.namespace })).toBeUndefined();
  });
  const oneLine = (err: string) => err.split('\n').filter((line) => line.startsWith('Error: '));

  it.each([
    ['another apiVersion', { apiVersion: 'klutch.anynines.com/v1alpha1' }, /apiVersion/],
    ['version v0.2.9', { version: 'v0.2.9' }, /The provider is of version v0\.2\.9, but 0\.3\.0 or later is needed/],
    ['an empty version', { version: '' }, /version \(none\)/],
    ['no version', { version: undefined }, /version \(none\)/],
  ])('CLI-03 CLI-37 does not begin with a provider of %s', async (_, changes, text) => {
    const provider = await openProvider(stage(), { api: sampleApi() });
    provider.script('/export', { body: description(changes) });

    const run = await bind(stage(), [provider.url]);

    expect(await run.ended()).toBe(8);
    expect(oneLine(run.err())).toEqual([expect.stringMatching(text)]);
  });

  it.each(['v0.0.0', 'v0.3.0', 'v1.5.0'])('CLI-03 goes on with a provider of version %s', async (version) => {
    const provider = await openProvider(stage(), { api: sampleApi() });
    provider.script('/export', { body: description({ version }) });

    const run = await bind(stage(), [provider.url, '--dry-run', '--login-timeout', '200ms']);
    await printedUrl(run);

    expect(await run.ended()).toBe(5);
  });

  it.each([404, 502])(
    'CLI-04 CLI-37 names address and status when the answer is %d with a web page',
    async (status) => {
      const provider = await openProvider(stage(), { api: sampleApi() });
      provider.script('/export', { ...page, status });

      const run = await bind(stage(), [provider.url]);

      expect(await run.ended()).toBe(8);
      expect(oneLine(run.err())).toEqual([
        `Error: The address ${provider.url} answered ${status} with a web page in place of the description of a provider; check the address, which usually ends in /export.`,
      ]);
    },
  );

  it('names the address when a web page is all there is', async () => {
    const provider = await openProvider(stage(), { api: sampleApi() });
    provider.script('/export', page);

    const run = await bind(stage(), [provider.url]);

    expect(await run.ended()).toBe(8);
    expect(oneLine(run.err())[0]).toContain(`${provider.url} answered 200 with a web page`);
  });

  it('CLI-05 CLI-37 does not wait for ever for a provider', async () => {
    const provider = await openProvider(stage(), { api: sampleApi() });
    provider.script('/export', { isSilent: true });

    const run = await bind(stage(), [provider.url, '--timeout', '300ms']);

    expect(await run.ended()).toBe(5);
    expect(oneLine(run.err())[0]).toMatch(
      /did not answer within 0\.3 s; try again later, or wait longer with --timeout\.$/,
    );
  });

  it('says so when nobody listens', async () => {
    const run = await bind(stage(), [`http://127.0.0.1:${await closedPort()}/export`]);

    expect(await run.ended()).toBe(8);
    expect(oneLine(run.err())[0]).toMatch(/cannot be reached \(ECONNREFUSED\); check the address/);
  });

  it('names the flag when the authority of the provider is not known, and uses it', async () => {
    const { app } = stage();
    const ca = await scratchFile('ca.pem', app.caCertificate);
    const address = `${app.url}/export`;

    const unknown = await bind(stage(), [address]);
    const known = await bind(stage(), [address, '--backend-ca-file', ca]);
    const anyone = await bind(stage(), [address, '--insecure-skip-backend-tls-verify']);
    const missing = await bind(stage(), [address, '--backend-ca-file', '/nowhere/ca.pem']);

    expect(await unknown.ended()).toBe(8);
    expect(oneLine(unknown.err())[0]).toMatch(
      /The certificate of .* is not trusted \(\w+\); name .* with --backend-ca-file\.$/,
    );
    expect([await known.ended(), await anyone.ended()]).toEqual([8, 8]);
    expect(oneLine(known.err())[0]).toMatch(/answered 40[134]/);
    expect(oneLine(anyone.err())[0]).toMatch(/answered 40[134]/);
    expect(await missing.ended()).toBe(2);
    expect(missing.err()).toMatch(/The file \/nowhere\/ca\.pem of --backend-ca-file does not exist/);
  });

  it('follows a provider that has moved', async () => {
    const provider = await openProvider(stage(), { api: sampleApi() });
    provider.script('/old', { status: 301, headers: { location: '/export' } });

    const run = await bind(stage(), [provider.url.replace('/export', '/old'), '--dry-run', '--login-timeout', '200ms']);

    expect(await run.ended()).toBe(5);
  });

  it.each([
    ['no known way of logging in', { authenticationMethods: [{ method: 'Magic' }] }, /does not offer OAuth2CodeGrant/],
    [
      'a login that is no web address',
      {
        authenticationMethods: [
          { method: 'OAuth2CodeGrant', oauth2CodeGrant: { authenticatedURL: 'file:///etc/passwd' } },
        ],
      },
      /does not say where to log in/,
    ],
  ])('says so when the provider has %s', async (_, changes, text) => {
    const provider = await openProvider(stage(), { api: sampleApi() });
    provider.script('/export', { body: description(changes) });

    const run = await bind(stage(), [provider.url, '--dry-run']);

    expect(await run.ended()).toBe(8);
    expect(oneLine(run.err())[0]).toMatch(text);
  });

  it.each([
    ['an address without scheme', ['provider.example/export'], /is not the address of a provider/],
    ['two addresses', ['https://a.example/export', 'https://b.example/export'], /Bind one provider at a time/],
    [
      'an API that cannot be one',
      ['https://a.example/', '--api', 'Widgets!'],
      /--api Widgets! is not the name of an API/,
    ],
    [
      'machines without APIs',
      ['https://a.example/', '--non-interactive'],
      /--non-interactive needs --api: name the APIs to bind/,
    ],
    ['a tenant in the browser', ['https://a.example/', '--tenant', 'x'], /--tenant belongs to/],
    ['an id of no use', ['https://a.example/', '--cluster-id', 'a b'], /--cluster-id must be/],
    ['a group without user', ['https://a.example/', '--as-group', 'x'], /--as-group and --as-uid need --as/],
    [
      'two ways to trust',
      ['https://a.example/', '--backend-ca-file', 'x', '--insecure-skip-backend-tls-verify'],
      /contradicts/,
    ],
  ])('CLI-37 says what is wrong with %s', async (_, args, text) => {
    const run = await bind(stage(), args);

    expect([await run.ended(), run.out()]).toEqual([2, '']);
    expect(oneLine(run.err())).toEqual([expect.stringMatching(text)]);
  });

  it('CLI-37 says so when the app cluster does not know the user', async () => {
    const { app } = stage();
    const provider = await openProvider(stage(), { api: sampleApi() });
    const ca = await scratchFile('ca.pem', app.caCertificate);

    const run = runCommand([
      'bind',
      '--server',
      app.url,
      '--certificate-authority',
      ca,
      '--token',
      'wrong',
      provider.url,
    ]);

    expect(await run.ended()).toBe(3);
    expect(oneLine(run.err())).toHaveLength(1);
  });

  it.each([
    ['the issuer does not give the scope', `${robot}scope: klutch/other\n`, 3, /scope "klutch\/other"; set OIDC_SCOPE/],
    [
      'the secret is wrong',
      'client_id: robot\nclient_secret: guessed\n',
      3,
      /does not accept the client credentials of robot/,
    ],
  ])('CLI-30 CLI-37 names what is wrong when %s', async (_, text, code, message) => {
    const provider = await openProvider(stage(), { api: sampleApi() });
    const credentials = await scratchFile(
      'credentials',
      `${text}token_url: ${provider.url.replace('/export', '/token')}\n`,
    );
    const args = [provider.url, '--dry-run', '--non-interactive', '--api', 'a.b', '--credentials-file', credentials];

    const run = await bind(stage(), args);

    expect(await run.ended()).toBe(code);
    expect(oneLine(run.err())[0]).toMatch(message);
    expect(run.err()).not.toMatch(/robot-secret|guessed/);
  });

  it.each([
    [
      'CLI-30',
      'KLUTCH_TOKEN_INVALID',
      401,
      3,
      /The token lacks it\. The token was asked for with the scope "klutch\/bind"/,
    ],
    ['CLI-37', 'KLUTCH_CLUSTER_IDENTITY_TAKEN', 409, 6, /The token lacks it\.$/],
    ['CLI-37', 'KLUTCH_QUOTA_EXCEEDED', 403, 4, /The token lacks it\.$/],
  ])('%s gives the reason of a provider through: %s', async (_, code, status, exit, text) => {
    const provider = await openProvider(stage(), { api: sampleApi() });
    provider.script('/bind-noninteractive', { status, body: { code, message: 'The token lacks it.' } });
    const credentials = await scratchFile(
      'credentials',
      `${robot}token_url: ${provider.url.replace('/export', '/token')}\n`,
    );
    const args = [provider.url, '--dry-run', '--non-interactive', '--api', 'a.b', '--credentials-file', credentials];

    const run = await bind(stage(), args);

    expect(await run.ended()).toBe(exit);
    expect(oneLine(run.err())[0]).toMatch(text);
  });
});
