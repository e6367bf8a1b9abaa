import {
  type APIServiceBinding,
  APIServiceBindings,
  APIServiceExportRequests,
  appCluster as names,
  CustomResourceDefinitions,
  isConditionTrue,
  kubeconfigKey,
  type PermissionClaim,
} from '@klutch/api';
import { Secrets } from '@klutch/kube';
import { expect, it } from 'vitest';
import { installCrd, type SampleApi, sampleApi, unique } from '../konnector/world.ts';
import {
  bindApiService,
  decoded,
  onBindStage,
  openProvider,
  scratchFile,
  secretsFor,
  type Stage,
} from './bind-stage.ts';
import { type Offer, requestFor } from './scripted-provider.ts';

const provider = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' }, required: true } as const;
const consumer = { resource: 'configmaps', version: 'v1', selector: { owner: 'Consumer' } } as const;

/** An offer with a tenant, and the flags that bind it. */
async function offered(stage: Stage, offer: Omit<Offer, 'api'> = {}) {
  const api = sampleApi();
  const opened = await openProvider(stage, { api, ...offer });
  const manifest = await scratchFile('request.json', JSON.stringify(requestFor({ api, ...offer })));
  const remote = ['--remote-kubeconfig', await scratchFile('remote', await opened.tenant.kubeconfig())];
  return { api, tenant: opened.tenant, manifest, remote, flags: [...remote, '-f', manifest] };
}

