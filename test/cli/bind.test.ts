import {
  APIServiceBindings,
  APIServiceExportRequests,
  annotations,
  appCluster as names,
  clusterId,
  findCondition,
} from '@klutch/api';
import { Namespaces, Secrets } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { openOwnCluster, sampleApi } from '../konnector/world.ts';
import {
  bind,
  decoded,
  logInAndFinish,
  onBindStage,
  openProvider,
  printedUrl,
  secretsFor,
  twoContexts,
} from './bind-stage.ts';
import { requestFor } from './scripted-provider.ts';

onBindStage('klutch bind', (stage) => {
  const bindingOf = (name: string) =>
    stage().app.admin.resource(APIServiceBindings).get({ namespace: names.namespace, name });

  it('CLI-01 CLI-10 prints the address to log in at, and binds what was chosen', async () => {
    const api = sampleApi();
    const provider = await openProvider(stage(), { api });

    const run = await bind(stage(), [provider.url]);
    const url = new URL(await printedUrl(run));
    const namespace = await stage().app.admin.resource(Namespaces).get({ name: names.namespace });
    const page = await provider.visit(url.href);

    expect(await run.ended(), run.err()).toBe(0);
    expect([...url.searchParams.keys()]).toEqual(expect.arrayContaining(['p', 's', 'c']));
    expect(url.searchParams.get('c')).toBe(clusterId(namespace.metadata.uid ?? ''));
    expect(url.searchParams.get('f')).toBe(stage().app.id);
    expect(page).toMatchObject({ status: 200, url: expect.stringMatching(/\/done$/) });
    const [secret, ...others] = await secretsFor(stage().app.admin, provider.tenant);
    expect(others).toEqual([]);
    expect(secret?.metadata.name).toMatch(/^kubeconfig-.{5}$/);
    expect(secret?.metadata.annotations).toMatchObject({ [annotations.backendUrl]: provider.url });
    expect(run.err()).toContain(
      `secret ${names.namespace}/${secret?.metadata.name} for host ${provider.tenant.door.url}`,
    );
    const binding = await bindingOf(api.name);
    expect(binding.spec?.kubeconfigSecretRef).toEqual({
      namespace: names.namespace,
      name: secret?.metadata.name,
      key: 'kubeconfig',
    });
    expect(findCondition(binding.status?.conditions, 'Ready')).toMatchObject({ status: 'False', reason: 'Pending' });
    expect(run.out()).toMatch(/^NAME +PROVIDER +READY +MESSAGE +AGE\n/);
    expect(run.out()).toContain(`apiservicebinding.klutch.anynines.com/${api.name} `);
  });

  it.each(['standard alphabet', 'URL-safe alphabet'] as const)('CLI-02 reads an answer in the %s', async (alphabet) => {
    const api = sampleApi();
    // Texts in which digits 62 and 63 of base 64 occur.
    const claims = [{ resource: 'configmaps', version: 'v1', selector: { names: ['~~~???>>>', 'ÿÿÿ¾¿þ'] } }] as const;
    const provider = await openProvider(stage(), { api, claims });
    provider.deliver(alphabet);

    const run = await bind(stage(), [provider.url, '--accept-claims', 'all']);

    expect(await logInAndFinish(run, provider), run.err()).toBe(0);
    expect((await bindingOf(api.name)).spec?.permissionClaims).toMatchObject([{ ...claims[0], state: 'Accepted' }]);
    expect(provider.calls.filter(({ path }) => path === '/redeem')).toEqual([]);
  });

  it('CLI-07 refuses a forged answer and goes on waiting for the genuine one', async () => {
    const api = sampleApi();
    const provider = await openProvider(stage(), { api });
    const run = await bind(stage(), [provider.url]);
    const url = await printedUrl(run);
    const callback = `http://localhost:${new URL(url).searchParams.get('p')}/callback`;
    const forged = {
      apiVersion: 'klutch.anynines.com/v1alpha1',
      kind: 'BindingResponse',
      authentication: { oauth2CodeGrant: { sid: 'forged', id: 'x/y' } },
      kubeconfig: Buffer.from(await provider.tenant.kubeconfig()).toString('base64'),
      requests: [requestFor({ api })],
    };
    const response = encodeURIComponent(Buffer.from(JSON.stringify(forged)).toString('base64'));

    const answers = [];
    for (const query of [`response=${response}`, 'response=%00', 'code=guessed', '']) {
      answers.push((await fetch(`${callback}?${query}`)).status);
    }

    expect(answers).toEqual([400, 400, 400, 400]);
    expect(await secretsFor(stage().app.admin, provider.tenant)).toEqual([]);
    expect(await logInAndFinish(run, provider), run.err()).toBe(0);
    await bindingOf(api.name);
  });

  it('ends with the reason when the provider refuses the cluster, and has stored nothing', async () => {
    const provider = await openProvider(stage(), { api: sampleApi() });
    const body = {
      code: 'KLUTCH_CLUSTER_IDENTITY_TAKEN',
      message: 'Another cluster is registered under this identity.',
    };
    provider.script('/redeem', { status: 409, body });

    const run = await bind(stage(), [provider.url]);
    const page = await provider.visit(await printedUrl(run));

    expect(await run.ended()).toBe(6);
    expect(run.err()).toContain('Error: Another cluster is registered under this identity.\n');
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining('Another cluster') as string });
    expect(await secretsFor(stage().app.admin, provider.tenant)).toEqual([]);
  });

  it('CLI-08 gives up when nobody logs in, with its port closed and nothing stored', async () => {
    const provider = await openProvider(stage(), { api: sampleApi() });

    const run = await bind(stage(), [provider.url, '--login-timeout', '300ms']);
    const url = new URL(await printedUrl(run));

    expect(await run.ended()).toBe(5);
    expect(run.err()).toMatch(/Error: The login was not finished within 0\.3 s.*--login-timeout\.\n$/s);
    await expect(fetch(`http://127.0.0.1:${url.searchParams.get('p')}/callback`)).rejects.toThrow();
    expect(await secretsFor(stage().app.admin, provider.tenant)).toEqual([]);
  });

  it.each(['code', 'standard alphabet'] as const)(
    'CLI-09 shows no credential at any verbosity (%s)',
    async (delivery) => {
      const api = sampleApi();
      const provider = await openProvider(stage(), { api });
      provider.deliver(delivery);

      const run = await bind(stage(), [provider.url, '-v=9', '--wait', '--wait-timeout', '1s', '-o', 'yaml']);
      const page = await provider.visit(await printedUrl(run));
      await run.ended();

      expect(run.err()).toMatch(/GET \/api\/v1\/namespaces\/klutch-bind 200/);
      const shown = run.out() + run.err() + page.text + page.url;
      const [secret] = await secretsFor(stage().app.admin, provider.tenant);
      const stored = secret?.data?.['kubeconfig'] ?? '';
      expect([stored.length, ...provider.secrets.map((one) => one.length)].every((length) => length > 100)).toBe(true);
      expect([stored, decoded(secret), ...provider.secrets].filter((one) => shown.includes(one))).toEqual([]);
    },
  );

  it('CLI-11 updates the one Secret of a tenant when somebody binds again, or another API', async () => {
    const [first, second] = [sampleApi(), sampleApi()];
    const provider = await openProvider(stage(), { api: first }, { api: second });
    const runs = [];
    for (const api of [first, first, second]) {
      const run = await bind(stage(), [provider.url, '--api', api.name]);
      expect(await logInAndFinish(run, provider), run.err()).toBe(0);
      runs.push(run);
    }

    const secrets = await secretsFor(stage().app.admin, provider.tenant);

    expect(secrets.map(({ metadata }) => metadata.name)).toHaveLength(1);
    expect(decoded(secrets[0])).toContain(provider.secrets[2]);
    expect(provider.logins.map((login) => login.getAll('a'))).toEqual([[first.name], [first.name], [second.name]]);
    expect(runs[1]?.err()).toContain(`Updated secret klutch-bind/${secrets[0]?.metadata.name} for host`);
    const refs = await Promise.all([first, second].map(({ name }) => bindingOf(name)));
    expect(new Set(refs.map(({ spec }) => spec?.kubeconfigSecretRef.name))).toEqual(
      new Set([secrets[0]?.metadata.name]),
    );
  });

  it('CLI-29 CLI-38 binds several APIs in one run and prints one document of them', async () => {
    const offers = [{ api: sampleApi() }, { api: sampleApi() }];
    const provider = await openProvider(stage(), ...offers);
    const apis = offers.flatMap(({ api }) => ['--api', api.name]);

    const run = await bind(stage(), [provider.url, ...apis, '-o', 'json']);

    expect(await logInAndFinish(run, provider), run.err()).toBe(0);
    const list = JSON.parse(run.out()) as { kind: string; items: readonly { metadata: { name: string } }[] };
    expect(list.kind).toBe('List');
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(offers.map(({ api }) => api.name));
    expect(run.err()).toContain('Logged in to Scripted provider.');
    expect(provider.calls.filter(({ path }) => path === '/redeem')).toHaveLength(1);
  });

  it('CLI-29 lists those that are bound, and says why another is not', async () => {
    const [good, bad] = [{ api: sampleApi() }, { api: sampleApi(), fate: { failed: 'the tenant may not have it' } }];
    const provider = await openProvider(stage(), good, bad);

    const run = await bind(stage(), [provider.url]);

    expect(await logInAndFinish(run, provider)).toBe(8);
    expect(run.out()).toContain(`/${good.api.name} `);
    expect(run.out()).not.toContain(bad.api.name);
    expect(run.err()).toContain(`Error: The provider does not export ${bad.api.name}: the tenant may not have it.\n`);
  });

  it('completes what an earlier run has left half-made', async () => {
    const api = sampleApi();
    const provider = await openProvider(stage(), { api });
    const again = async () => {
      const run = await bind(stage(), [provider.url]);
      expect(await logInAndFinish(run, provider), run.err()).toBe(0);
    };
    await again();
    const { app } = stage();
    const name = (await bindingOf(api.name)).spec?.kubeconfigSecretRef.name ?? '';
    const ref = { namespace: names.namespace, name };

    // The Secret is gone, then damaged; the konnector has lost its account; then only the binding is missing.
    await app.admin.resource(Secrets).delete(ref);
    await again();
    await app.admin.resource(Secrets).patch(ref, { type: 'merge', patch: { data: { kubeconfig: 'e30=' } } });
    await again();
    expect(decoded(await app.admin.resource(Secrets).get(ref))).toContain(provider.secrets[2]);
    await app.admin.resource(APIServiceBindings).delete({ namespace: names.namespace, name: api.name });
    await again();

    expect((await bindingOf(api.name)).spec?.kubeconfigSecretRef.name).toBe(name);
    expect(await secretsFor(app.admin, provider.tenant)).toHaveLength(1);
  });

  it('leaves nothing behind on the control plane when it is interrupted', async () => {
    const api = sampleApi();
    const provider = await openProvider(stage(), { api, fate: 'pending' });
    const requests = stage().controlPlane.admin.resource(APIServiceExportRequests);
    const pending = async () => (await requests.list({ namespace: provider.tenant.clusterNamespace })).items;
    const run = await bind(stage(), [provider.url]);
    await provider.visit(await printedUrl(run));
    await eventually(async () => (await pending()).length > 0, { withinMs: 30_000 });

    run.interrupt();

    expect(await run.ended()).toBe(7);
    expect(run.err()).toMatch(/Error: Interrupted\. .*\n$/);
    expect(await pending()).toEqual([]);
  });

  it('CLI-13 works on the context that was named, and on no other', async () => {
    const { app } = stage();
    const other = await openOwnCluster('embedded');
    onTestFinished(() => other.close());
    const file = await twoContexts(await other.kubeconfig(), await app.kubeconfig());
    const api = sampleApi();
    const provider = await openProvider(stage(), { api });

    const run = runCommand(['bind', '--kubeconfig', file, '--context', 'app-b', '--no-browser', provider.url]);

    expect(await logInAndFinish(run, provider), run.err()).toBe(0);
    expect(run.err()).toContain(`This changes the app cluster ${app.url} (context "app-b" of ${file}).`);
    await bindingOf(api.name);
    expect(await other.admin.resource(Namespaces).find({ name: names.namespace })).toBeUndefined();
  });
});
