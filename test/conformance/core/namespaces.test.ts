import { expect } from 'vitest';
import { masked, storedMeta } from '../mask.ts';
import { inCluster } from '../paths.ts';
import { expectRefusal, forbidden, invalid, invalidValue, nameRules } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespaces = inCluster('v1/namespaces');

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

  check('belong to their creator, but for the finalizer', async ({ admin }) => {
    const { body } = await admin.post('/api/v1/namespaces', { metadata: { name: 'conf-ns-owned' } });

    expect(body.metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1)).toEqual([
      { 'f:metadata': { 'f:labels': { '.': {}, 'f:kubernetes.io/metadata.name': {} } } },
    ]);
    const sent = { metadata: { name: 'conf-ns-held' }, spec: { finalizers: ['conf.example/mine', 'kubernetes'] } };
    const { body: held } = await admin.post('/api/v1/namespaces', sent);
    expect(held.metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1)).toEqual([
      {
        'f:metadata': { 'f:labels': { '.': {}, 'f:kubernetes.io/metadata.name': {} } },
        'f:spec': { 'f:finalizers': {} },
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
