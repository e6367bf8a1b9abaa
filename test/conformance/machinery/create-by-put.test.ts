import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { masked, storedMeta } from '../mask.ts';
import { inCluster, inNamespace } from '../paths.ts';
import { conflict, expectRefusal, forbidden, invalid, notFound } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-put';
const rbac = 'rbac.authorization.k8s.io/v1';

conformance('create by put', ({ check, prepare }) => {
  const leases = inNamespace('coordination.k8s.io/v1/leases', namespace);
  prepare((server) => server.createNamespace(namespace));

  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'conf-put' };
  const subset = { addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] };
  for (const [title, path, fields] of [
    ['a lease', leases('new'), {}],
    ['an event', inNamespace('v1/events', namespace)('new'), { involvedObject: { namespace } }],
    ['a service', inNamespace('v1/services', namespace)('new'), { spec: { ports: [{ port: 80 }] } }],
    ['endpoints', inNamespace('v1/endpoints', namespace)('other'), { subsets: [subset] }],
    ['a role', inNamespace(`${rbac}/roles`, namespace)('new'), { rules: [] }],
    ['a role binding', inNamespace(`${rbac}/rolebindings`, namespace)('new'), { roleRef }],
    ['a cluster role', inCluster(`${rbac}/clusterroles`)('conf-put'), { rules: [] }],
    ['a cluster role binding', inCluster(`${rbac}/clusterrolebindings`)('conf-put'), { roleRef }],
  ] as const) {
    check(`makes ${title} that is not there`, async ({ admin }) => {
      const name = path.split('/').at(-1);
      const { status, body } = await admin.put(path, { metadata: { name }, ...fields });

      expect([status, body.metadata.name, (await admin.get(path)).status]).toEqual([201, name, 200]);
    });
  }

  for (const resource of ['v1/configmaps', 'v1/secrets', 'v1/pods', 'v1/serviceaccounts'] as const) {
    check(`makes no ${resource}`, async ({ admin }) => {
      const answer = await admin.put(inNamespace(resource, namespace)('absent'), { metadata: { name: 'absent' } });

      expectRefusal(answer, notFound(resource.slice('v1/'.length), 'absent'));
    });
  }

  check('takes any version for an object that is not there, but no uid', async ({ admin }) => {
    const versioned = await admin.put(leases('versioned'), { metadata: { name: 'versioned', resourceVersion: '5' } });
    const known = await admin.put(leases('known'), { metadata: { name: 'known', uid: 'u' } });

    expect([versioned.status, masked(versioned.body)]).toEqual([
      201,
      {
        kind: 'Lease',
        apiVersion: 'coordination.k8s.io/v1',
        metadata: storedMeta('versioned', namespace),
        spec: {},
      },
    ]);
    expectRefusal(
      known,
      conflict(
        'leases.coordination.k8s.io',
        'known',
        `StorageError: invalid object, Code: 4, Key: /registry/leases/${namespace}/known, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: u, UID in object meta: `,
      ),
    );
  });

  check('needs the version of a lease that is there', async ({ admin }) => {
    await admin.create(leases(), { metadata: { name: 'there' } });

    expectRefusal(
      await admin.put(leases('there'), { metadata: { name: 'there' } }),
      invalid({ group: 'coordination.k8s.io', kind: 'leases' }, 'there', [
        ['metadata.resourceVersion', 'FieldValueInvalid', 'Invalid value: 0: must be specified for an update'],
      ]),
    );
  });

  check('checks what it makes, and where', async ({ admin }) => {
    expectRefusal(
      await admin.put(leases('bad'), { metadata: { name: 'bad' }, spec: { leaseDurationSeconds: -1 } }),
      invalid({ group: 'coordination.k8s.io', kind: 'Lease' }, 'bad', [
        ['spec.leaseDurationSeconds', 'FieldValueInvalid', 'Invalid value: -1: must be greater than 0'],
      ]),
    );
    expectRefusal(
      await admin.put('/apis/coordination.k8s.io/v1/namespaces/conf-put-nowhere/leases/x', { metadata: { name: 'x' } }),
      notFound('namespaces', 'conf-put-nowhere'),
    );
  });

  check('makes nothing under dry run', async ({ admin }) => {
    const { status } = await admin.put(`${leases('dry')}?dryRun=All`, { metadata: { name: 'dry' } });

    expect([status, (await admin.get(leases('dry'))).status]).toEqual([201, 404]);
  });

  check('needs the permission to create, and so does apply', async ({ admin, as }) => {
    await admin.create(inNamespace(`${rbac}/roles`, namespace)(), {
      metadata: { name: 'changer' },
      rules: [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['update', 'patch'] }],
    });
    await admin.create(inNamespace(`${rbac}/rolebindings`, namespace)(), {
      metadata: { name: 'changers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'changer' },
      subjects: [{ kind: 'User', name: 'conf-put-changer' }],
    });
    await admin.create(leases(), { metadata: { name: 'mine' } });
    const user = await as({ name: 'conf-put-changer' });
    const apply = (name: string) =>
      user.apply(leases(name), 'm', { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name } });
    await eventually(async () => (await apply('mine')).status === 200, { what: 'the role holds' });

    const problem = `User "conf-put-changer" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "${namespace}"`;
    const refused = forbidden('leases.coordination.k8s.io', 'yours', problem);
    expectRefusal(await user.put(leases('yours'), { metadata: { name: 'yours' } }), refused);
    expectRefusal(await apply('yours'), refused);
  });
});
