import { expect } from 'vitest';
import type { Received } from '../client.ts';
import { maskedWithManagers, storedMeta } from '../mask.ts';
import { configMap } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { expectRefusal, invalid, refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-apply';
const maps = inNamespace('v1/configmaps', namespace);

/** Who owns what, by manager: their order depends on the clock. */
const ownersOf = ({ metadata }: Received): unknown =>
  metadata.managedFields
    ?.map(({ manager, operation, fieldsV1 }) => [manager, operation, fieldsV1] as const)
    .toSorted(([a], [b]) => String(a).localeCompare(String(b)));

conformance('server-side apply: ownership', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  check('creates an object that is not there, and records the manager', async ({ admin }) => {
    const sent = configMap('created', { a: '1', b: '2' }, { labels: { l: '1' }, annotations: { n: '2' } });
    const { status, body } = await admin.apply(maps('created'), 'one', sent);

    expect(status).toBe(201);
    expect(maskedWithManagers(body)).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: storedMeta('created', namespace, {
        labels: { l: '1' },
        annotations: { n: '2' },
        managedFields: [
          {
            manager: 'one',
            operation: 'Apply',
            apiVersion: 'v1',
            time: '<time>',
            fieldsType: 'FieldsV1',
            fieldsV1: {
              'f:data': { 'f:a': {}, 'f:b': {} },
              'f:metadata': { 'f:annotations': { 'f:n': {} }, 'f:labels': { 'f:l': {} } },
            },
          },
        ],
      }),
      data: { a: '1', b: '2' },
    });
  });

  check('changes neither version nor managers when it is repeated', async ({ admin }) => {
    const first = await admin.apply(maps('repeated'), 'one', configMap('repeated', { a: '1' }));
    const second = await admin.apply(maps('repeated'), 'one', configMap('repeated', { a: '1' }));

    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
  });

  check('merges the fields of several managers', async ({ admin }) => {
    await admin.apply(maps('merged'), 'one', configMap('merged', { a: '1' }));
    const { body } = await admin.apply(maps('merged'), 'two', configMap('merged', { b: '2' }));

    expect([body.data, ownersOf(body)]).toEqual([
      { a: '1', b: '2' },
      [
        ['one', 'Apply', { 'f:data': { 'f:a': {} } }],
        ['two', 'Apply', { 'f:data': { 'f:b': {} } }],
      ],
    ]);
  });

  check('removes what its only owner no longer applies', async ({ admin }) => {
    await admin.apply(maps('removed'), 'one', configMap('removed', { a: '1', b: '2' }));
    await admin.apply(maps('removed'), 'two', configMap('removed', { c: '3' }));
    const { body } = await admin.apply(maps('removed'), 'one', configMap('removed', { b: '2' }));

    expect([body.data, ownersOf(body)]).toEqual([
      { b: '2', c: '3' },
      [
        ['one', 'Apply', { 'f:data': { 'f:b': {} } }],
        ['two', 'Apply', { 'f:data': { 'f:c': {} } }],
      ],
    ]);
  });

  check('keeps what another manager still owns', async ({ admin }) => {
    await admin.apply(maps('shared'), 'one', configMap('shared', { a: '1', b: '2' }));
    await admin.apply(maps('shared'), 'two', configMap('shared', { a: '1' }));
    const { body } = await admin.apply(maps('shared'), 'one', configMap('shared', { b: '2' }));

    expect([body.data, ownersOf(body)]).toEqual([
      { a: '1', b: '2' },
      [
        ['one', 'Apply', { 'f:data': { 'f:b': {} } }],
        ['two', 'Apply', { 'f:data': { 'f:a': {} } }],
      ],
    ]);
  });

  check('forgets a manager who owns nothing any more', async ({ admin }) => {
    await admin.apply(maps('left'), 'one', configMap('left', { a: '1' }));
    await admin.apply(maps('left'), 'two', configMap('left', { b: '2' }));
    const { body } = await admin.apply(maps('left'), 'one', configMap('left'));

    expect([body.data, ownersOf(body)]).toEqual([{ b: '2' }, [['two', 'Apply', { 'f:data': { 'f:b': {} } }]]]);
  });

  check('meets a conflict over the value of another manager', async ({ admin }) => {
    await admin.apply(maps('conflict'), 'one', configMap('conflict', { a: '1' }));

    expectRefusal(
      await admin.apply(maps('conflict'), 'two', configMap('conflict', { a: '2' })),
      refusal(409, 'Conflict', 'Apply failed with 1 conflict: conflict with "one": .data.a', {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.a' }],
      }),
    );
  });

  check('lists all conflicts with one manager', async ({ admin }) => {
    await admin.apply(
      maps('conflicts'),
      'one',
      configMap('conflicts', { b: '1', a: '1' }, { labels: { 'x.io/l': '1' } }),
    );

    const answer = await admin.apply(
      maps('conflicts'),
      'two',
      configMap('conflicts', { a: '2', b: '2' }, { labels: { 'x.io/l': '2' } }),
    );

    expectRefusal(
      answer,
      refusal(
        409,
        'Conflict',
        'Apply failed with 3 conflicts: conflicts with "one":\n- .data.a\n- .data.b\n- .metadata.labels.x.io/l',
        {
          causes: [
            { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.a' },
            { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.b' },
            { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.metadata.labels.x.io/l' },
          ],
        },
      ),
    );
  });

  check('lists conflicts by manager', async ({ admin }) => {
    await admin.apply(maps('many'), 'one', configMap('many', { a: '1', c: '1' }));
    await admin.apply(maps('many'), 'two', configMap('many', { b: '1', c: '1' }));

    const { status, body } = await admin.apply(maps('many'), 'three', configMap('many', { a: '2', b: '2', c: '2' }));

    expect([status, body.message]).toEqual([
      409,
      'Apply failed with 4 conflicts: conflicts with "one":\n- .data.a\n- .data.c\nconflicts with "two":\n- .data.b\n- .data.c',
    ]);
    expect((body.details as { causes: readonly object[] }).causes).toHaveLength(4);
  });

  check('meets a conflict over what was written by other means', async ({ admin }) => {
    await admin.create(`${maps()}?fieldManager=writer`, configMap('written', { a: '1' }));

    const answer = await admin.apply(maps('written'), 'one', configMap('written', { a: '2' }));

    expectRefusal(
      answer,
      refusal(409, 'Conflict', 'Apply failed with 1 conflict: conflict with "writer" using v1: .data.a', {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "writer" using v1', field: '.data.a' }],
      }),
    );
  });

  check('takes over by force', async ({ admin }) => {
    await admin.apply(maps('forced'), 'one', configMap('forced', { a: '1', b: '1' }));
    const { status, body } = await admin.apply(maps('forced'), 'two', configMap('forced', { a: '2' }), { force: true });

    expect([status, body.data, ownersOf(body)]).toEqual([
      200,
      { a: '2', b: '1' },
      [
        ['one', 'Apply', { 'f:data': { 'f:b': {} } }],
        ['two', 'Apply', { 'f:data': { 'f:a': {} } }],
      ],
    ]);
  });

  check('shares a field whose value it repeats, without a time as nothing changed', async ({ admin }) => {
    await admin.apply(maps('agreed'), 'one', configMap('agreed', { a: '1' }));
    const { status, body } = await admin.apply(maps('agreed'), 'two', configMap('agreed', { a: '1' }));

    expect([status, maskedWithManagers(body.metadata.managedFields)]).toEqual([
      200,
      [
        {
          manager: 'two',
          operation: 'Apply',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:a': {} } },
        },
        {
          manager: 'one',
          operation: 'Apply',
          apiVersion: 'v1',
          time: '<time>',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:a': {} } },
        },
      ],
    ]);
  });

  check('is no conflict for a manager who owns the field together with nobody', async ({ admin }) => {
    await admin.apply(maps('own'), 'one', configMap('own', { a: '1' }));
    const { status, body } = await admin.apply(maps('own'), 'one', configMap('own', { a: '2' }));

    expect([status, body.data]).toEqual([200, { a: '2' }]);
  });

  check('loses fields that somebody else replaces', async ({ admin }) => {
    const { body: applied } = await admin.apply(maps('replaced'), 'one', configMap('replaced', { a: '1', b: '1' }));
    const { body } = await admin.put(`${maps('replaced')}?fieldManager=writer`, {
      ...applied,
      data: { a: '2', b: '1', c: '3' },
    });

    expect(ownersOf(body)).toEqual([
      ['one', 'Apply', { 'f:data': { 'f:b': {} } }],
      ['writer', 'Update', { 'f:data': { 'f:a': {}, 'f:c': {} } }],
    ]);
  });

  check('loses fields that somebody else removes', async ({ admin }) => {
    await admin.apply(maps('cut'), 'one', configMap('cut', { a: '1', b: '1' }));
    const { body } = await admin.patch('merge', `${maps('cut')}?fieldManager=writer`, { data: { a: null } });

    expect(ownersOf(body)).toEqual([['one', 'Apply', { 'f:data': { 'f:b': {} } }]]);
  });

  check('keeps the same manager apart by operation', async ({ admin }) => {
    await admin.create(`${maps()}?fieldManager=one`, configMap('both', { a: '1' }));
    const { body } = await admin.apply(maps('both'), 'one', configMap('both', { a: '1', b: '2' }));

    expect(maskedWithManagers(body.metadata.managedFields)).toEqual([
      {
        manager: 'one',
        operation: 'Apply',
        apiVersion: 'v1',
        time: '<time>',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:a': {}, 'f:b': {} } },
      },
      {
        manager: 'one',
        operation: 'Update',
        apiVersion: 'v1',
        time: '<time>',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } },
      },
    ]);
  });

  check('takes the manager of an update from the user agent', async ({ admin }) => {
    const { body } = await admin.post(maps(), configMap('agent', { a: '1' }), {
      headers: { 'user-agent': 'my tool/1.2 (x)' },
    });

    expect(ownersOf(body)).toEqual([['my tool', 'Update', { 'f:data': { '.': {}, 'f:a': {} } }]]);
  });

  check('takes managed fields from a client if they can be read and name somebody who may be', async ({ admin }) => {
    const entry = (more: object) => ({
      manager: 'given',
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:kept': {} } },
      ...more,
    });
    const put = (more: object) =>
      admin.put(maps('given'), configMap('given', { kept: '1' }, { managedFields: [entry(more)] }));
    await admin.create(maps(), configMap('given', { kept: '1' }));

    const unreadable = await put({ operation: 'Bogus' });
    const taken = await put({});

    expect(unreadable.body.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['conformance']);
    expect(taken.body.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['given']);
    expectRefusal(
      await put({ manager: 'm\u0007' }),
      invalid({ kind: 'ConfigMap' }, 'given', [
        [
          'metadata.managedFields[0].manager',
          'FieldValueInvalid',
          'Invalid value: "m\\a": invalid character U+0007 (at position 1)',
        ],
      ]),
    );
    expectRefusal(
      await put({ manager: 'x'.repeat(129) }),
      invalid({ kind: 'ConfigMap' }, 'given', [
        ['metadata.managedFields[0].manager', 'FieldValueTooLong', 'Too long: may not be more than 128 bytes'],
      ]),
    );
  });

  check('starts anew when managed fields are cleared', async ({ admin }) => {
    await admin.apply(maps('cleared'), 'one', configMap('cleared', { a: '1' }));
    const cleared = await admin.patch('merge', maps('cleared'), { metadata: { managedFields: [{}] } });
    const { body } = await admin.apply(maps('cleared'), 'two', configMap('cleared', { a: '2' }), { force: true });

    expect([cleared.body.metadata.managedFields, ownersOf(body)]).toEqual([
      undefined,
      [
        ['before-first-apply', 'Update', { 'f:data': {} }],
        ['two', 'Apply', { 'f:data': { 'f:a': {} } }],
      ],
    ]);
  });

  check('takes an object whose managed fields were cleared for one written before apply', async ({ admin }) => {
    await admin.create(maps(), configMap('legacy', { a: '1' }));
    await admin.patch('merge', maps('legacy'), { metadata: { managedFields: [{}] } });
    const answer = await admin.apply(maps('legacy'), 'two', configMap('legacy', { a: '2' }));

    expectRefusal(
      answer,
      refusal(409, 'Conflict', 'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a', {
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "before-first-apply" using v1', field: '.data.a' },
        ],
      }),
    );
  });

  check('owns finalizers one by one and owner references by uid', async ({ admin }) => {
    const { uid } = (await admin.create(maps(), configMap('owner'))).metadata;
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid };
    await admin.apply(
      maps('lists'),
      'one',
      configMap('lists', undefined, { finalizers: ['x.io/a'], ownerReferences: [owner] }),
    );
    const { body } = await admin.apply(maps('lists'), 'two', configMap('lists', undefined, { finalizers: ['x.io/b'] }));
    const { body: after } = await admin.apply(maps('lists'), 'one', configMap('lists'));
    await admin.patch('merge', maps('lists'), { metadata: { finalizers: null } });

    expect([body.metadata.finalizers, ownersOf(body)]).toEqual([
      ['x.io/a', 'x.io/b'],
      [
        [
          'one',
          'Apply',
          {
            'f:metadata': {
              'f:finalizers': { 'v:"x.io/a"': {} },
              'f:ownerReferences': { [`k:{"uid":"${uid}"}`]: {} },
            },
          },
        ],
        ['two', 'Apply', { 'f:metadata': { 'f:finalizers': { 'v:"x.io/b"': {} } } }],
      ],
    ]);
    expect([after.metadata.finalizers, after.metadata.ownerReferences]).toEqual([['x.io/b'], undefined]);
  });

  check('orders managers: appliers first, then by time and name', async ({ admin }) => {
    await admin.create(`${maps()}?fieldManager=zzz`, configMap('ordered', { z: '1' }));
    await admin.apply(maps('ordered'), 'c', configMap('ordered', { c: '1' }));
    await admin.apply(maps('ordered'), 'b', configMap('ordered', { b: '1' }));
    const { body } = await admin.patch('merge', `${maps('ordered')}?fieldManager=aaa`, { data: { a: '1' } });

    const managers = body.metadata.managedFields?.map(({ manager, operation, time }) => ({ manager, operation, time }));
    const byTime = (kind: string) =>
      managers
        ?.filter(({ operation }) => operation === kind)
        .map(({ time, manager }) => `${String(time)} ${String(manager)}`);
    expect(managers?.map(({ operation }) => operation)).toEqual(['Apply', 'Apply', 'Update', 'Update']);
    expect(byTime('Apply')).toEqual(byTime('Apply')?.toSorted());
    expect(byTime('Update')).toEqual(byTime('Update')?.toSorted());
  });
});
