import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crds } from '@klutch/api';
import { type ApiServer, startApiServer } from '@klutch/apiserver';
import {
  type Change,
  type ConfigMap,
  ConfigMaps,
  connect,
  CustomResourceDefinitions,
  type KubeClient,
  Namespaces,
  parseKubeconfig,
  type ResourceType,
  Secrets,
  startInformer,
  type UnknownObject,
} from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const hasKubectl = await run('kubectl', ['version', '--client']).then(
  () => true,
  () => false,
);

const clientOf = (kubeconfig: string): KubeClient =>
  connect(parseKubeconfig(kubeconfig, { source: 'the embedded server', trust: 'local' }), { userAgent: 'test/1' });

const Widgets: ResourceType = {
  group: 'example.org',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  namespaced: true,
};

const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.org' },
  spec: {
    group: 'example.org',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: {
                    type: 'integer',
                    minimum: 1,
                    'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'may not shrink' }],
                  },
                  colour: { type: 'string', default: 'red', enum: ['red', 'blue'] },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};

const widget = (name: string, spec: unknown, more: object = {}): UnknownObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  metadata: { namespace: 'default', name, ...more },
  spec,
});

const isServed = async (client: KubeClient) => {
  await client.resource(Widgets).list({ limit: 1 });
  return true;
};

