import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { configMap } from '../objects.ts';
import { inCluster, inNamespace, pathOf } from '../paths.ts';
import { expectRefusal, forbidden, refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-rbac';
const other = 'conf-rbac-other';
const rbac = 'rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const maps = inNamespace('v1/configmaps', namespace);
const clusterRoles = inCluster(`${rbac}/clusterroles`);

/** Who may do what in the namespace, by user. */
const rolesOf: Readonly<Record<string, readonly object[]>> = {
  'conf-reader': [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
  'conf-writer': [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'update', 'patch', 'delete'] }],
  'conf-one': [
    {
      apiGroups: [''],
      resources: ['configmaps'],
      resourceNames: ['one'],
      verbs: ['get', 'list', 'watch', 'update', 'delete', 'create', 'deletecollection'],
    },
  ],
  'conf-all': [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  'conf-status': [{ apiGroups: ['apps'], resources: ['deployments/status'], verbs: ['get'] }],
  'conf-any-scale': [{ apiGroups: ['apps'], resources: ['*/scale'], verbs: ['get'] }],
};

conformance('roles and what they allow', ({ check, prepare }) => {
  prepare(async ({ admin, as, createNamespace }) => {
    await Promise.all([createNamespace(namespace), createNamespace(other)]);
    await admin.create(maps(), configMap('one'));
    const labels = { app: 'x' };
    await admin.create(inNamespace('apps/v1/deployments', namespace)(), {
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    });
    for (const [name, rules] of Object.entries(rolesOf)) {
      await admin.create(inNamespace(`${rbac}/roles`, namespace)(), { metadata: { name }, rules });
      await admin.create(inNamespace(`${rbac}/rolebindings`, namespace)(), {
        metadata: { name },
        roleRef: { apiGroup, kind: 'Role', name },
        subjects: [{ kind: 'User', name }],
      });
    }
    const last = await as({ name: 'conf-any-scale' });
    const attributes = { namespace, verb: 'get', group: 'apps', resource: 'deployments', subresource: 'scale' };
    const review = { spec: { resourceAttributes: attributes } };
    await eventually(
      async () =>
        (await last.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review)).body.status.allowed ===
        true,
      { what: 'the last role holds' },
    );
  });

  check('refuse what nobody granted, with the exact reason', async ({ as }) => {
    const user = await as({ name: 'conf-nobody', groups: ['g'] });

    const refused = (resource: string, name: string, what: string) =>
      forbidden(resource, name, `User "conf-nobody" cannot ${what}`);
    const there = `in the namespace "${namespace}"`;

    expectRefusal(
      await user.get(maps('one')),
      refused('configmaps', 'one', `get resource "configmaps" in API group "" ${there}`),
    );
    expectRefusal(
      await user.get(maps()),
      refused('configmaps', '', `list resource "configmaps" in API group "" ${there}`),
    );
    expectRefusal(
      await user.get(`${maps()}?watch=1`),
      refused('configmaps', '', `watch resource "configmaps" in API group "" ${there}`),
    );
    expectRefusal(
      await user.post(maps(), configMap('x')),
      refused('configmaps', '', `create resource "configmaps" in API group "" ${there}`),
    );
    expectRefusal(
      await user.delete(maps()),
      refused('configmaps', '', `deletecollection resource "configmaps" in API group "" ${there}`),
    );
    expectRefusal(
      await user.get(`${inNamespace('apps/v1/deployments', namespace)('d')}/scale`),
      refused('deployments.apps', 'd', `get resource "deployments/scale" in API group "apps" ${there}`),
    );
  });

  check('refuse the same outside of namespaces, known or not', async ({ as }) => {
    const user = await as({ name: 'conf-nobody' });
    const refused = (resource: string, name: string, what: string) =>
      forbidden(resource, name, `User "conf-nobody" cannot ${what}`);

    expectRefusal(
      await user.get('/api/v1/nodes'),
      refused('nodes', '', 'list resource "nodes" in API group "" at the cluster scope'),
    );
    // A namespace counts as something inside of itself.
    expectRefusal(
      await user.get(`/api/v1/namespaces/${namespace}`),
      refused('namespaces', namespace, `get resource "namespaces" in API group "" in the namespace "${namespace}"`),
    );
    expectRefusal(
      await user.get('/apis/unicorn.example/v1/unicorns'),
      refused(
        'unicorns.unicorn.example',
        '',
        'list resource "unicorns" in API group "unicorn.example" at the cluster scope',
      ),
    );
    expectRefusal(
      await user.get('/unicorn'),
      refusal(403, 'Forbidden', 'forbidden: User "conf-nobody" cannot get path "/unicorn"', {}),
    );
  });

  check('come before everything else: what is not there is forbidden too', async ({ as }) => {
    const user = await as({ name: 'conf-nobody' });

    expect((await user.get(maps('absent'))).status).toBe(403);
    expect((await user.post(maps(), '{')).status).toBe(403);
  });

  check('allow verb by verb', async ({ as }) => {
    const reader = await as({ name: 'conf-reader' });
    const writer = await as({ name: 'conf-writer' });

    expect([
      (await reader.get(maps('one'))).status,
      (await reader.get(maps())).status,
      (await reader.post(maps(), configMap('x'))).status,
    ]).toEqual([200, 200, 403]);
    expect([
      (await writer.post(maps(), configMap('written'))).status,
      (await writer.get(maps('written'))).status,
    ]).toEqual([201, 403]);
    expect((await writer.patch('merge', maps('written'), { data: { a: '1' } })).status).toBe(200);
    expect((await writer.delete(maps('written'))).status).toBe(200);
    expect((await writer.delete(maps())).status).toBe(403);
  });

  check('hold in their namespace only', async ({ as }) => {
    const reader = await as({ name: 'conf-reader' });

    expect((await reader.get(pathOf('v1/configmaps', { namespace: other }))).status).toBe(403);
    expect((await reader.get('/api/v1/configmaps')).status).toBe(403);
  });

  check('may name objects, also for a list by that name', async ({ as }) => {
    const user = await as({ name: 'conf-one' });

    expect((await user.get(maps('one'))).status).toBe(200);
    expect((await user.get(maps('two'))).status).toBe(403);
    expect((await user.get(maps())).status).toBe(403);
    expect((await user.get(`${maps()}?fieldSelector=metadata.name=one`)).status).toBe(200);
    expect((await user.get(`${maps()}?fieldSelector=metadata.name=two`)).status).toBe(403);
    const watch = await user.watch(`${maps()}?fieldSelector=metadata.name=one&timeoutSeconds=1`);
    watch.close();
    expect(watch.status).toBe(200);
  });

  check('cannot name objects that are to be created or deleted as a collection', async ({ as }) => {
    const user = await as({ name: 'conf-one' });

    expect((await user.post(maps(), configMap('one'))).status).toBe(403);
    expect((await user.delete(maps())).status).toBe(403);
  });

  check('may be wild cards', async ({ as }) => {
    const user = await as({ name: 'conf-all' });

    expect((await user.get(pathOf('v1/secrets', { namespace }))).status).toBe(200);
    expect((await user.get(inNamespace('apps/v1/deployments', namespace)('d'))).status).toBe(200);
    expect((await user.get('/api/v1/namespaces')).status).toBe(403);
    expect((await user.get(`/api/v1/namespaces/${namespace}`)).status).toBe(200);
  });

  check('tell subresources from resources', async ({ as }) => {
    const status = await as({ name: 'conf-status' });
    const scale = await as({ name: 'conf-any-scale' });
    const deployment = inNamespace('apps/v1/deployments', namespace)('d');

    expect([(await status.get(`${deployment}/status`)).status, (await status.get(deployment)).status]).toEqual([
      200, 403,
    ]);
    expect([(await scale.get(`${deployment}/scale`)).status, (await scale.get(`${deployment}/status`)).status]).toEqual(
      [200, 403],
    );
  });

  check('may be bound to groups and to service accounts', async ({ admin, as, withToken }) => {
    await admin.create(inNamespace('v1/serviceaccounts', namespace)(), { metadata: { name: 'robot' } });
    await admin.create(inNamespace(`${rbac}/rolebindings`, namespace)(), {
      metadata: { name: 'several' },
      roleRef: { apiGroup, kind: 'Role', name: 'conf-reader' },
      subjects: [
        { kind: 'Group', name: 'conf-readers' },
        { kind: 'ServiceAccount', name: 'robot', namespace },
      ],
    });
    const { body } = await admin.post(`${inNamespace('v1/serviceaccounts', namespace)('robot')}/token`, { spec: {} });
    const robot = withToken((body.status as { token: string }).token);
    const member = await as({ name: 'conf-member', groups: ['conf-readers'] });

    await eventually(async () => (await robot.get(maps('one'))).status === 200, { what: 'the account may read' });
    expect((await member.get(maps('one'))).status).toBe(200);
  });

  check('of the cluster may hold in one namespace', async ({ admin, as }) => {
    await admin.create(inNamespace(`${rbac}/rolebindings`, other)(), {
      metadata: { name: 'viewer' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', name: 'conf-viewer' }],
    });
    const viewer = await as({ name: 'conf-viewer' });

    await eventually(async () => (await viewer.get(pathOf('v1/configmaps', { namespace: other }))).status === 200, {
      what: 'the role holds',
    });
    expect((await viewer.get(maps())).status).toBe(403);
    expect((await viewer.get(pathOf('v1/secrets', { namespace: other }))).status).toBe(403);
  });

  check('may be about paths', async ({ admin, as }) => {
    await admin.create(clusterRoles(), {
      metadata: { name: 'conf-paths' },
      rules: [{ nonResourceURLs: ['/metrics', '/logs/*'], verbs: ['get'] }],
    });
    await admin.create(inCluster(`${rbac}/clusterrolebindings`)(), {
      metadata: { name: 'conf-paths' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'conf-paths' },
      subjects: [{ kind: 'User', name: 'conf-paths' }],
    });
    const user = await as({ name: 'conf-paths' });

    await eventually(async () => (await user.get('/logs/x')).status !== 403, { what: 'the role holds' });
    expectRefusal(
      await user.get('/logs'),
      refusal(403, 'Forbidden', 'forbidden: User "conf-paths" cannot get path "/logs"', {}),
    );
    expectRefusal(
      await user.post('/metrics', {}),
      refusal(403, 'Forbidden', 'forbidden: User "conf-paths" cannot post path "/metrics"', {}),
    );
  });

  check('may be bound before they exist, and allow nothing until then', async ({ admin, as }) => {
    await admin.create(inNamespace(`${rbac}/rolebindings`, namespace)(), {
      metadata: { name: 'early' },
      roleRef: { apiGroup, kind: 'Role', name: 'later' },
      subjects: [{ kind: 'User', name: 'conf-early' }],
    });
    const user = await as({ name: 'conf-early' });
    const refused = await eventually(
      async () => {
        const answer = await user.get(maps('one'));
        return answer.body.message.includes('RBAC') && answer;
      },
      { what: 'the binding holds' },
    );
    await admin.create(inNamespace(`${rbac}/roles`, namespace)(), {
      metadata: { name: 'later' },
      rules: rolesOf['conf-reader'],
    });

    expectRefusal(
      refused,
      forbidden(
        'configmaps',
        'one',
        'User "conf-early" cannot get resource "configmaps" in API group "" in the namespace "conf-rbac": RBAC: role.rbac.authorization.k8s.io "later" not found',
      ),
    );
    await eventually(async () => (await user.get(maps('one'))).status === 200, { what: 'the role holds' });
  });
});
