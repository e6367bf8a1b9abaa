import { appCluster as names } from '@klutch/api';
import { Namespaces, type ResourceType, type UnknownObject } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { packageVersion } from '../../packages/cli/src/package-version.ts';
import { runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { grantInCluster } from '../konnector/run-konnector.ts';
import { sampleApi, unique, widget } from '../konnector/world.ts';
import {
  appKubeconfig,
  bind,
  logInAndFinish,
  onBindStage,
  openProvider,
  type Stage,
  unlessMissing,
} from './bind-stage.ts';
import { runInstalledKonnector } from './installed-konnector.ts';

const repository = 'public.ecr.aws/w5n9a2g2/klutch/konnector';
const type = (group: string, plural: string, kind: string, namespaced: boolean): ResourceType => ({
  group,
  version: 'v1',
  plural,
  kind,
  namespaced,
});
const Deployments = type('apps', 'deployments', 'Deployment', true);
const ClusterRoles = type('rbac.authorization.k8s.io', 'clusterroles', 'ClusterRole', false);
const here = { namespace: names.namespace, name: names.konnector };
const role = { name: names.konnectorRole };
type Container = Readonly<Record<string, unknown>> & { readonly image: string };

const deploymentOf = async ({ app }: Stage) => app.admin.resource(Deployments).get(here);
const podOf = (deployment: UnknownObject) =>
  (deployment['spec'] as { template: { spec: Record<string, unknown> & { containers: [Container] } } }).template.spec;
const imageOf = async (stage: Stage) => podOf(await deploymentOf(stage)).containers[0].image;
const rulesOf = async ({ app }: Stage) => {
  const { rules } = (await app.admin.resource(ClusterRoles).get(role)) as unknown as {
    rules: readonly { resources: readonly string[]; verbs: readonly string[]; apiGroups: readonly string[] }[];
  };
  return rules;
};

/** What a user needs who binds and leaves the konnector alone. */
const binderRules = [
  { apiGroups: [''], resources: ['namespaces', 'secrets'], verbs: ['get', 'list', 'create', 'patch'] },
  { apiGroups: ['klutch.anynines.com'], resources: ['apiservicebindings'], verbs: ['get', 'list', 'create', 'patch'] },
  { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get'] },
];

/** Binds a new API. */
async function bindAnother(stage: Stage, ...flags: readonly string[]) {
  const api = sampleApi();
  const provider = await openProvider(stage, { api });
  const run = await bind(stage, [provider.url, ...flags]);
  const code = await logInAndFinish(run, provider);
  return { api, run, code, provider };
}

onBindStage('the konnector that klutch bind installs', (stage) => {
  it('CLI-14 is complete and may do what it has to, and nothing else', async () => {
    const claim = { resource: 'configmaps', version: 'v1', selector: { owner: 'Provider' } } as const;
    const api = sampleApi();
    const provider = await openProvider(stage(), { api, claims: [claim] });
    const run = await bind(stage(), [provider.url, '--accept-claims=all']);
    expect(await logInAndFinish(run, provider), run.err()).toBe(0);

    const deployment = await deploymentOf(stage());
    const konnector = await runInstalledKonnector(stage());

    try {
      expect(run.err()).toContain(`Deployed konnector ${repository}:v${await packageVersion()}`);
      expect(await imageOf(stage())).toBe(`${repository}:v${await packageVersion()}`);
      expect(deployment['spec']).toMatchObject({ replicas: 2, selector: { matchLabels: { app: 'konnector' } } });
      expect(podOf(deployment)).toMatchObject({
        serviceAccountName: 'konnector',
        securityContext: { runAsNonRoot: true },
        containers: [{ securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false } }],
      });
      const rules = await rulesOf(stage());
      expect(rules.flatMap(({ resources, verbs, apiGroups }) => [...resources, ...verbs, ...apiGroups])).not.toContain(
        '*',
      );
      // With these rights an object goes up and its status comes down.
      const { app, controlPlane } = stage();
      await app.admin
        .resource(Namespaces)
        .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: api.type.group.split('.')[0] } });
      const namespace = api.type.group.split('.')[0] ?? '';
      await eventually(
        () =>
          app.admin
            .resource(api.type)
            .create(widget(api, 'db', namespace, { size: 1 }))
            .then(
              () => true,
              () => false,
            ),
        { withinMs: 60_000 },
      );
      const service = await provider.tenant.serviceNamespace(namespace);
      const copies = controlPlane.admin.resource(api.type);
      await eventually(() => copies.find({ namespace: service, name: 'db' }), { withinMs: 60_000 });
      await copies.patch(
        { namespace: service, name: 'db' },
        { type: 'merge', patch: { status: { phase: 'Running' } } },
        { subresource: 'status' },
      );
      await eventually(
        async () =>
          (
            (await app.admin.resource(api.type).get({ namespace, name: 'db' }))['status'] as
              | { phase?: string }
              | undefined
          )?.phase === 'Running',
        { withinMs: 60_000 },
      );
    } finally {
      await konnector.stop();
    }
  });

  it('gets the rights for a further API before that is bound, and keeps those it has', async () => {
    const first = await bindAnother(stage());
    const second = await bindAnother(stage());

    const groups = (await rulesOf(stage())).flatMap(({ apiGroups }) => apiGroups);

    expect(groups).toEqual(expect.arrayContaining([first.api.type.group, second.api.type.group]));
  });

  it('CLI-15 is updated when it is older, left when it is newer, and downgraded on request', async () => {
    const version = `v${await packageVersion()}`;
    const { app } = stage();
    const set = async (image: string) => {
      const patch = { spec: { template: { spec: { containers: [{ name: 'konnector', image }] } } } };
      await app.admin.resource(Deployments).patch(here, { type: 'strategic', patch }, { fieldManager: 'kubectl-set' });
    };
    await bindAnother(stage());

    await set(`${repository}:v0.0.1`);
    const older = await bindAnother(stage());
    expect([older.code, await imageOf(stage())], older.run.err()).toEqual([0, `${repository}:${version}`]);

    await set(`${repository}:v99.0.0`);
    const newer = await bindAnother(stage());
    expect([newer.code, await imageOf(stage())]).toEqual([0, `${repository}:v99.0.0`]);
    expect(newer.run.err()).toMatch(/Warning: The konnector is of version v99\.0\.0, newer.*--downgrade-konnector/);

    const downgraded = await bindAnother(stage(), '--downgrade-konnector');
    expect([downgraded.code, await imageOf(stage())]).toEqual([0, `${repository}:${version}`]);

    await set('registry.example/own/konnector:v1');
    const foreign = await bindAnother(stage());
    expect([foreign.code, await imageOf(stage())]).toEqual([0, 'registry.example/own/konnector:v1']);
    expect(foreign.run.err()).toContain('of another repository');
    expect((await rulesOf(stage())).flatMap(({ apiGroups }) => apiGroups)).toContain(foreign.api.type.group);

    const asked = await bindAnother(stage(), '--konnector-image', 'registry.example/own/konnector:v2');
    expect([asked.code, await imageOf(stage())]).toEqual([0, 'registry.example/own/konnector:v2']);
    await set(`${repository}:${version}`);
  });

  it('CLI-16 is not asked for and unwanted at once', async () => {
    const run = await bind(stage(), ['https://127.0.0.1:1/export', '--skip-konnector', '--konnector-image', 'x']);

    expect(await run.ended()).toBe(2);
    expect(run.err()).toBe('Error: --skip-konnector contradicts --konnector-image; give one of them.\n');
  });

  it('CLI-18 keeps what the user has changed when it is updated', async () => {
    const { app } = stage();
    await bindAnother(stage());
    const container = {
      name: 'konnector',
      image: `${repository}:v0.0.1`,
      resources: { limits: { memory: '2Gi', cpu: '3' }, requests: { memory: '1Gi' } },
      env: [{ name: 'HTTPS_PROXY', value: 'http://proxy.example:3128' }],
    };
    const spec = { nodeSelector: { disk: 'fast' }, containers: [container] };
    const edit = { spec: { replicas: 5, template: { spec } } };
    await app.admin
      .resource(Deployments)
      .patch(here, { type: 'strategic', patch: edit }, { fieldManager: 'kubectl-edit' });

    const { code, run } = await bindAnother(stage());

    expect(code, run.err()).toBe(0);
    const deployment = await deploymentOf(stage());
    expect(await imageOf(stage())).toBe(`${repository}:v${await packageVersion()}`);
    expect(deployment['spec']).toMatchObject({ replicas: 5 });
    expect(podOf(deployment)).toMatchObject({
      nodeSelector: { disk: 'fast' },
      containers: [{ resources: { limits: { memory: '2Gi', cpu: '3' }, requests: { memory: '1Gi', cpu: '50m' } } }],
    });
    expect(podOf(deployment).containers[0]['env']).toEqual(
      expect.arrayContaining([
        { name: 'HTTPS_PROXY', value: 'http://proxy.example:3128' },
        expect.objectContaining({ name: 'POD_NAMESPACE' }),
      ]),
    );
  });

  it('keeps the rights that a Go CLI gave it, and then needs nobody who may hand out rights', async () => {
    const { app } = stage();
    const user = unique('developer');
    await bindAnother(stage());
    const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    await app.admin.resource(ClusterRoles).patch(role, { type: 'merge', patch: { rules: everything } });
    const reading = { apiGroups: ['apps', 'rbac.authorization.k8s.io'], resources: ['deployments', 'clusterroles'] };
    await grantInCluster(app.admin, user, [...binderRules, { ...reading, verbs: ['get'] }]);
    const provider = await openProvider(stage(), { api: sampleApi() });
    const kubeconfig = await appKubeconfig(stage(), { name: user });

    const run = runCommand(['bind', '--kubeconfig', kubeconfig, '--no-browser', provider.url]);

    expect(await logInAndFinish(run, provider), run.err()).toBe(0);
    expect(await rulesOf(stage())).toEqual(everything);
  });

  it('CLI-17 CLI-37 is refused at once to users without the right, which is named', async () => {
    const { app } = stage();
    const user = unique('developer');
    await grantInCluster(app.admin, user, [
      {
        apiGroups: [''],
        resources: ['namespaces', 'secrets', 'serviceaccounts'],
        verbs: ['get', 'list', 'create', 'patch'],
      },
      {
        apiGroups: ['apps', 'networking.k8s.io'],
        resources: ['deployments', 'networkpolicies'],
        verbs: ['get', 'create', 'patch'],
      },
      {
        apiGroups: ['klutch.anynines.com'],
        resources: ['apiservicebindings'],
        verbs: ['get', 'list', 'create', 'patch'],
      },
      { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get', 'create'] },
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['roles', 'rolebindings'],
        verbs: ['get', 'create', 'patch'],
      },
    ]);
    await unlessMissing(app.admin.resource(Deployments).delete(here));
    const provider = await openProvider(stage(), { api: sampleApi() });
    const kubeconfig = await appKubeconfig(stage(), { name: user });
    const run = runCommand(['bind', '--kubeconfig', kubeconfig, '--no-browser', provider.url]);

    expect(await run.ended()).toBe(4);
    expect(run.err()).toMatch(
      /Error: You may not .*create clusterroles\.rbac\.authorization\.k8s\.io.*Nothing was changed\./,
    );
    expect(run.err()).toMatch(/`klutch konnector manifests`.*--skip-konnector\.\n$/);
    expect(provider.logins).toEqual([]);

    const skipping = runCommand(['bind', '--kubeconfig', kubeconfig, '--no-browser', '--skip-konnector', provider.url]);
    expect(await logInAndFinish(skipping, provider), skipping.err()).toBe(0);
  });

  it('CLI-17 is refused to users who would hand out rights that they do not have', async () => {
    const { app } = stage();
    const user = unique('developer');
    const resources = [
      'namespaces',
      'secrets',
      'serviceaccounts',
      'deployments',
      'networkpolicies',
      'apiservicebindings',
      'customresourcedefinitions',
      'roles',
      'rolebindings',
      'clusterroles',
      'clusterrolebindings',
    ];
    const apiGroups = [
      '',
      'apps',
      'networking.k8s.io',
      'klutch.anynines.com',
      'apiextensions.k8s.io',
      'rbac.authorization.k8s.io',
    ];
    await grantInCluster(app.admin, user, [{ apiGroups, resources, verbs: ['get', 'list', 'create', 'patch'] }]);
    await unlessMissing(app.admin.resource(ClusterRoles).delete(role));
    const provider = await openProvider(stage(), { api: sampleApi() });

    const run = runCommand([
      'bind',
      '--kubeconfig',
      await appKubeconfig(stage(), { name: user }),
      '--no-browser',
      provider.url,
    ]);

    expect(await run.ended(), run.err()).toBe(4);
    expect(run.err()).toMatch(/Error: You may not hand out the rights in ClusterRole klutch-bind-konnector/);
    expect(provider.logins).toEqual([]);
  });
});