describe('the embedded API server', () => {
  let server: ApiServer;
  let admin: KubeClient;

  beforeAll(async () => {
    server = await startApiServer();
    admin = clientOf(server.kubeconfig());
    await admin.resource(CustomResourceDefinitions).create(widgetDefinition);
    await eventually(() => isServed(admin));
  });

  afterAll(async () => {
    await admin.close();
    await server.stop();
  });

  it('takes all kinds of Klutch, and serves them', async () => {
    for (const crd of crds) await admin.resource(CustomResourceDefinitions).apply({ ...crd }, { fieldManager: 'test' });
    for (const { spec } of crds) {
      const type = {
        group: spec.group,
        version: 'v1alpha1',
        plural: spec.names.plural,
        kind: spec.names.kind,
        namespaced: true,
      };
      await eventually(async () => (await admin.resource(type as ResourceType).list()).items.length === 0);
    }
  });

  it('prunes, fills in defaults and refuses what the schema or a rule forbids', async () => {
    const widgets = admin.resource(Widgets);
    const created = await widgets.create(widget('shaped', { size: 3, unknown: true }));
    expect(created).toMatchObject({ metadata: { generation: 1 }, spec: { size: 3, colour: 'red' } });
    expect(created['spec']).not.toHaveProperty('unknown');
    await expect(widgets.create(widget('wrong', { size: 0, colour: 'green' }))).rejects.toMatchObject({
      code: 'KUBE_INVALID',
      body: {
        details: {
          causes: expect.arrayContaining([
            expect.objectContaining({ field: 'spec.size' }),
            expect.objectContaining({ field: 'spec.colour' }),
          ]),
        },
      },
    });
    const shrink = widgets.patch(
      { namespace: 'default', name: 'shaped' },
      { type: 'merge', patch: { spec: { size: 2 } } },
    );
    await expect(shrink).rejects.toMatchObject({
      code: 'KUBE_INVALID',
      message: expect.stringContaining('may not shrink'),
    });
  });

  it('keeps status apart from the object', async () => {
    const widgets = admin.resource(Widgets);
    const ref = { namespace: 'default', name: 'with-status' };
    await widgets.create({ ...widget(ref.name, { size: 1 }), status: { ready: true } });
    expect((await widgets.get(ref))['status']).toBeUndefined();
    const patched = await widgets.patch(
      ref,
      { type: 'merge', patch: { status: { ready: true }, spec: { size: 9 } } },
      { subresource: 'status' },
    );
    expect(patched).toMatchObject({ metadata: { generation: 1 }, spec: { size: 1 }, status: { ready: true } });
  });

  it('tracks who applied which field', async () => {
    const maps = admin.resource(ConfigMaps);
    const map = (data: Record<string, string>): ConfigMap => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name: 'shared' },
      data,
    });
    await maps.apply(map({ a: '1', b: '1' }), { fieldManager: 'one' });
    await expect(maps.apply(map({ a: '2' }), { fieldManager: 'two' })).rejects.toMatchObject({ code: 'KUBE_CONFLICT' });
    await maps.apply(map({ a: '2' }), { fieldManager: 'two', force: true });
    expect((await maps.apply(map({}), { fieldManager: 'one' })).data).toEqual({ a: '2' });
  });

  it('keeps an informer current', async () => {
    const stop = new AbortController();
    const informer = startInformer({ client: admin.resource(ConfigMaps), labelSelector: 'watched' }, stop.signal);
    const changes: Change<ConfigMap>[] = [];
    informer.subscribe((change) => changes.push(change));
    await informer.synced;
    const maps = admin.resource(ConfigMaps);
    const ref = { namespace: 'default', name: 'watched' };
    await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...ref, labels: { watched: 'yes' } } });
    await maps.patch(ref, { type: 'merge', patch: { data: { a: '1' } } });
    await maps.patch(ref, { type: 'merge', patch: { metadata: { labels: { watched: null } } } });
    await eventually(() => changes.length === 3);
    expect(changes.map(({ type }) => type)).toEqual(['added', 'updated', 'deleted']);
    stop.abort();
    await informer.stopped;
  });

  it('lets users do what roles allow, and nothing else', async () => {
    const jane = clientOf(server.kubeconfig({ name: 'jane' }));
    await expect(jane.resource(Secrets).list({ namespace: 'default' })).rejects.toMatchObject({
      code: 'KUBE_FORBIDDEN',
      message: expect.stringContaining(
        'User "jane" cannot list resource "secrets" in API group "" in the namespace "default"',
      ),
    });
    const rbac = 'rbac.authorization.k8s.io';
    const Roles: ResourceType = { group: rbac, version: 'v1', plural: 'roles', kind: 'Role', namespaced: true };
    const RoleBindings: ResourceType = {
      group: rbac,
      version: 'v1',
      plural: 'rolebindings',
      kind: 'RoleBinding',
      namespaced: true,
    };
    await admin.resource(Roles).create({
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata: { namespace: 'default', name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }],
    });
    await admin.resource(RoleBindings).create({
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { namespace: 'default', name: 'jane' },
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'User', apiGroup: rbac, name: 'jane' }],
    });
    expect((await jane.resource(Secrets).list({ namespace: 'default' })).items).toEqual([]);
    await expect(jane.resource(Secrets).list()).rejects.toMatchObject({ code: 'KUBE_FORBIDDEN' });
    await jane.close();
  });

  it('gives out tokens of service accounts that work', async () => {
    const ServiceAccounts: ResourceType = {
      group: '',
      version: 'v1',
      plural: 'serviceaccounts',
      kind: 'ServiceAccount',
      namespaced: true,
    };
    await eventually(() => admin.resource(ServiceAccounts).find({ namespace: 'default', name: 'default' }));
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { namespace: 'default', name: 'default' },
      spec: {},
    };
    const answer = (await admin
      .resource(ServiceAccounts)
      .create(request, { subresource: 'token' })) as UnknownObject & { status: { token: string } };
    const config = parseKubeconfig(server.kubeconfig(), { source: 'test', trust: 'local' });
    const robot = connect({ ...config, auth: { kind: 'token', token: answer.status.token } }, { userAgent: 'robot' });
    await expect(robot.resource(Secrets).list()).rejects.toMatchObject({
      message: expect.stringContaining('system:serviceaccount:default:default'),
    });
    await robot.close();
  });

  it('removes what belongs to a deleted owner, and the content of a deleted namespace', async () => {
    const maps = admin.resource(ConfigMaps);
    const owner = await maps.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name: 'owner' },
    });
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid ?? '' }];
    await maps.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name: 'owned', ownerReferences },
    });
    await maps.delete({ namespace: 'default', name: 'owner' });
    await eventually(async () => (await maps.find({ namespace: 'default', name: 'owned' })) === undefined);
    await admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'doomed' } });
    await admin.resource(Widgets).create(widget('inside', { size: 1 }, { namespace: 'doomed' }));
    await admin.resource(Namespaces).delete({ name: 'doomed' });
    await eventually(async () => (await admin.resource(Namespaces).find({ name: 'doomed' })) === undefined);
    expect((await admin.resource(Widgets).list({ namespace: 'doomed' })).items).toEqual([]);
  });

  describe.skipIf(!hasKubectl)('with kubectl', () => {
    let folder: string;
    const kubectl = async (...args: string[]) => {
      const { stdout } = await run('kubectl', args, {
        env: { ...process.env, KUBECONFIG: join(folder, 'kubeconfig'), HOME: folder },
      });
      return stdout;
    };

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'klutch-kubectl-'));
      await writeFile(join(folder, 'kubeconfig'), server.kubeconfig(), { mode: 0o600 });
    });

    afterEach(() => rm(folder, { recursive: true, force: true }));

    it('applies, shows, explains and deletes', async () => {
      const file = join(folder, 'widget.yaml');
      await writeFile(
        file,
        'apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: by-kubectl, namespace: default}\nspec: {size: 5}\n',
      );
      expect(await kubectl('apply', '-f', file)).toContain('created');
      expect(await kubectl('apply', '-f', file)).toContain('unchanged');
      expect(await kubectl('apply', '--server-side', '--force-conflicts', '-f', file)).toContain('serverside-applied');
      expect(await kubectl('get', 'wd', 'by-kubectl')).toMatch(/NAME +SIZE\nby-kubectl +5/);
      expect(await kubectl('get', 'wd', 'by-kubectl', '-o', 'jsonpath={.spec.colour}')).toBe('red');
      expect(await kubectl('explain', 'widgets.spec')).toContain('colour');
      expect(await kubectl('label', 'wd', 'by-kubectl', 'a=b')).toContain('labeled');
      expect(await kubectl('describe', 'wd', 'by-kubectl')).toContain('Colour:');
      expect(await kubectl('delete', 'wd', 'by-kubectl')).toContain('deleted');
    });

    it('creates without a manifest, and asks who it is and what it may do', async () => {
      expect(await kubectl('create', 'configmap', 'quick', '--from-literal=a=b')).toContain('created');
      expect(await kubectl('create', 'namespace', 'quick')).toContain('created');
      expect(await kubectl('auth', 'whoami')).toContain('admin');
      expect(await kubectl('auth', 'can-i', 'create', 'widgets')).toContain('yes');
      expect(await kubectl('api-resources', '--api-group', 'example.org')).toContain('widgets');
      expect(await kubectl('wait', '--for=condition=Established', 'crd/widgets.example.org', '--timeout=5s')).toContain(
        'condition met',
      );
    });
  });
});

