import { expect } from 'vitest';
import { crds, definition } from '../definition.ts';
import { masked } from '../mask.ts';
import { configMap } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { conflict, expectRefusal, invalid, invalidValue, modified, nameRules, notFound, refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-dry-run';
const maps = inNamespace('v1/configmaps', namespace);

conformance('dry run', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    await admin.create(maps(), configMap('there', { a: '1' }));
  });

  check('creates nothing and shows what would be', async ({ admin }) => {
    const { status, body } = await admin.post(`${maps()}?dryRun=All`, configMap('new', { a: '1' }));

    expect([status, masked(body)]).toEqual([
      201,
      {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { name: 'new', namespace, uid: '<uid>', creationTimestamp: '<time>' },
        data: { a: '1' },
      },
    ]);
    expect((await admin.get(maps('new'))).status).toBe(404);
  });

  check('generates a name', async ({ admin }) => {
    const { status, body } = await admin.post(`${maps()}?dryRun=All`, { metadata: { generateName: 'made-' } });

    expect(status).toBe(201);
    expect(body.metadata.name).toMatch(/^made-.{5}$/);
  });

  check('replaces and patches nothing', async ({ admin }) => {
    const { body: before } = await admin.get(maps('there'));
    const replaced = await admin.put(`${maps('there')}?dryRun=All`, configMap('there', { a: '2' }));
    const merged = await admin.patch('merge', `${maps('there')}?dryRun=All`, { data: { b: '2' } });
    const json = await admin.patch('json', `${maps('there')}?dryRun=All`, [{ op: 'remove', path: '/data/a' }]);
    const applied = await admin.apply(`${maps('there')}?dryRun=All`, 'one', configMap('there', { a: '1', c: '3' }));

    expect([replaced, merged, json, applied].map(({ status, body }) => [status, body.data])).toEqual([
      [200, { a: '2' }],
      [200, { a: '1', b: '2' }],
      [200, undefined],
      [200, { a: '1', c: '3' }],
    ]);
    expect(replaced.body.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect((await admin.get(maps('there'))).body).toEqual(before);
  });

  check('refuses what would be refused', async ({ admin }) => {
    expectRefusal(
      await admin.post(`${maps()}?dryRun=All`, configMap('there')),
      refusal(409, 'AlreadyExists', 'configmaps "there" already exists', { name: 'there', kind: 'configmaps' }),
    );
    expectRefusal(
      await admin.post(`${maps()}?dryRun=All`, configMap('Bad')),
      invalid({ kind: 'ConfigMap' }, 'Bad', [
        ['metadata.name', 'FieldValueInvalid', invalidValue('Bad', nameRules.subdomain)],
      ]),
    );
    expectRefusal(
      await admin.put(`${maps('absent')}?dryRun=All`, configMap('absent')),
      notFound('configmaps', 'absent'),
    );
    expectRefusal(await admin.delete(`${maps('absent')}?dryRun=All`), notFound('configmaps', 'absent'));
    expectRefusal(
      await admin.put(`${maps('there')}?dryRun=All`, configMap('there', {}, { resourceVersion: '1' })),
      conflict('configmaps', 'there', modified),
    );
  });

  check('knows no other value than All', async ({ admin }) => {
    expectRefusal(
      await admin.post(`${maps()}?dryRun=true`, configMap('new')),
      invalid({ group: 'meta.k8s.io', kind: 'CreateOptions' }, '', [
        ['dryRun', 'FieldValueNotSupported', 'Unsupported value: ["true"]: supported values: "All"'],
      ]),
    );
    expectRefusal(
      await admin.put(`${maps('there')}?dryRun=true`, configMap('there')),
      invalid({ group: 'meta.k8s.io', kind: 'UpdateOptions' }, '', [
        ['dryRun', 'FieldValueNotSupported', 'Unsupported value: ["true"]: supported values: "All"'],
      ]),
    );
    expectRefusal(
      await admin.patch('merge', `${maps('there')}?dryRun=true`, {}),
      invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
        ['dryRun', 'FieldValueNotSupported', 'Unsupported value: ["true"]: supported values: "All"'],
      ]),
    );
    expectRefusal(
      await admin.delete(`${maps('there')}?dryRun=true`),
      invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
        ['dryRun', 'FieldValueNotSupported', 'Unsupported value: ["true"]: supported values: "All"'],
      ]),
    );
  });

  check('does not complete a namespace, a CRD or a token', async ({ admin }) => {
    const made = await admin.post('/api/v1/namespaces?dryRun=All', { metadata: { name: 'conf-dry-run-never' } });
    const crd = await admin.post(`${crds()}?dryRun=All`, definition({ group: 'dry.conf.example', kind: 'Never' }));

    expect([made.status, made.body.status, crd.status]).toEqual([201, { phase: 'Active' }, 201]);
    expect((await admin.get('/api/v1/namespaces/conf-dry-run-never')).status).toBe(404);
    expect((await admin.get(crds('nevers.dry.conf.example'))).status).toBe(404);
  });

  check('does not remove an object whose last finalizer would go', async ({ admin }) => {
    await admin.create(maps(), configMap('held', {}, { finalizers: ['x.io/hold'] }));
    await admin.delete(maps('held'));

    const { status } = await admin.patch('merge', `${maps('held')}?dryRun=All`, { metadata: { finalizers: null } });

    expect([status, (await admin.get(maps('held'))).status]).toEqual([200, 200]);
  });
});
