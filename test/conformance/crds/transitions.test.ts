import { expect } from 'vitest';
import { install, objectOf, specOf } from '../definition.ts';
import { inNamespace } from '../paths.ts';
import { type Causes, expectRefusal, invalid } from '../refusal.ts';
import { conformance } from '../suite.ts';

const group = 'transitions.conf.example';
const string = { type: 'string', maxLength: 100 };
const validated = (schema: object, ...rules: object[]) => ({ ...schema, 'x-kubernetes-validations': rules });

conformance('transition rules of a custom kind', ({ check, prepare }) => {
  const own = 'conf-transitions';
  const items = inNamespace(`${group}/v1/changes`, own);
  const change = (name: string, spec: object) => ({
    apiVersion: `${group}/v1`,
    kind: 'Change',
    metadata: { name },
    spec,
  });
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(own);
    const schema = specOf({
      fixed: validated(string, { rule: 'self == oldSelf', message: 'is immutable' }),
      grows: validated({ type: 'integer' }, { rule: 'self >= oldSelf', message: 'only grows' }),
      told: validated(string, { rule: 'self == oldSelf', messageExpression: '"from " + oldSelf + " to " + self' }),
      once: validated(string, {
        rule: '!oldSelf.hasValue() || self == oldSelf.value()',
        optionalOldSelf: true,
        message: 'set once',
      }),
      creates: validated(string, {
        rule: 'oldSelf.hasValue() || self == "new"',
        optionalOldSelf: true,
        message: 'begins with new',
      }),
      items: {
        type: 'array',
        maxItems: 5,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: validated(objectOf({ k: string, v: string }, { required: ['k'] }), {
          rule: 'self.v == oldSelf.v',
          message: 'v is immutable',
        }),
      },
      free: string,
    });
    await install(admin, {
      group,
      kind: 'Change',
      schema: {
        ...schema,
        'x-kubernetes-validations': [
          { rule: '!has(oldSelf.spec.fixed) || has(self.spec.fixed)', message: 'fixed cannot go' },
        ],
      },
    });
  });

  /** From, to, and the refusal if there is one. */
  const rows: readonly (readonly [title: string, from: object, to: object, causes: Causes])[] = [
    [
      'refuse a change of what is fixed',
      { fixed: 'a' },
      { fixed: 'b' },
      [['spec.fixed', 'FieldValueInvalid', 'Invalid value: "b": is immutable']],
    ],
    [
      'refuse the removal of what is fixed',
      { fixed: 'a' },
      { fixed: null },
      [['<nil>', 'FieldValueInvalid', 'Invalid value: fixed cannot go']],
    ],
    [
      'refuse a smaller number',
      { grows: 5 },
      { grows: 4 },
      [['spec.grows', 'FieldValueInvalid', 'Invalid value: 4: only grows']],
    ],
    [
      'tell both values',
      { told: 'a' },
      { told: 'b' },
      [['spec.told', 'FieldValueInvalid', 'Invalid value: "b": from a to b']],
    ],
    [
      'refuse a second value',
      { once: 'a' },
      { once: 'b' },
      [['spec.once', 'FieldValueInvalid', 'Invalid value: "b": set once']],
    ],
    [
      'refuse the change of an item, found by its key',
      {
        items: [
          { k: 'x', v: '1' },
          { k: 'y', v: '2' },
        ],
      },
      { items: [{ k: 'y', v: '3' }] },
      [['spec.items[0]', 'FieldValueInvalid', 'Invalid value: v is immutable']],
    ],
  ];
  for (const [index, [title, from, to, causes]] of rows.entries()) {
    check(title, async ({ admin }) => {
      await admin.create(items(), change(`refused-${index}`, { creates: 'new', ...from }));

      const answer = await admin.patch('merge', items(`refused-${index}`), { spec: to });

      expectRefusal(answer, invalid({ group, kind: 'Change' }, `refused-${index}`, causes));
    });
  }

  const allowed: readonly (readonly [title: string, from: object, to: object])[] = [
    ['a value where there was none', {}, { fixed: 'a', once: 'b', grows: 1 }],
    ['a greater number', { grows: 1 }, { grows: 2 }],
    ['another field', { fixed: 'a' }, { free: 'x' }],
    [
      'a new item in a list',
      { items: [{ k: 'x', v: '1' }] },
      {
        items: [
          { k: 'z', v: '9' },
          { k: 'x', v: '1' },
        ],
      },
    ],
  ];
  for (const [index, [title, from, to]] of allowed.entries()) {
    check(`allow ${title}`, async ({ admin }) => {
      await admin.create(items(), change(`allowed-${index}`, { creates: 'new', ...from }));

      expect((await admin.patch('merge', items(`allowed-${index}`), { spec: to })).status).toBe(200);
    });
  }

  check('hold for a new object where the old one is optional', async ({ admin }) => {
    expectRefusal(
      await admin.post(items(), change('first', { creates: 'old' })),
      invalid({ group, kind: 'Change' }, 'first', [
        ['spec.creates', 'FieldValueInvalid', 'Invalid value: "old": begins with new'],
      ]),
    );
  });

  check('hold for apply as well', async ({ admin }) => {
    await admin.apply(items('applied'), 'one', change('applied', { fixed: 'a' }));

    expectRefusal(
      await admin.apply(items('applied'), 'one', change('applied', { fixed: 'b' })),
      invalid({ group, kind: 'Change' }, 'applied', [
        ['spec.fixed', 'FieldValueInvalid', 'Invalid value: "b": is immutable'],
      ]),
    );
  });
});