describe('an embedded API server with a folder', () => {
  it('has everything again after a restart', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'klutch-embedded-'));
    try {
      const first = await startApiServer({ dir });
      const before = clientOf(first.kubeconfig());
      await before.resource(CustomResourceDefinitions).create(widgetDefinition);
      await eventually(() => isServed(before));
      const written = await before.resource(Widgets).create(widget('kept', { size: 2 }));
      await before.close();
      await first.stop();
      const second = await startApiServer({ dir });
      const after = clientOf(second.kubeconfig());
      expect(await after.resource(Widgets).get({ namespace: 'default', name: 'kept' })).toEqual(written);
      await after.close();
      await second.stop();
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('takes the kubeconfig of an administrator until it is revoked, also after restarts', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'klutch-embedded-'));
    const starts = [await startApiServer({ dir })];
    const restart = async () => {
      const { port } = new URL(starts.at(-1)?.url ?? '');
      await starts.at(-1)?.stop();
      starts.push(await startApiServer({ dir, port: Number(port) }));
      return starts.at(-1) as ApiServer;
    };
    const namespaces = async (kubeconfig: string) => {
      const client = clientOf(kubeconfig);
      const answer = await client
        .resource(Namespaces)
        .find({ name: 'default' })
        .then(
          (found) => found?.metadata.name,
          (error: { status?: number }) => error.status,
        );
      await client.close();
      return answer;
    };
    try {
      const [old, ann] = [starts[0]?.kubeconfig() ?? '', starts[0]?.kubeconfig({ name: 'ann' }) ?? ''];
      expect(await namespaces(old)).toBe('default');
      const second = await restart();
      expect(await namespaces(old)).toBe('default');

      await second.revokeAdministrators();

      expect(await namespaces(old)).toBe(401);
      expect(await namespaces(second.kubeconfig())).toBe('default');
      expect(await namespaces(ann)).toBe(403);
      await restart();
      expect([await namespaces(old), await namespaces(second.kubeconfig())]).toEqual([401, 'default']);
    } finally {
      await starts.at(-1)?.stop();
      await rm(dir, { recursive: true, force: true });
    }
  });
});
