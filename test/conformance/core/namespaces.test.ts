import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { masked, storedMeta } from '../mask.ts';
import { configMap } from '../objects.ts';
import { inCluster, inNamespace } from '../paths.ts';
import { expectRefusal, forbidden, invalid, invalidValue, nameRules, refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespaces = inCluster('v1/namespaces');

const terminating = refusal(
  403,
  'Forbidden',
  'configmaps "late" is forbidden: unable to create new content in namespace conf-ns-held because it is being terminated',
  {
    name: 'late',
    kind: 'configmaps',
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: 'namespace conf-ns-held is being terminated',
        field: 'metadata.namespace',
      },
    ],
  },
);

conformance('namespaces', ({ check }) => {
  check('are active at once, with a label and a finalizer', async ({ admin }) => {
    const { status, body } = await admin.post(namespaces(), { metadata: { name: 'conf-ns-new' } });

    expect([status, masked(body)]).toEqual([
      201,
      {
        kind: 'Namespace',
        apiVersion: 'v1',
        metadata: storedMeta('conf-ns-new', undefined, { labels: { 'kubernetes.io/metadata.name': 'conf-ns-new' } }),
        spec: { finalizers: ['kubernetes'] },
        status: { phase: 'Active' },
      },
    ]);
  });

  check('keep the label of their name', async ({ admin }) => {
    await admin.create(namespaces(), {
      metadata: { name: 'conf-ns-label', labels: { 'kubernetes.io/metadata.name': 'other' } },
    });
    const { body } = await admin.patch('merge', namespaces('conf-ns-label'), {
      metadata: { labels: { 'kubernetes.io/metadata.name': null, a: '1' } },
    });

    expect(body.metadata.labels).toEqual({ a: '1', 'kubernetes.io/metadata.name': 'conf-ns-label' });
  });

  check('refuse a bad name', async ({ admin }) => {
    expectRefusal(
      await admin.post(namespaces(), { metadata: { name: 'Bad_Name' } }),
      invalid({ kind: 'Namespace' }, 'Bad_Name', [
        ['metadata.name', 'FieldValueInvalid', invalidValue('Bad_Name', nameRules.label)],
      ]),
    );
    expectRefusal(
      await admin.post(namespaces(), { metadata: { name: 'n'.repeat(64) } }),
      invalid({ kind: 'Namespace' }, 'n'.repeat(64), [
        ['metadata.name', 'FieldValueInvalid', invalidValue('n'.repeat(64), 'must be no more than 63 characters')],
        ['metadata.labels', 'FieldValueInvalid', invalidValue('n'.repeat(64), 'must be no more than 63 bytes')],
      ]),
    );
  });

  check('have a status of their own', async ({ admin }) => {
    await admin.create(namespaces(), { metadata: { name: 'conf-ns-status' } });
    const patched = await admin.patch('merge', namespaces('conf-ns-status'), { status: { phase: 'Terminating' } });

    expect([patched.status, patched.body.status]).toEqual([200, { phase: 'Active' }]);
  });

  check(
    'are terminating as long as something holds them, and take nothing new',
    async ({ admin, createNamespace }) => {
      await createNamespace('conf-ns-held');
      const maps = inNamespace('v1/configmaps', 'conf-ns-held');
      await admin.create(maps(), configMap('held', {}, { finalizers: ['x.io/hold'] }));

      const { status, body } = await admin.delete(namespaces('conf-ns-held'));
      const refused = await admin.post(maps(), configMap('late'));
      const applied = await admin.apply(maps('late'), 'one', configMap('late'));
      const updated = await admin.patch('merge', maps('held'), { data: { a: '1' } });
      await eventually(
        async () =>
          (
            (await admin.get(namespaces('conf-ns-held'))).body.status.conditions as
              | { type: string; status: string }[]
              | undefined
          )?.some(({ type, status }) => type === 'NamespaceFinalizersRemaining' && status === 'True'),
        { what: 'the namespace says what holds it' },
      );
      const { body: waiting } = await admin.get(namespaces('conf-ns-held'));
      await admin.patch('merge', maps('held'), { metadata: { finalizers: null } });

      expect([status, body.kind, body.status, body.metadata.deletionTimestamp !== undefined]).toEqual([
        200,
        'Namespace',
        { phase: 'Terminating' },
        true,
      ]);
      expectRefusal(refused, terminating);
      expectRefusal(applied, terminating);
      expect(updated.status).toBe(200);
      expect(masked(waiting.status)).toEqual({
        phase: 'Terminating',
        conditions: [
          {
            type: 'NamespaceDeletionDiscoveryFailure',
            status: 'False',
            lastTransitionTime: '<time>',
            reason: 'ResourcesDiscovered',
            message: 'All resources successfully discovered',
          },
          {
            type: 'NamespaceDeletionGroupVersionParsingFailure',
            status: 'False',
            lastTransitionTime: '<time>',
            reason: 'ParsedGroupVersions',
            message: 'All legacy kube types successfully parsed',
          },
          {
            type: 'NamespaceDeletionContentFailure',
            status: 'False',
            lastTransitionTime: '<time>',
            reason: 'ContentDeleted',
            message: 'All content successfully deleted, may be waiting on finalization',
          },
          {
            type: 'NamespaceContentRemaining',
            status: 'True',
            lastTransitionTime: '<time>',
            reason: 'SomeResourcesRemain',
            message: 'Some resources are remaining: configmaps. has 1 resource instances',
          },
          {
            type: 'NamespaceFinalizersRemaining',
            status: 'True',
            lastTransitionTime: '<time>',
            reason: 'SomeFinalizersRemain',
            message: 'Some content in the namespace has finalizers remaining: x.io/hold in 1 resource instances',
          },
        ],
      });
      await eventually(async () => (await admin.get(namespaces('conf-ns-held'))).status === 404, {
        what: 'the namespace is gone',
      });
    },
    { concurrent: true },
  );

  check(
    'are deleted by a second request as by the first',
    async ({ admin, createNamespace }) => {
      await createNamespace('conf-ns-twice');
      await admin.create(
        inNamespace('v1/configmaps', 'conf-ns-twice')(),
        configMap('held', {}, { finalizers: ['x.io/hold'] }),
      );
      await admin.delete(namespaces('conf-ns-twice'));
      const again = await admin.delete(namespaces('conf-ns-twice'));
      await admin.patch('merge', inNamespace('v1/configmaps', 'conf-ns-twice')('held'), {
        metadata: { finalizers: null },
      });

      expect([again.status, again.body.kind, again.body.message]).toEqual([200, 'Namespace', undefined]);
    },
    { concurrent: true },
  );

  check(
    'go when their last finalizer goes',
    async ({ admin }) => {
      await admin.create(namespaces(), {
        metadata: { name: 'conf-ns-final' },
        spec: { finalizers: ['kubernetes', 'x.io/hold'] },
      });
      await admin.delete(namespaces('conf-ns-final'));
      const emptied = await eventually(
        async () => {
          const { body } = await admin.get(namespaces('conf-ns-final'));
          return (body.spec.finalizers as string[]).length === 1 && body;
        },
        { what: 'the namespace is empty' },
      );

      const { status, body } = await admin.put(`${namespaces('conf-ns-final')}/finalize`, {
        metadata: { name: 'conf-ns-final' },
        spec: {},
      });

      expect([emptied.spec, status, body.kind]).toEqual([{ finalizers: ['x.io/hold'] }, 200, 'Namespace']);
      await eventually(async () => (await admin.get(namespaces('conf-ns-final'))).status === 404, {
        what: 'the namespace is gone',
      });
    },
    { concurrent: true },
  );

  check('do not lose finalizers by a plain update', async ({ admin }) => {
    await admin.create(namespaces(), { metadata: { name: 'conf-ns-keep' } });
    const { status, body } = await admin.put(namespaces('conf-ns-keep'), {
      metadata: { name: 'conf-ns-keep' },
      spec: { finalizers: [] },
    });

    expect([status, body.spec]).toEqual([200, { finalizers: ['kubernetes'] }]);
  });

  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    check(`include ${name}`, async ({ admin }) => {
      expect((await admin.get(namespaces(name))).status).toBe(200);
    });
  }

  check('of the system cannot be deleted', async ({ admin }) => {
    expectRefusal(
      await admin.delete(namespaces('default')),
      forbidden('namespaces', 'default', 'this namespace may not be deleted'),
    );
    expectRefusal(
      await admin.delete(namespaces('kube-system')),
      forbidden('namespaces', 'kube-system', 'this namespace may not be deleted'),
    );
  });
});
