import { expect } from 'vitest';
import { maskedWithManagers } from '../mask.ts';
import { configMap } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import {
  badRequest,
  conflict,
  expectRefusal,
  invalid,
  modified,
  notFound,
  type Refusal,
  refusal,
  undecodable,
} from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-patch-merge';
const maps = inNamespace('v1/configmaps', namespace);

/** What each patch makes of the data `{ a: '1', b: '2' }`. */
const outcomes: readonly (readonly [title: string, patch: object, data: object | undefined])[] = [
  ['sets and adds keys', { data: { a: '3', c: '4' } }, { a: '3', b: '2', c: '4' }],
  ['removes keys by null', { data: { a: null } }, { b: '2' }],
  ['removes the whole map by null', { data: null }, undefined],
  ['does not mind the removal of an absent key', { data: { x: null, a: '3' } }, { a: '3', b: '2' }],
];

const refusals: readonly (readonly [title: string, patch: unknown, refusal: Refusal])[] = [
  [
    'a list',
    [],
    badRequest('error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'),
  ],
  ['something that is not JSON', '{', badRequest('error decoding patch: unexpected end of JSON input')],
  ['an empty body', '', badRequest('error decoding patch: unexpected end of JSON input')],
  [
    'a value of the wrong type',
    { data: { a: 1 } },
    undecodable('json: cannot unmarshal number into Go struct field ConfigMap.data of type string'),
  ],
  [
    'a change of the uid',
    { metadata: { uid: 'x' } },
    invalid({ kind: 'ConfigMap' }, 'refused', [
      ['metadata.uid', 'FieldValueInvalid', 'Invalid value: "x": field is immutable'],
    ]),
  ],
  [
    'a stale resource version',
    { metadata: { resourceVersion: '1' }, data: { a: '3' } },
    conflict('configmaps', 'refused', modified),
  ],
  [
    'a change of the name',
    { metadata: { name: 'other' } },
    badRequest('the name of the object (other) does not match the name on the URL (refused)'),
  ],
  [
    'a change of the namespace',
    { metadata: { namespace: 'other' } },
    badRequest('the namespace of the provided object does not match the namespace sent on the request'),
  ],
  [
    'a change of the API version',
    { apiVersion: 'v2' },
    undecodable('no kind "ConfigMap" is registered for version "v2"'),
  ],
];

conformance('merge patch', ({ check, prepare }) => {
  prepare(async ({ createNamespace, admin }) => {
    await createNamespace(namespace);
    await admin.create(maps(), configMap('refused', { a: '1', b: '2' }));
  });

  for (const [index, [title, patch, data]] of outcomes.entries()) {
    check(title, async ({ admin }) => {
      await admin.create(maps(), configMap(`patched-${index}`, { a: '1', b: '2' }));

      const { status, body } = await admin.patch('merge', maps(`patched-${index}`), patch);

      expect([status, body.data]).toEqual([200, data]);
    });
  }

  for (const [title, patch, expected] of refusals) {
    check(`refuses ${title}`, async ({ admin }) => {
      expectRefusal(await admin.patch('merge', maps('refused'), patch), expected);
    });
  }

  check('does not find what it is to patch', async ({ admin }) => {
    expectRefusal(await admin.patch('merge', maps('absent'), {}), notFound('configmaps', 'absent'));
  });

  check('refuses a patch without or with an unknown content type', async ({ admin }) => {
    await admin.create(maps(), configMap('typeless'));

    expectRefusal(
      await admin.send('PATCH', maps('typeless'), { body: {}, contentType: 'application/json' }),
      refusal(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {}),
    );
    expectRefusal(
      await admin.send('PATCH', maps('typeless'), { body: {}, contentType: '' }),
      refusal(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {}),
    );
  });

  check('records the patching client as manager of what it changed', async ({ admin }) => {
    await admin.create(maps(), configMap('managed', { a: '1' }));

    const { body } = await admin.patch('merge', `${maps('managed')}?fieldManager=patcher`, { data: { b: '2' } });

    expect(maskedWithManagers(body.metadata.managedFields)).toEqual([
      {
        manager: 'conformance',
        operation: 'Update',
        apiVersion: 'v1',
        time: '<time>',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } },
      },
      {
        manager: 'patcher',
        operation: 'Update',
        apiVersion: 'v1',
        time: '<time>',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:b': {} } },
      },
    ]);
  });
});
