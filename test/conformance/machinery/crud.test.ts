import { expect } from 'vitest';
import { masked, storedMeta } from '../mask.ts';
import { configMap } from '../objects.ts';
import { inNamespace, pathOf } from '../paths.ts';
import {
  badRequest,
  conflict,
  expectRefusal,
  invalid,
  methodNotAllowed,
  modified,
  noSuchPath,
  notFound,
  refusal,
} from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-crud';
const maps = inNamespace('v1/configmaps', namespace);

conformance('create, read, replace, delete', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  check('answers a create with 201 and the stored object', async ({ admin }) => {
    const answer = await admin.post(maps(), configMap('created', { a: '1' }));

    expect(answer.status).toBe(201);
    expect(masked(answer.body)).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: storedMeta('created', namespace),
      data: { a: '1' },
    });
  });

  check('gives every object a uid, a version and a creation time of its own', async ({ admin }) => {
    const first = await admin.create(maps(), configMap('own-1'));
    const second = await admin.create(maps(), configMap('own-2'));

    expect(first.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
    expect(Number(second.metadata.resourceVersion)).toBeGreaterThan(Number(first.metadata.resourceVersion));
    expect(first.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  check('ignores uid, creation time and self link of a new object, but not its generation', async ({ admin }) => {
    const sent = { uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z', generation: 7, selfLink: '/mine' };
    const { status, body } = await admin.post(maps(), configMap('ignored', undefined, sent));

    expect(status).toBe(201);
    expect(masked(body.metadata)).toEqual({
      name: 'ignored',
      namespace,
      uid: '<uid>',
      resourceVersion: '<version>',
      generation: 7,
      creationTimestamp: '<time>',
    });
    expect(body.metadata.creationTimestamp).not.toBe('2001-01-01T00:00:00Z');
  });

  check('ignores the deletion time of a new object', async ({ admin }) => {
    const sent = { deletionTimestamp: '2001-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 };
    const { body } = await admin.post(maps(), configMap('not-deleted', undefined, sent));

    expect(masked(body.metadata)).toEqual(storedMeta('not-deleted', namespace));
  });

  check('refuses a new object with a resource version', async ({ admin }) => {
    expectRefusal(
      await admin.post(maps(), configMap('versioned', undefined, { resourceVersion: '1' })),
      refusal(500, undefined, 'resourceVersion should not be set on objects to be created'),
    );
  });

  check('refuses a second object of the same name', async ({ admin }) => {
    await admin.create(maps(), configMap('twice'));

    expectRefusal(
      await admin.post(maps(), configMap('twice')),
      refusal(409, 'AlreadyExists', 'configmaps "twice" already exists', { name: 'twice', kind: 'configmaps' }),
    );
  });

  check('refuses an object without name', async ({ admin }) => {
    expectRefusal(
      await admin.post(maps(), { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }),
      invalid({ kind: 'ConfigMap' }, '', [
        ['metadata.name', 'FieldValueRequired', 'Required value: name or generateName is required'],
      ]),
    );
  });

  check('takes the namespace from the path', async ({ admin }) => {
    const { status, body } = await admin.post(maps(), configMap('placed'));

    expect([status, body.metadata.namespace]).toEqual([201, namespace]);
  });

  check('refuses an object whose namespace is not that of the path', async ({ admin }) => {
    expectRefusal(
      await admin.post(maps(), configMap('misplaced', undefined, { namespace: 'default' })),
      badRequest('the namespace of the provided object does not match the namespace sent on the request'),
    );
  });

  check('refuses to create in a namespace that does not exist', async ({ admin }) => {
    const path = pathOf('v1/configmaps', { namespace: 'conf-nowhere' });

    expectRefusal(await admin.post(path, configMap('lost')), notFound('namespaces', 'conf-nowhere'));
  });

  check('refuses to create a namespaced object without a namespace', async ({ admin }) => {
    expectRefusal(await admin.post(pathOf('v1/configmaps'), configMap('nowhere')), methodNotAllowed);
  });

  check('refuses to create by POST on the path of an object', async ({ admin }) => {
    expectRefusal(await admin.post(maps('posted'), configMap('posted')), methodNotAllowed);
  });

  check('reads an object', async ({ admin }) => {
    const created = await admin.create(maps(), configMap('read', { a: '1' }));

    const { status, body } = await admin.get(maps('read'));

    expect(status).toBe(200);
    expect(body).toEqual(created);
  });

  check('does not find an object that is not there', async ({ admin }) => {
    expectRefusal(await admin.get(maps('absent')), notFound('configmaps', 'absent'));
  });

  check('does not find a resource that is not served', async ({ admin }) => {
    expectRefusal(await admin.get(`/api/v1/namespaces/${namespace}/unicorns/x`), noSuchPath);
    const unknownGroup = await admin.get('/apis/example.org/v1/unicorns');
    expect([unknownGroup.status, unknownGroup.text]).toEqual([404, '404 page not found\n']);
    expectRefusal(await admin.get('/api/v2/configmaps'), noSuchPath);
  });

  check('does not find a cluster-scoped resource in a namespace', async ({ admin }) => {
    expectRefusal(
      await admin.get(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/clusterroles/view`),
      noSuchPath,
    );
  });

  check('lists a namespace in the order of names', async ({ admin, createNamespace }) => {
    await createNamespace('conf-crud-list');
    const path = inNamespace('v1/secrets', 'conf-crud-list');
    for (const name of ['b', 'c', 'a-1', 'a']) await admin.create(path(), { metadata: { name } });

    const { status, body } = await admin.get(path());

    expect(status).toBe(200);
    expect(masked(body)).toEqual({
      kind: 'SecretList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '<version>' },
      items: ['a', 'a-1', 'b', 'c'].map((name) => ({ metadata: storedMeta(name, 'conf-crud-list'), type: 'Opaque' })),
    });
  });

  check('lists nothing as an empty list', async ({ admin }) => {
    const { status, body } = await admin.get(pathOf('v1/secrets', { namespace: 'conf-nowhere' }));

    expect([status, masked(body)]).toEqual([
      200,
      { kind: 'SecretList', apiVersion: 'v1', metadata: { resourceVersion: '<version>' }, items: [] },
    ]);
  });

  check('replaces an object and gives it a new version', async ({ admin }) => {
    const created = await admin.create(maps(), configMap('replaced', { a: '1', b: '2' }, { labels: { l: '1' } }));

    const { status, body } = await admin.put(maps('replaced'), configMap('replaced', { a: '3' }));

    expect(status).toBe(200);
    expect(masked(body)).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: storedMeta('replaced', namespace),
      data: { a: '3' },
    });
    expect(body.metadata.uid).toBe(created.metadata.uid);
    expect(body.metadata.creationTimestamp).toBe(created.metadata.creationTimestamp);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(Number(created.metadata.resourceVersion));
  });

  check('replaces an object of the version that the client has seen', async ({ admin }) => {
    const created = await admin.create(maps(), configMap('seen', { a: '1' }));

    const { status } = await admin.put(maps('seen'), { ...created, data: { a: '2' } });

    expect(status).toBe(200);
  });

  check('refuses to replace a version that is not the latest', async ({ admin }) => {
    const created = await admin.create(maps(), configMap('stale', { a: '1' }));
    await admin.put(maps('stale'), { ...created, data: { a: '2' } });

    expectRefusal(
      await admin.put(maps('stale'), { ...created, data: { a: '3' } }),
      conflict('configmaps', 'stale', modified),
    );
  });

  check('refuses a resource version that is no number', async ({ admin }) => {
    await admin.create(maps(), configMap('odd-version'));

    expectRefusal(
      await admin.put(maps('odd-version'), configMap('odd-version', {}, { resourceVersion: 'x' })),
      refusal(500, undefined, 'strconv.ParseUint: parsing "x": invalid syntax'),
    );
  });

  check('refuses to replace an object of another uid', async ({ admin }) => {
    const created = await admin.create(maps(), configMap('other-uid'));
    const uid = '00000000-0000-4000-8000-000000000000';

    const answer = await admin.put(maps('other-uid'), configMap('other-uid', {}, { uid }));

    expectRefusal(
      answer,
      conflict(
        'configmaps',
        'other-uid',
        `StorageError: invalid object, Code: 4, Key: /registry/configmaps/${namespace}/other-uid, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${created.metadata.uid}`,
      ),
    );
  });

  check('refuses to replace an object of another name', async ({ admin }) => {
    await admin.create(maps(), configMap('right'));

    expectRefusal(
      await admin.put(maps('right'), configMap('wrong')),
      badRequest('the name of the object (wrong) does not match the name on the URL (right)'),
    );
  });

  check('refuses to replace an object by one without a name', async ({ admin }) => {
    await admin.create(maps(), configMap('nameless'));

    const answer = await admin.put(maps('nameless'), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {},
      data: { a: '1' },
    });

    expectRefusal(
      answer,
      badRequest('the name of the object (nameless based on URL) was undeterminable: name must be provided'),
    );
  });

  check('refuses to move an object to another namespace', async ({ admin }) => {
    await admin.create(maps(), configMap('moved'));

    expectRefusal(
      await admin.put(maps('moved'), configMap('moved', {}, { namespace: 'default' })),
      badRequest('the namespace of the provided object does not match the namespace sent on the request'),
    );
  });

  check('does not find what it is to replace, and does not create it', async ({ admin }) => {
    expectRefusal(await admin.put(maps('put-absent'), configMap('put-absent')), notFound('configmaps', 'put-absent'));
  });

  check('keeps version and managers when nothing changes', async ({ admin }) => {
    const created = await admin.create(maps(), configMap('same', { a: '1' }));

    const replaced = await admin.put(maps('same'), configMap('same', { a: '1' }));
    const merged = await admin.patch('merge', maps('same'), { data: { a: '1' } });

    expect(replaced.body).toEqual(created);
    expect(merged.body).toEqual(created);
  });

  check('keeps the creation time and the uid whatever is sent', async ({ admin }) => {
    const created = await admin.create(maps(), configMap('kept'));
    const metadata = { creationTimestamp: '2001-01-01T00:00:00Z' };

    const { body } = await admin.put(maps('kept'), configMap('kept', { a: '1' }, metadata));

    expect(body.metadata.creationTimestamp).toBe(created.metadata.creationTimestamp);
    expect(body.metadata.uid).toBe(created.metadata.uid);
  });

  check('answers a delete with a Status that names the object', async ({ admin }) => {
    const created = await admin.create(maps(), configMap('deleted'));

    const { status, body } = await admin.delete(maps('deleted'));

    expect(status).toBe(200);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'deleted', kind: 'configmaps', uid: created.metadata.uid },
    });
    expect((await admin.get(maps('deleted'))).status).toBe(404);
  });

  check('does not find what it is to delete', async ({ admin }) => {
    expectRefusal(await admin.delete(maps('delete-absent')), notFound('configmaps', 'delete-absent'));
  });

  check('gives a new object of an old name a new uid', async ({ admin }) => {
    const before = await admin.create(maps(), configMap('again'));
    await admin.delete(maps('again'));

    const after = await admin.create(maps(), configMap('again'));

    expect(after.metadata.uid).not.toBe(before.metadata.uid);
  });
});