onBindStage('klutch bind apiservice', (stage) => {
  const bindings = () => stage().app.admin.resource(APIServiceBindings);
  const bindingOf = async (api: SampleApi): Promise<APIServiceBinding | undefined> => {
    const type = await stage()
      .app.admin.resource(CustomResourceDefinitions)
      .find({ name: 'apiservicebindings.klutch.anynines.com' });
    return type && bindings().find({ namespace: names.namespace, name: api.name });
  };
  const claimsOf = async (api: SampleApi) =>
    ((await bindingOf(api))?.spec?.permissionClaims ?? []).map(({ resource, state }) => `${resource} ${state}`);
  const requestsOf = async (namespace: string) =>
    (await stage().controlPlane.admin.resource(APIServiceExportRequests).list({ namespace })).items;

  it('CLI-12 replaces the credential in the Secret of the same host and namespace', async () => {
    const { api, tenant, flags, manifest } = await offered(stage());
    const first = await bindApiService(stage(), flags);
    expect(await first.ended(), first.err()).toBe(0);
    const [before] = await secretsFor(stage().app.admin, tenant);
    const renewed = await tenant.kubeconfig();

    const again = await bindApiService(stage(), [
      '--remote-kubeconfig',
      await scratchFile('new', renewed),
      '-f',
      manifest,
    ]);

    expect(await again.ended(), again.err()).toBe(0);
    const [after, ...others] = await secretsFor(stage().app.admin, tenant);
    expect(others).toEqual([]);
    expect(after?.metadata.name).toBe(before?.metadata.name);
    expect(decoded(after)).toBe(renewed);
    expect(decoded(before)).not.toBe(renewed);
    expect((await bindingOf(api))?.spec?.kubeconfigSecretRef.name).toBe(after?.metadata.name);
  });

  it.each(['yes', 'Y', ' y '])('CLI-19 asks about a claim and takes %j for acceptance', async (answer) => {
    const { api, flags } = await offered(stage(), { claims: [provider] });

    const run = await bindApiService(stage(), flags, { input: `perhaps\n${answer}\n` });

    expect(await run.ended(), run.err()).toBe(0);
    const text = run.out();
    expect(text).toMatch(/The provider wants to write secrets of its own into your cluster/);
    expect(text).toMatch(/required/);
    expect(text.match(/^.*\[No,Yes\]$/gm)).toHaveLength(2);
    expect(await claimsOf(api)).toEqual(['secrets Accepted']);
  });

  it('CLI-38 asks on standard error where a format is chosen, so that standard output is one document', async () => {
    const { api, flags } = await offered(stage(), { claims: [provider] });

    const run = await bindApiService(stage(), [...flags, '-o', 'json'], { input: 'yes\n' });

    expect(await run.ended(), run.err()).toBe(0);
    expect(JSON.parse(run.out())).toMatchObject({ items: [{ metadata: { name: api.name } }] });
    expect(run.err()).toMatch(/^.*\[No,Yes\]$/m);
  });

  it('CLI-20 creates nothing when a claim is rejected that the API needs', async () => {
    const { api, tenant, flags } = await offered(stage(), { claims: [provider] });

    const run = await bindApiService(stage(), flags, { input: 'No\n' });

    expect(await run.ended()).toBe(7);
    expect(run.err()).toMatch(
      new RegExp(`Error: The permission claim on secrets \\(write\\) was rejected, and ${api.name} does not work`),
    );
    expect(await bindingOf(api)).toBeUndefined();
    expect(await secretsFor(stage().app.admin, tenant)).toEqual([]);
    expect(await requestsOf(tenant.clusterNamespace)).toEqual([]);
  });

  it('CLI-21 reads one answer for each claim', async () => {
    const { api, flags } = await offered(stage(), { claims: [provider, consumer] });

    const run = await bindApiService(stage(), flags, { input: 'y\nn\n' });

    expect(await run.ended(), run.err()).toBe(0);
    expect(await claimsOf(api)).toEqual(['secrets Accepted', 'configmaps Rejected']);
  });

  it('says so when answers run out', async () => {
    const { api, flags } = await offered(stage(), { claims: [provider, consumer] });

    const run = await bindApiService(stage(), flags, { input: 'y\n' });

    expect([await run.ended(), await bindingOf(api)]).toEqual([2, undefined]);
    expect(run.err()).toMatch(/The input ended before all permission claims were decided/);
  });

  it('CLI-22 fails with a manifest from standard input and claims that nobody decides', async () => {
    const { api, tenant, remote } = await offered(stage(), { claims: [provider] });
    const input = JSON.stringify(requestFor({ api, claims: [provider] }));

    const run = await bindApiService(stage(), [...remote, '-f', '-'], { input });

    expect([await run.ended(), await bindingOf(api), run.out()]).toEqual([2, undefined, '']);
    expect(run.err()).toMatch(/there is nobody to ask\. Nothing was bound\. Decide with --accept-claims/);
    expect(await requestsOf(tenant.clusterNamespace)).toEqual([]);
  });

  it.each([
    ['all', ['secrets Accepted', 'configmaps Accepted']],
    ['none', ['secrets Rejected', 'configmaps Rejected']],
    ['a file', ['secrets Accepted', 'configmaps Rejected']],
  ])('CLI-22 decides with --accept-claims: %s', async (choice, outcome) => {
    const claims: readonly PermissionClaim[] = [{ ...provider, required: false }, consumer];
    const { api, remote } = await offered(stage(), { claims });
    const answers = choice === 'a file' ? await scratchFile('claims.yaml', 'secrets: yes\nconfigmaps: no\n') : choice;
    const input = JSON.stringify(requestFor({ api, claims }));

    const run = await bindApiService(stage(), [...remote, '-', `--accept-claims=${answers}`], { input });

    expect(await run.ended(), run.err()).toBe(0);
    expect(await claimsOf(api)).toEqual(outcome);
    expect(run.out()).not.toContain('[No,Yes]');
  });

  it('keeps earlier decisions, unless the command line has another one', async () => {
    const claims: readonly PermissionClaim[] = [consumer];
    const { api, flags } = await offered(stage(), { claims });
    const outcomes = [];
    for (const [more, input] of [
      [[], 'n\n'],
      [[], ''],
      [['--accept-claims=all'], ''],
    ] as const) {
      const run = await bindApiService(stage(), [...flags, ...more], { input });
      expect(await run.ended(), run.err()).toBe(0);
      outcomes.push(...(await claimsOf(api)));
    }

    expect(outcomes).toEqual(['configmaps Rejected', 'configmaps Rejected', 'configmaps Accepted']);
  });

  it('CLI-25 takes another name for a request whose own is taken', async () => {
    const { api, tenant, flags } = await offered(stage());
    for (let round = 0; round < 2; round++) {
      const run = await bindApiService(stage(), flags);
      expect(await run.ended(), run.err()).toBe(0);
    }

    const made = (await requestsOf(tenant.clusterNamespace)).map(({ metadata }) => metadata.name ?? '');

    expect(made).toContain(api.name);
    expect(made.filter((name) => name.startsWith(`${api.name}-`))).toHaveLength(1);
  });

  it('CLI-25 shows why the provider refuses', async () => {
    const { api, flags } = await offered(stage(), { fate: { failed: 'No template offers this API' } });

    const run = await bindApiService(stage(), flags);

    expect([await run.ended(), await bindingOf(api)]).toEqual([8, undefined]);
    expect(run.err()).toContain(`Error: The provider does not export ${api.name}: No template offers this API.\n`);
  });

  it('CLI-26 gives up on a request in time, and removes it', async () => {
    const { api, tenant, flags } = await offered(stage(), { fate: 'pending' });

    const run = await bindApiService(stage(), [...flags, '--wait-timeout', '700ms']);

    expect([await run.ended(), await bindingOf(api)]).toEqual([5, undefined]);
    expect(run.err()).toMatch(/did not answer the request for .* within 0\.7 s\. The request was removed/);
    expect(await requestsOf(tenant.clusterNamespace)).toEqual([]);
  });

  it('CLI-27 leaves a binding to another provider alone, and tells how to move it', async () => {
    const { api, flags } = await offered(stage());
    const first = await bindApiService(stage(), flags);
    expect(await first.ended(), first.err()).toBe(0);
    const before = await bindingOf(api);
    const other = await openProvider(stage(), { api });
    const remote = await scratchFile('other', await other.tenant.kubeconfig());

    const run = await bindApiService(stage(), ['--remote-kubeconfig', remote, ...flags.slice(2)]);

    expect(await run.ended()).toBe(6);
    expect(run.err()).toMatch(
      new RegExp(`Error: Cannot bind ${api.name}: it is already bound.*Nothing was changed.*klutch unbind ${api.name}`),
    );
    expect(await bindingOf(api)).toEqual(before);
    expect(await secretsFor(stage().app.admin, other.tenant)).toEqual([]);
    expect(await requestsOf(other.tenant.clusterNamespace)).toEqual([]);
  });

  it('CLI-28 leaves a CRD alone that somebody else made', async () => {
    const { api, tenant, flags } = await offered(stage());
    await installCrd(stage().app.admin, api.crd);
    const definitions = stage().app.admin.resource(CustomResourceDefinitions);
    const before = await definitions.get({ name: api.name });

    const run = await bindApiService(stage(), flags);

    expect(await run.ended()).toBe(6);
    expect(run.err()).toMatch(
      new RegExp(`Error: Cannot bind ${api.name}: the app cluster has a CustomResourceDefinition of that name`),
    );
    expect((await definitions.get({ name: api.name })).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect(await bindingOf(api)).toBeUndefined();
    expect(await secretsFor(stage().app.admin, tenant)).toEqual([]);
  });

  it('works with a kubeconfig in a Secret, and with a namespace that this does not name', async () => {
    const { api, tenant, manifest } = await offered(stage());
    const name = unique('stored');
    const kubeconfig = (await tenant.kubeconfig()).replace(/^ +namespace: .*\n/m, '');
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default' } };
    const data = { [kubeconfigKey]: Buffer.from(kubeconfig).toString('base64') };
    await stage()
      .app.admin.resource(Secrets)
      .create({ ...secret, data });
    const ref = ['--remote-kubeconfig-namespace', 'default', '--remote-kubeconfig-name', name, '-f', manifest];

    const without = await bindApiService(stage(), ref);
    const named = await bindApiService(stage(), [...ref, '--remote-namespace', tenant.clusterNamespace]);

    expect(await without.ended()).toBe(8);
    expect(without.err()).toMatch(/Secret default\/.* names no namespace; name it with --remote-namespace/);
    expect(await named.ended(), named.err()).toBe(0);
    const [stored] = await secretsFor(stage().app.admin, tenant);
    expect(decoded(stored)).toContain(`namespace: ${tenant.clusterNamespace}`);
    expect(isConditionTrue((await bindingOf(api))?.status?.conditions, 'Ready')).toBe(false);
  });

  it.each([
    ['neither address nor file', ['--remote-kubeconfig', 'x'], /Name the manifest of the export request/],
    ['both', ['--remote-kubeconfig', 'x', '-f', 'y', 'https://x.example/'], /Give either an address or -f/],
    ['half a reference', ['--remote-kubeconfig-name', 'x', '-f', 'y'], /belong together; give both/],
    ['no kubeconfig', ['-f', 'y'], /Name a kubeconfig for the control plane/],
    [
      'an API in place of an address',
      ['--remote-kubeconfig', 'x', 'widgets.example.org/v1'],
      /is not an address; name a file with -f/,
    ],
    [
      'a manifest that is missing',
      ['--remote-kubeconfig', 'x', '-f', '/nowhere/y'],
      /The manifest \/nowhere\/y cannot be read \(ENOENT\)/,
    ],
    ['a time without unit', ['--wait-timeout', 'soon', '-f', 'y'], /A time is a number with a unit/],
    ['a format of no use', ['-o', 'wide', '-f', 'y'], /Allowed choices are table, json, yaml, name/],
  ])('says what is wrong with %s', async (_, args, text) => {
    const run = await bindApiService(stage(), args);

    expect([await run.ended(), run.out()]).toEqual([2, '']);
    expect(run.err()).toMatch(text);
  });

  it.each([
    ['another kind', '{"apiVersion":"v1","kind":"ConfigMap"}', 'is not a manifest .* but v1 ConfigMap'],
    ['no YAML', '{"a', 'neither YAML nor JSON'],
    ['nothing', '', 'no APIServiceExportRequest'],
  ])('does not bind a manifest with %s', async (_, text, problem) => {
    const { remote } = await offered(stage());

    const run = await bindApiService(stage(), [...remote, '-f', '-'], { input: text });

    expect(await run.ended()).toBe(2);
    expect(run.err()).toMatch(new RegExp(`Error: Standard input.*${problem}`));
  });
});
