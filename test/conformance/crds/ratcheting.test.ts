import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { crds, definition, install, objectOf, specOf } from '../definition.ts';
import { inNamespace } from '../paths.ts';
import { expectRefusal, invalid } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-ratcheting';
const group = 'ratcheting.conf.example';
/** Where there are rules, they are not asked as long as the schema is not satisfied. */
const unchecked = [
  '<nil>',
  'FieldValueInvalid',
  'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
] as const;
const strict = { type: 'string', maxLength: 3 };

conformance('stricter schemas', ({ check, prepare }) => {
  const items = inNamespace(`${group}/v1/olds`, namespace);
  const old = (name: string, spec: object) => ({ apiVersion: `${group}/v1`, kind: 'Old', metadata: { name }, spec });
  const names = ['unchanged', 'changed', 'beside', 'list', 'rule', 'labelled', 'put', 'removed', 'required'];
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    await install(admin, {
      group,
      kind: 'Old',
      schema: specOf({
        text: { type: 'string' },
        other: { type: 'string' },
        list: { type: 'array', items: { type: 'string' } },
        ruled: { type: 'integer' },
        object: objectOf({ a: { type: 'string' }, b: { type: 'string' } }),
      }),
    });
    for (const name of names)
      await admin.create(items(), old(name, { text: 'too long', list: ['too long'], ruled: 1, object: { a: 'x' } }));
    const stricter = definition({
      group,
      kind: 'Old',
      schema: specOf({
        text: strict,
        other: strict,
        list: { type: 'array', maxItems: 5, items: strict },
        ruled: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 1', message: 'more than one' }] },
        object: objectOf({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['b'] }),
      }),
    });
    await admin.patch('merge', crds(`olds.${group}`), { spec: stricter.spec });
    await eventually(
      async () => (await admin.post(`${items()}?dryRun=All`, old('probe', { other: 'too long' }))).status === 422,
      { what: 'the stricter schema holds' },
    );
  });

  check('do not stand in the way of changes elsewhere', async ({ admin }) => {
    const { status, body } = await admin.patch('merge', items('unchanged'), { spec: { other: 'ok' } });

    expect([status, body.spec]).toEqual([
      200,
      { text: 'too long', list: ['too long'], ruled: 1, object: { a: 'x' }, other: 'ok' },
    ]);
  });

  check('do not stand in the way of labels', async ({ admin }) => {
    expect((await admin.patch('merge', items('labelled'), { metadata: { labels: { a: '1' } } })).status).toBe(200);
  });

  check('hold for what is changed', async ({ admin }) => {
    expectRefusal(
      await admin.patch('merge', items('changed'), { spec: { text: 'still too long' } }),
      invalid({ group, kind: 'Old' }, 'changed', [
        ['spec.text', 'FieldValueTooLong', 'Too long: may not be more than 3 bytes'],
        unchecked,
      ]),
    );
  });

  check('hold for new values beside old ones', async ({ admin }) => {
    expectRefusal(
      await admin.patch('merge', items('beside'), { spec: { other: 'too long' } }),
      invalid({ group, kind: 'Old' }, 'beside', [
        ['spec.other', 'FieldValueTooLong', 'Too long: may not be more than 3 bytes'],
        unchecked,
      ]),
    );
  });

  check('hold for a list without keys as a whole', async ({ admin }) => {
    expectRefusal(
      await admin.patch('merge', items('list'), { spec: { list: ['too long', 'ok'] } }),
      invalid({ group, kind: 'Old' }, 'list', [
        ['spec.list[0]', 'FieldValueTooLong', 'Too long: may not be more than 3 bytes'],
        unchecked,
      ]),
    );
  });

  check('hold for rules when their value changes', async ({ admin }) => {
    expectRefusal(
      await admin.patch('merge', items('rule'), { spec: { ruled: 0 } }),
      invalid({ group, kind: 'Old' }, 'rule', [['spec.ruled', 'FieldValueInvalid', 'Invalid value: 0: more than one']]),
    );
    expect((await admin.patch('merge', items('rule'), { spec: { ruled: 2 } })).status).toBe(200);
  });

  check('hold for required fields when their object changes', async ({ admin }) => {
    expectRefusal(
      await admin.patch('merge', items('required'), { spec: { object: { a: 'y' } } }),
      invalid({ group, kind: 'Old' }, 'required', [
        ['spec.object.b', 'FieldValueRequired', 'Required value'],
        unchecked,
      ]),
    );
  });

  check('hold in full for new objects', async ({ admin }) => {
    const { status } = await admin.post(`${items()}?dryRun=All`, old('new', { text: 'too long' }));

    expect(status).toBe(422);
  });
});
