import { APIServiceBindings, appCluster as names } from '@klutch/api';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { runKlutch } from '../../packages/cli/src/testing/run-klutch.ts';
import { sampleApi } from '../konnector/world.ts';
import { appKubeconfig, bind, onBindStage, openProvider, scratchFile, secretsFor } from './bind-stage.ts';

const claims = [{ resource: 'secrets', version: 'v1', selector: { owner: 'Provider' }, required: true }] as const;

onBindStage('klutch bind without a browser', (stage) => {
  const bindingOf = (name: string) =>
    stage().app.admin.resource(APIServiceBindings).get({ namespace: names.namespace, name });

  it('CLI-30 binds with client credentials of a file, without a question', async () => {
    const offers = [{ api: sampleApi(), claims }, { api: sampleApi() }];
    const provider = await openProvider(stage(), ...offers);
    const record = {
      client_id: 'robot',
      client_secret: 'robot-secret',
      token_url: provider.url.replace('/export', '/token'),
      scope: 'klutch/bind',
    };
    const file = await scratchFile('credentials.json', JSON.stringify(record));
    const apis = offers.flatMap(({ api }) => ['--api', api.name]);
    const args = [provider.url, '--non-interactive', '--credentials-file', file, '--tenant', 'team-a', ...apis];

    const undecided = await bind(stage(), args);
    expect(await undecided.ended()).toBe(2);
    expect(undecided.err()).toMatch(/there is nobody to ask\. Nothing was bound\. Decide with --accept-claims/);
    const run = await bind(stage(), [...args, '--accept-claims=all', '-o', 'yaml']);

    expect(await run.ended(), run.err()).toBe(0);
    for (const { api } of offers) await bindingOf(api.name);
    expect(provider.logins).toEqual([]);
    const asked = provider.calls.filter(({ path }) => path === '/bind-noninteractive').at(-1);
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({
      clusterID: expect.stringMatching(/^[0-9A-Za-z]{6}$/),
      clusterUID: stage().app.id,
      tenant: 'team-a',
      apis: offers.map(({ api }) => ({ group: api.type.group, resource: api.type.plural })),
    });
    expect(run.out() + run.err()).not.toMatch(/robot-secret|robot-token/);
  });

  it('CLI-30 takes client credentials from the environment', async () => {
    const api = sampleApi();
    const provider = await openProvider(stage(), { api });
    const environment = {
      OIDC_CLIENT_ID: 'robot',
      OIDC_CLIENT_SECRET: 'robot-secret',
      OIDC_TOKEN_URL: provider.url.replace('/export', '/token'),
      KUBECONFIG: await appKubeconfig(stage()),
    };

    const run = runKlutch(['bind', provider.url, '--non-interactive', '--api', api.name], environment);

    expect(await run.ended(), run.err()).toBe(0);
    await bindingOf(api.name);
  });

  it('tries again while the provider is busy', async () => {
    const api = sampleApi();
    const provider = await openProvider(stage(), { api });
    provider.script('/bind-noninteractive', {
      status: 503,
      body: { code: 'KLUTCH_BACKEND_UNAVAILABLE', message: 'Not yet.' },
    });
    const file = await scratchFile(
      'credentials',
      `client_id: robot\nclient_secret: robot-secret\ntoken_url: ${provider.url.replace('/export', '/token')}\n`,
    );

    const run = await bind(stage(), [provider.url, '--non-interactive', '--credentials-file', file, '--api', api.name]);
    const isAsked = () => provider.calls.some(({ path }) => path === '/bind-noninteractive');
    await eventually(isAsked, { withinMs: 60_000, everyMs: 10 });
    provider.script('/bind-noninteractive', undefined);

    expect(await run.ended(), run.err()).toBe(0);
  });

  it('asks less often when a provider with device codes wants it so', async () => {
    const api = sampleApi();
    const provider = await openProvider(stage(), { api });

    const run = await bind(stage(), [provider.url, '--device-code', '--api', api.name]);

    const begun = Date.now();

    expect(await run.ended(), run.err()).toBe(0);
    expect(Date.now() - begun).toBeGreaterThan(5_000);
    expect(provider.calls.filter(({ path }) => path === '/device/token')).toHaveLength(2);
    expect(await secretsFor(stage().app.admin, provider.tenant)).toHaveLength(1);
  });
});
