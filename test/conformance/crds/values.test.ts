import { expect } from 'vitest';
import { properties } from './value-schema.ts';
import { install, specOf } from '../definition.ts';
import { inNamespace } from '../paths.ts';
import { expectRefusal, invalid } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-values';
const group = 'values.conf.example';
/** Values of fields that are taken, and how they are stored. */
const right: readonly (readonly [field: string, value: unknown, stored: unknown])[] = [
  ['integer', 1, 1],
  ['exclusive', 0.5, 0.5],
  ['multiple', 10, 10],
  ['text', 'abcd', 'abcd'],
  ['nullable', null, null],
  ['intOrString', 5, 5],
  ['intOrString', '5%', '5%'],
  ['either', { a: '1' }, { a: '1' }],
  ['int32', 2_147_483_648, 2_147_483_648],
  ['unknownFormat', 'x', 'x'],
  [
    'embedded',
    { apiVersion: 'v1', kind: 'X', metadata: { name: 'A B' } },
    { apiVersion: 'v1', kind: 'X', metadata: { name: 'A B' } },
  ],
  ['date', '2024-01-02T03:04:05.678+01:00', '2024-01-02T03:04:05.678+01:00'],
  ['duration', '1h30m', '1h30m'],
  ['email', 'a@b.c', 'a@b.c'],
  ['needs', { a: '', b: '', c: '' }, { a: '', b: '' }],
  ['sized', { a: 1 }, { a: 1 }],
  [
    'embedded',
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', unknown: 1 }, anything: { goes: true } },
    { anything: { goes: true }, apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } },
  ],
];

conformance('values of a custom object', ({ check, prepare }) => {
  const items = inNamespace(`${group}/v1/values`, namespace);
  const value = (name: string, spec: object) => ({
    apiVersion: `${group}/v1`,
    kind: 'Value',
    metadata: { name },
    spec,
  });
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    await install(admin, { group, kind: 'Value', schema: specOf(properties) });
  });

  for (const [index, [field, sent, expected]] of right.entries()) {
    check(`takes ${field}: ${JSON.stringify(sent)}`, async ({ admin }) => {
      const { status, body } = await admin.post(items(), value(`taken-${index}`, { [field]: sent }));

      expect([status, body.spec]).toEqual([201, { [field]: expected }]);
    });
  }

  check('lists everything that is wrong, in any order', async ({ admin }) => {
    const spec = { integer: 0, text: 'A', choice: 'x', list: ['a'] };
    const { status, body } = await admin.post(`${items()}?dryRun=All`, value('refused', spec));

    const { causes } = body.details as { causes: readonly { field: string }[] };
    expect([status, causes.map(({ field }) => field).toSorted()]).toEqual([
      422,
      ['spec.choice', 'spec.integer', 'spec.list[0]', 'spec.text'],
    ]);
    expect(body.message.startsWith('Value.values.conf.example "refused" is invalid: [')).toBe(true);
  });

  check('drops null where it is not allowed', async ({ admin }) => {
    const { status, body } = await admin.post(`${items()}?dryRun=All`, value('null', { integer: null, needs: null }));

    expect([status, body.spec]).toEqual([201, {}]);
  });

  check('refuses spec of another type', async ({ admin }) => {
    expectRefusal(
      await admin.post(`${items()}?dryRun=All`, { ...value('refused', {}), spec: 'x' }),
      invalid({ group, kind: 'Value' }, 'refused', [
        ['spec', 'FieldValueTypeInvalid', 'Invalid value: "string": spec in body must be of type object: "string"'],
      ]),
    );
  });

  check('keeps numbers as they are written, where they can be told apart', async ({ admin }) => {
    const text = `{"apiVersion":"${group}/v1","kind":"Value","metadata":{"name":"numbers"},"spec":{"integer":2.0,"exclusive":5e-1}}`;
    const { text: answer } = await admin.post(items(), text);

    expect(/"spec":(\{[^}]*\})/.exec(answer)?.[1]).toEqual('{"exclusive":0.5,"integer":2}');
  });
});
