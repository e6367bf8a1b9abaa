import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import type { Client } from '../client.ts';
import { masked, storedMeta } from '../mask.ts';
import { configMap, secret } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, conflict, expectRefusal, invalid, methodNotAllowed, startingWith } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-delete';
const maps = inNamespace('v1/configmaps', namespace);
const deleteOptions = (more: object) => ({ apiVersion: 'v1', kind: 'DeleteOptions', ...more });
const held = { finalizers: ['x.io/hold'] };

conformance('delete', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  check('holds its preconditions', async ({ admin }) => {
    const { metadata } = await admin.create(maps(), configMap('precondition'));
    const { uid, resourceVersion } = metadata;

    expectRefusal(
      await admin.delete(maps('precondition'), deleteOptions({ preconditions: { uid: 'another' } })),
      conflict(
        'ConfigMap',
        'precondition',
        `the UID in the precondition (another) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
      ),
    );
    expectRefusal(
      await admin.delete(maps('precondition'), deleteOptions({ preconditions: { resourceVersion: '1' } })),
      conflict(
        'ConfigMap',
        'precondition',
        `the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
      ),
    );
    const { status } = await admin.delete(
      maps('precondition'),
      deleteOptions({ preconditions: { uid, resourceVersion } }),
    );
    expect(status).toBe(200);
  });

  check('waits for finalizers, and answers with the object', async ({ admin }) => {
    await admin.create(maps(), configMap('held', { a: '1' }, held));

    const { status, body } = await admin.delete(maps('held'));

    expect(status).toBe(200);
    expect(masked(body)).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: storedMeta('held', namespace, {
        deletionTimestamp: '<time>',
        deletionGracePeriodSeconds: 0,
        finalizers: ['x.io/hold'],
      }),
      data: { a: '1' },
    });
  });

  check('answers a second time with the same object', async ({ admin }) => {
    await admin.create(maps(), configMap('twice', {}, held));

    const first = await admin.delete(maps('twice'));
    const second = await admin.delete(maps('twice'));

    expect([second.status, second.body]).toEqual([200, first.body]);
  });

  check('happens when the last finalizer goes', async ({ admin }) => {
    await admin.create(maps(), configMap('last', {}, { finalizers: ['x.io/a', 'x.io/b'] }));
    await admin.delete(maps('last'));

    const less = await admin.patch('merge', maps('last'), { metadata: { finalizers: ['x.io/b'] } });
    const none = await admin.patch('merge', maps('last'), { metadata: { finalizers: [] } });

    expect([less.status, less.body.metadata.finalizers, none.status, masked(none.body)]).toEqual([
      200,
      ['x.io/b'],
      200,
      {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: storedMeta('last', namespace, { deletionTimestamp: '<time>', deletionGracePeriodSeconds: 0 }),
      },
    ]);
    expect((await admin.get(maps('last'))).status).toBe(404);
  });

  check('lets no finalizer be added while it waits', async ({ admin }) => {
    await admin.create(maps(), configMap('no-more', {}, held));
    await admin.delete(maps('no-more'));

    const answer = await admin.patch('merge', maps('no-more'), {
      metadata: { finalizers: ['x.io/hold', 'x.io/more'] },
    });

    expectRefusal(
      answer,
      invalid({ kind: 'ConfigMap' }, 'no-more', [
        [
          'metadata.finalizers',
          'FieldValueForbidden',
          'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.io/more"}',
        ],
      ]),
    );
  });

  check('lets other changes happen while it waits', async ({ admin }) => {
    await admin.create(maps(), configMap('changing', {}, held));
    await admin.delete(maps('changing'));

    const { status, body } = await admin.patch('merge', maps('changing'), { data: { a: '1' } });

    expect([status, body.data]).toEqual([200, { a: '1' }]);
  });

  check('keeps its time whatever is sent', async ({ admin }) => {
    await admin.create(maps(), configMap('timed', {}, held));
    const { body: deleted } = await admin.delete(maps('timed'));

    const removal = await admin.patch('merge', maps('timed'), { metadata: { deletionTimestamp: null } });
    const change = await admin.patch('merge', maps('timed'), {
      metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' },
    });

    expect(removal.body.metadata.deletionTimestamp).toBe(deleted.metadata.deletionTimestamp);
    expect([change.status, change.body.metadata.deletionTimestamp]).toEqual([200, deleted.metadata.deletionTimestamp]);
  });

  check('leaves the object as it is under dry run', async ({ admin }) => {
    await admin.create(maps(), configMap('dry'));

    const byBody = await admin.delete(maps('dry'), deleteOptions({ dryRun: ['All'] }));
    const byQuery = await admin.delete(`${maps('dry')}?dryRun=All`);

    expect([byBody.status, byBody.body.status, byQuery.status, byQuery.body.status]).toEqual([
      200,
      'Success',
      200,
      'Success',
    ]);
    expect((await admin.get(maps('dry'))).status).toBe(200);
  });

  check('refuses an unknown dry run', async ({ admin }) => {
    await admin.create(maps(), configMap('wrong-dry'));

    expectRefusal(
      await admin.delete(maps('wrong-dry'), deleteOptions({ dryRun: ['Some'] })),
      invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
        ['dryRun', 'FieldValueNotSupported', 'Unsupported value: ["Some"]: supported values: "All"'],
      ]),
    );
  });

  check('refuses an unknown propagation policy', async ({ admin }) => {
    await admin.create(maps(), configMap('policy'));

    expectRefusal(
      await admin.delete(`${maps('policy')}?propagationPolicy=Sideways`),
      invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
        [
          'propagationPolicy',
          'FieldValueNotSupported',
          'Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
        ],
      ]),
    );
    expectRefusal(
      await admin.delete(maps('policy'), deleteOptions({ propagationPolicy: 'Sideways' })),
      invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
        [
          'propagationPolicy',
          'FieldValueNotSupported',
          'Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
        ],
      ]),
    );
  });

  check('refuses a policy beside orphanDependents', async ({ admin }) => {
    await admin.create(maps(), configMap('two-policies'));

    const answer = await admin.delete(
      maps('two-policies'),
      deleteOptions({ propagationPolicy: 'Background', orphanDependents: true }),
    );

    expectRefusal(
      answer,
      invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
        [
          'propagationPolicy',
          'FieldValueInvalid',
          'Invalid value: "Background": orphanDependents and deletionPropagation cannot be both set',
        ],
      ]),
    );
  });

  check('takes its options from the body rather than the query', async ({ admin }) => {
    await admin.create(maps(), configMap('both'));

    await admin.delete(`${maps('both')}?dryRun=All`, deleteOptions({ propagationPolicy: 'Background' }));

    expect((await admin.get(maps('both'))).status).toBe(404);
  });

  check('takes its options without kind and as YAML', async ({ admin }) => {
    await admin.create(maps(), configMap('kindless'));
    await admin.create(maps(), configMap('yaml'));

    const kindless = await admin.delete(maps('kindless'), { dryRun: ['All'] });
    const yaml = await admin.delete(maps('yaml'), 'dryRun: [All]\n', { contentType: 'application/yaml' });

    expect([kindless.status, yaml.status]).toEqual([200, 200]);
    expect((await admin.get(maps('kindless'))).status).toBe(200);
    expect((await admin.get(maps('yaml'))).status).toBe(200);
  });

  check('refuses options of another kind and broken options', async ({ admin }) => {
    await admin.create(maps(), configMap('options'));

    expectRefusal(
      await admin.delete(maps('options'), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } }),
      badRequest(startingWith('no kind "Secret" is registered for version "v1"')),
    );
    expectRefusal(
      await admin.delete(maps('options'), '{'),
      badRequest("couldn't get version/kind; json parse error: unexpected end of JSON input"),
    );
    expectRefusal(
      await admin.delete(maps('options'), deleteOptions({ gracePeriodSeconds: 'soon' })),
      badRequest('json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64'),
    );
  });

  check('ignores a grace period for kinds that have none', async ({ admin }) => {
    await admin.create(maps(), configMap('grace'));

    const { status } = await admin.delete(`${maps('grace')}?gracePeriodSeconds=30`);

    expect(status).toBe(200);
    expect((await admin.get(maps('grace'))).status).toBe(404);
  });

  check('in the foreground adds a finalizer and waits for the garbage collector', async ({ admin }) => {
    await admin.create(maps(), configMap('foreground', {}, held));

    const { status, body } = await admin.delete(`${maps('foreground')}?propagationPolicy=Foreground`);

    expect([status, body.metadata.finalizers]).toEqual([200, ['x.io/hold', 'foregroundDeletion']]);
  });

  check('with orphans adds a finalizer and waits for the garbage collector', async ({ admin }) => {
    await admin.create(maps(), configMap('orphan', {}, held));

    const { status, body } = await admin.delete(`${maps('orphan')}?propagationPolicy=Orphan`);

    expect([status, body.metadata.finalizers]).toEqual([200, ['x.io/hold', 'orphan']]);
  });

  check('of a pod with a node waits for its grace period, unless that is 0', async ({ admin }) => {
    const pods = inNamespace('v1/pods', namespace);
    await eventually(
      async () => (await admin.get(`/api/v1/namespaces/${namespace}/serviceaccounts/default`)).status === 200,
      { what: 'the default account' },
    );
    const pod = { metadata: { name: 'slow' }, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] } };
    await admin.create(pods(), pod);

    const graceful = await admin.delete(pods('slow'));
    const now = await admin.delete(`${pods('slow')}?gracePeriodSeconds=0`);

    expect([graceful.status, graceful.body.metadata.deletionGracePeriodSeconds, now.status]).toEqual([200, 30, 200]);
    expect((await admin.get(pods('slow'))).status).toBe(404);
  });
});

