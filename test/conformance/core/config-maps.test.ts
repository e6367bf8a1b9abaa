import { expect } from 'vitest';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal, invalid, invalidValue, nameRules, type Refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

conformance('config maps', ({ check, prepare }) => {
  const own = 'conf-config-maps';
  const at = inNamespace('v1/configmaps', own);
  prepare((server) => server.createNamespace(own));

  check('hold text and bytes', async ({ admin }) => {
    const { body } = await admin.post(at(), {
      metadata: { name: 'both' },
      data: { a: 'text' },
      binaryData: { b: base64('bytes') },
    });

    expect([body.data, body.binaryData]).toEqual([{ a: 'text' }, { b: base64('bytes') }]);
  });

  const refusals: readonly (readonly [title: string, sent: object, refusal: Refusal])[] = [
    [
      'a key with a space',
      { data: { 'a b': '' } },
      invalid({ kind: 'ConfigMap' }, 'refused', [
        ['data[a b]', 'FieldValueInvalid', invalidValue('a b', nameRules.configKey)],
      ]),
    ],
    [
      'an empty key',
      { data: { '': '' } },
      invalid({ kind: 'ConfigMap' }, 'refused', [
        ['data[]', 'FieldValueInvalid', invalidValue('', nameRules.configKey)],
      ]),
    ],
    [
      'a key of more than 253 characters',
      { data: { ['k'.repeat(254)]: '' } },
      invalid({ kind: 'ConfigMap' }, 'refused', [
        [
          `data[${'k'.repeat(254)}]`,
          'FieldValueInvalid',
          invalidValue('k'.repeat(254), 'must be no more than 253 characters'),
        ],
      ]),
    ],
    [
      'a key as text and as bytes',
      { data: { a: '' }, binaryData: { a: '' } },
      invalid({ kind: 'ConfigMap' }, 'refused', [
        ['data[a]', 'FieldValueInvalid', 'Invalid value: "a": duplicate of key present in binaryData'],
      ]),
    ],
    [
      'bytes that are not base64',
      { binaryData: { a: '***' } },
      badRequest('ConfigMap in version "v1" cannot be handled as a ConfigMap: illegal base64 data at input byte 0'),
    ],
  ];
  for (const [title, sent, expected] of refusals) {
    check(`refuse ${title}`, async ({ admin }) => {
      expectRefusal(await admin.post(at(), { metadata: { name: 'refused' }, ...sent }), expected);
    });
  }

  check('that are immutable change no more', async ({ admin }) => {
    await admin.create(at(), { metadata: { name: 'immutable' }, data: { a: '1' }, immutable: true });

    expectRefusal(
      await admin.patch('merge', at('immutable'), { data: { a: '2' } }),
      invalid({ kind: 'ConfigMap' }, 'immutable', [
        ['data', 'FieldValueForbidden', 'Forbidden: field is immutable when `immutable` is set'],
      ]),
    );
    expectRefusal(
      await admin.patch('merge', at('immutable'), { immutable: null }),
      invalid({ kind: 'ConfigMap' }, 'immutable', [
        ['immutable', 'FieldValueForbidden', 'Forbidden: field is immutable when `immutable` is set'],
      ]),
    );
  });
});
