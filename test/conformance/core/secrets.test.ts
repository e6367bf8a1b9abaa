import { expect } from 'vitest';
import { masked, storedMeta } from '../mask.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal, invalid, invalidValue, nameRules, type Refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-secrets';
const secrets = inNamespace('v1/secrets', namespace);
const base64 = (text: string) => Buffer.from(text).toString('base64');

conformance('secrets', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  check('are opaque unless told otherwise', async ({ admin }) => {
    const { body } = await admin.post(secrets(), { metadata: { name: 'plain' }, data: { a: base64('x') } });

    expect(masked(body)).toEqual({
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: storedMeta('plain', namespace),
      data: { a: 'eA==' },
      type: 'Opaque',
    });
  });

  check('take text, which wins over data, and show only data', async ({ admin }) => {
    const { body } = await admin.post(secrets(), {
      metadata: { name: 'text' },
      data: { a: base64('x'), b: base64('y') },
      stringData: { a: 'text', c: 'ü' },
    });

    expect([body.data, body.stringData]).toEqual([{ a: 'dGV4dA==', b: 'eQ==', c: 'w7w=' }, undefined]);
  });

  check('take text by a merge patch', async ({ admin }) => {
    await admin.create(secrets(), { metadata: { name: 'patched' }, data: { a: base64('x') } });
    const { body } = await admin.patch('merge', secrets('patched'), { stringData: { b: 'new' } });

    expect(body.data).toEqual({ a: base64('x'), b: base64('new') });
  });

  const refusals: readonly (readonly [title: string, sent: object, refusal: Refusal])[] = [
    [
      'data that is not base64',
      { data: { a: '***' } },
      badRequest('Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 0'),
    ],
    [
      'data that is no text',
      { data: { a: 1 } },
      badRequest(
        'Secret in version "v1" cannot be handled as a Secret: json: cannot unmarshal number into Go struct field Secret.data of type []uint8',
      ),
    ],
    [
      'a key with a space',
      { data: { 'a b': '' } },
      invalid({ kind: 'Secret' }, 'refused', [
        ['data[a b]', 'FieldValueInvalid', invalidValue('a b', nameRules.configKey)],
      ]),
    ],
    [
      'a key with a slash',
      { stringData: { 'a/b': '' } },
      invalid({ kind: 'Secret' }, 'refused', [
        ['data[a/b]', 'FieldValueInvalid', invalidValue('a/b', nameRules.configKey)],
      ]),
    ],
    [
      'a key of two dots',
      { stringData: { '..': '' } },
      invalid({ kind: 'Secret' }, 'refused', [
        ['data[..]', 'FieldValueInvalid', 'Invalid value: "..": must not be \'..\''],
      ]),
    ],
    [
      'a docker config without its key',
      { type: 'kubernetes.io/dockerconfigjson' },
      invalid({ kind: 'Secret' }, 'refused', [['data[.dockerconfigjson]', 'FieldValueRequired', 'Required value']]),
    ],
    [
      'a docker config that is no JSON',
      { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'x' } },
      invalid({ kind: 'Secret' }, 'refused', [
        [
          'data[.dockerconfigjson]',
          'FieldValueInvalid',
          'Invalid value: "<secret contents redacted>": invalid character \'x\' looking for beginning of value',
        ],
      ]),
    ],
    [
      'a TLS secret without certificate',
      { type: 'kubernetes.io/tls' },
      invalid({ kind: 'Secret' }, 'refused', [
        ['data[tls.crt]', 'FieldValueRequired', 'Required value'],
        ['data[tls.key]', 'FieldValueRequired', 'Required value'],
      ]),
    ],
    [
      'basic auth without user and password',
      { type: 'kubernetes.io/basic-auth' },
      invalid({ kind: 'Secret' }, 'refused', [
        ['data[username]', 'FieldValueRequired', 'Required value'],
        ['data[password]', 'FieldValueRequired', 'Required value'],
      ]),
    ],
    [
      'SSH auth without key',
      { type: 'kubernetes.io/ssh-auth' },
      invalid({ kind: 'Secret' }, 'refused', [['data[ssh-privatekey]', 'FieldValueRequired', 'Required value']]),
    ],
    [
      'a token without account',
      { type: 'kubernetes.io/service-account-token' },
      invalid({ kind: 'Secret' }, 'refused', [
        ['metadata.annotations[kubernetes.io/service-account.name]', 'FieldValueRequired', 'Required value'],
      ]),
    ],
    [
      'more than 1 MiB',
      { stringData: { a: 'x'.repeat(1_048_577) } },
      invalid({ kind: 'Secret' }, 'refused', [
        ['data', 'FieldValueTooLong', 'Too long: may not be more than 1048576 bytes'],
      ]),
    ],
  ];
  for (const [title, sent, expected] of refusals) {
    check(`refuse ${title}`, async ({ admin }) => {
      expectRefusal(await admin.post(secrets(), { metadata: { name: 'refused' }, ...sent }), expected);
    });
  }

  check('take types of their own', async ({ admin }) => {
    const { status, body } = await admin.post(secrets(), { metadata: { name: 'typed' }, type: 'example.org/mine' });

    expect([status, body.type]).toEqual([201, 'example.org/mine']);
  });

  check('take the known types when they are complete', async ({ admin }) => {
    const tls = await admin.post(secrets(), {
      metadata: { name: 'tls' },
      type: 'kubernetes.io/tls',
      stringData: { 'tls.crt': 'c', 'tls.key': 'k' },
    });
    const basic = await admin.post(secrets(), {
      metadata: { name: 'basic' },
      type: 'kubernetes.io/basic-auth',
      stringData: { username: 'u' },
    });

    expect([tls.status, basic.status]).toEqual([201, 201]);
  });

  check('do not change their type', async ({ admin }) => {
    await admin.create(secrets(), { metadata: { name: 'fixed' } });

    expectRefusal(
      await admin.patch('merge', secrets('fixed'), { type: 'example.org/other' }),
      invalid({ kind: 'Secret' }, 'fixed', [
        ['type', 'FieldValueInvalid', 'Invalid value: "example.org/other": field is immutable'],
      ]),
    );
  });

  check('that are immutable change no more, but may go', async ({ admin }) => {
    await admin.create(secrets(), { metadata: { name: 'immutable' }, data: { a: base64('x') }, immutable: true });

    expectRefusal(
      await admin.patch('merge', secrets('immutable'), { data: { a: base64('y') } }),
      invalid({ kind: 'Secret' }, 'immutable', [
        ['data', 'FieldValueForbidden', 'Forbidden: field is immutable when `immutable` is set'],
      ]),
    );
    expectRefusal(
      await admin.patch('merge', secrets('immutable'), { immutable: false }),
      invalid({ kind: 'Secret' }, 'immutable', [
        ['immutable', 'FieldValueForbidden', 'Forbidden: field is immutable when `immutable` is set'],
      ]),
    );
    expect((await admin.patch('merge', secrets('immutable'), { metadata: { labels: { a: '1' } } })).status).toBe(200);
    expect((await admin.delete(secrets('immutable'))).status).toBe(200);
  });

  check('may become immutable', async ({ admin }) => {
    await admin.create(secrets(), { metadata: { name: 'settling' } });

    expect((await admin.patch('merge', secrets('settling'), { immutable: true })).status).toBe(200);
  });
});