conformance('delete a collection', ({ check, prepare }) => {
  const own = 'conf-delete-many';
  const secrets = inNamespace('v1/secrets', own);
  prepare((server) => server.createNamespace(own));
  const namesIn = async (admin: Client) => (await admin.get(secrets())).body.items.map(({ metadata }) => metadata.name);

  check('deletes what the selectors let through and answers with it', async ({ admin }) => {
    for (const name of ['a', 'b', 'c']) await admin.create(secrets(), secret(name, { odd: String(name !== 'b') }));

    const { status, body } = await admin.delete(`${secrets()}?labelSelector=odd=true`);

    expect([status, body.kind, body.items.map(({ metadata }) => metadata.name)]).toEqual([
      200,
      'SecretList',
      ['a', 'c'],
    ]);
    expect(await namesIn(admin)).toEqual(['b']);
    await admin.delete(`${secrets()}?fieldSelector=metadata.name=b`);
    expect(await namesIn(admin)).toEqual([]);
  });

  check('deletes nothing under dry run', async ({ admin }) => {
    await admin.create(secrets(), secret('dry'));

    const { status } = await admin.delete(`${secrets()}?dryRun=All`);

    expect([status, await namesIn(admin)]).toEqual([200, ['dry']]);
    await admin.delete(secrets());
  });

  check('refuses a bad selector', async ({ admin }) => {
    await admin.create(secrets(), secret('kept'));

    expectRefusal(
      await admin.delete(`${secrets()}?labelSelector=a%3Db%3Dc`),
      badRequest("found '=', expected: ',' or 'end of string'"),
    );
    expect(await namesIn(admin)).toEqual(['kept']);
    await admin.delete(secrets());
  });

  check('refuses to delete across all namespaces', async ({ admin }) => {
    expectRefusal(await admin.delete('/api/v1/secrets'), methodNotAllowed);
  });

  check('leaves objects with finalizers marked', async ({ admin }) => {
    await admin.create(secrets(), { metadata: { name: 'held', finalizers: ['x.io/hold'] } });

    await admin.delete(secrets());

    const { body } = await admin.get(secrets('held'));
    expect(body.metadata.deletionTimestamp).toBeDefined();
    await admin.patch('merge', secrets('held'), { metadata: { finalizers: null } });
  });

  check('finds nothing to delete in an empty collection', async ({ admin }) => {
    const { status, body } = await admin.delete(secrets());

    expect([status, masked(body)]).toEqual([
      200,
      { kind: 'SecretList', apiVersion: 'v1', metadata: { resourceVersion: '<version>' }, items: [] },
    ]);
  });

  check('is not possible for namespaces', async ({ admin }) => {
    expectRefusal(await admin.delete('/api/v1/namespaces'), methodNotAllowed);
  });
});
