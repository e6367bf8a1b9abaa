import {
  APIServiceBindings,
  APIServiceExportRequests,
  appCluster as names,
  CustomResourceDefinitions,
} from '@klutch/api';
import { Namespaces } from '@klutch/kube';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { sampleApi } from '../konnector/world.ts';
import {
  bind,
  bindApiService,
  logInAndFinish,
  onBindStage,
  openProvider,
  printedUrl,
  scratchFile,
  secretsFor,
} from './bind-stage.ts';
import { requestFor } from './scripted-provider.ts';

const claims = [{ resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } }] as const;
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name?: string };
  readonly [field: string]: unknown;
}

onBindStage('klutch bind --dry-run', (stage) => {
  const documentsIn = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as Manifest);

  it('CLI-23 prints everything that would be written, with the credential hidden, and writes nothing', async () => {
    const { app, controlPlane } = stage();
    const api = sampleApi();
    const provider = await openProvider(stage(), { api, claims });

    const run = await bind(stage(), [provider.url, '--dry-run', '--accept-claims=all']);
    expect(await logInAndFinish(run, provider), run.err()).toBe(0);

    const kinds = documentsIn(run.out()).map(({ kind }) => kind);
    expect(kinds).toEqual([
      'APIServiceExportRequest',
      'Namespace',
      'CustomResourceDefinition',
      'Secret',
      'ServiceAccount',
      'ClusterRole',
      'ClusterRoleBinding',
      'Role',
      'RoleBinding',
      'NetworkPolicy',
      'Deployment',
      'APIServiceBinding',
    ]);
    expect(run.out()).toContain('(hidden; --show-secrets prints it)');
    const shown = run.out() + run.err();
    expect(
      provider.secrets.filter((one) => shown.includes(one) || shown.includes(Buffer.from(one).toString('base64'))),
    ).toEqual([]);
    expect(run.err()).toMatch(/--cluster-id/);
    expect(await app.admin.resource(Namespaces).find({ name: names.namespace })).toBeUndefined();
    const definitions = (await app.admin.resource(CustomResourceDefinitions).list()).items.map(
      ({ metadata }) => metadata.name,
    );
    expect(definitions).toEqual([]);
    const { clusterNamespace: namespace } = provider.tenant;
    expect((await controlPlane.admin.resource(APIServiceExportRequests).list({ namespace })).items).toEqual([]);
  });

  it('CLI-23 prints the credential on request, so that what it prints is what a bind would write', async () => {
    const { app } = stage();
    const api = sampleApi();
    const provider = await openProvider(stage(), { api });
    const run = await bind(stage(), [provider.url, '--dry-run=all', '-o', 'json', '--show-secrets']);
    expect(await logInAndFinish(run, provider), run.err()).toBe(0);

    const { items } = JSON.parse(run.out()) as { items: readonly Manifest[] };
    const secret = items.find(({ kind }) => kind === 'Secret') as Manifest & { data: { kubeconfig: string } };
    const binding = items.find(({ kind }) => kind === 'APIServiceBinding') as Manifest & {
      spec: { kubeconfigSecretRef: object };
    };

    expect(Buffer.from(secret.data.kubeconfig, 'base64').toString()).toContain(provider.secrets[0]);
    expect(binding.spec.kubeconfigSecretRef).toMatchObject({ name: secret.metadata.name });
    expect(await app.admin.resource(Namespaces).find({ name: names.namespace })).toBeUndefined();
  });

  it('CLI-24 CLI-39 hands over to bind apiservice in the way other tools rely on', async () => {
    const api = sampleApi();
    const provider = await openProvider(stage(), { api, claims });
    provider.deliver('standard alphabet');

    // What the a9s CLI does: read the address and the Secret off standard error, the manifest off standard output.
    const prepare = await bind(stage(), [provider.url, '--dry-run', '-o', 'yaml']);
    const url = await prepare.says(/http:\/\/[^/\s]+:\d+\/authorize\?.*/);
    expect(url[0]).toBe(await printedUrl(prepare));
    expect(await logInAndFinish(prepare, provider), prepare.err()).toBe(0);
    const [, namespace = '', name = ''] = await prepare.says(/secret ([^/\s]+)\/(\S+) for host/);
    expect(prepare.out()).toMatch(/^apiVersion:/);
    expect(parse(prepare.out())).toEqual(requestFor({ api, claims }));
    const type = await stage()
      .app.admin.resource(CustomResourceDefinitions)
      .find({ name: 'apiservicebindings.klutch.anynines.com' });
    expect(type).toBeUndefined();

    const file = await scratchFile('request.yaml', prepare.out());
    const ref = ['--remote-kubeconfig-namespace', namespace, '--remote-kubeconfig-name', name, '-f', file];
    const finish = await bindApiService(stage(), [...ref, '--konnector-image', 'registry.example/konnector:v1'], {
      input: 'Yes\n',
    });

    expect(await finish.ended(), finish.err()).toBe(0);
    expect(finish.out()).toMatch(/^.*\[No,Yes\]$/m);
    const binding = await stage()
      .app.admin.resource(APIServiceBindings)
      .get({ namespace: names.namespace, name: api.name });
    expect(binding.spec).toMatchObject({
      kubeconfigSecretRef: { namespace, name },
      permissionClaims: [{ state: 'Accepted' }],
    });
    expect(await secretsFor(stage().app.admin, provider.tenant)).toHaveLength(1);
  });

  it('CLI-24 prints requests for several APIs as documents that can be bound again', async () => {
    const offers = [{ api: sampleApi() }, { api: sampleApi() }];
    const provider = await openProvider(stage(), ...offers);
    for (const format of ['yaml', 'json']) {
      const run = await bind(stage(), [provider.url, '-d', '-o', format]);
      expect(await logInAndFinish(run, provider), run.err()).toBe(0);
      const remote = await scratchFile('remote', await provider.tenant.kubeconfig());
      const again = await bindApiService(stage(), ['--remote-kubeconfig', remote, '-', '-o', 'name'], {
        input: run.out(),
      });

      expect(await again.ended(), again.err()).toBe(0);
      expect(again.out().trim().split('\n')).toEqual(
        offers.map(({ api }) => `apiservicebinding.klutch.anynines.com/${api.name}`),
      );
    }
  });

  it.each([
    [['--dry-run', '-o', 'table'], /A dry run prints manifests/],
    [['--show-secrets'], /--show-secrets belongs to --dry-run/],
    [['--dry-run', '-o', 'yaml', '--show-secrets'], /Only --dry-run=all prints the credential/],
    [['--dry-run=server'], /Allowed choices are true, false, all, request/],
  ])('says what is wrong with %j', async (args, text) => {
    const run = await bind(stage(), ['https://127.0.0.1:1/export', ...args]);

    expect([await run.ended(), run.out()]).toEqual([2, '']);
    expect(run.err()).toMatch(text);
  });
});
