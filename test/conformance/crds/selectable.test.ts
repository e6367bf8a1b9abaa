import { expect } from 'vitest';
import { install, specOf } from '../definition.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const group = 'selectable.conf.example';

conformance('selectable fields of a custom kind', ({ check, prepare }) => {
  const own = 'conf-selectable';
  const items = inNamespace(`${group}/v1/picks`, own);
  const pick = (name: string, spec: object) => ({ apiVersion: `${group}/v1`, kind: 'Pick', metadata: { name }, spec });
  const select = (selector: string) => `${items()}?fieldSelector=${encodeURIComponent(selector)}`;
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(own);
    const schema = specOf({ color: { type: 'string' }, size: { type: 'integer' }, on: { type: 'boolean' } });
    await install(admin, {
      group,
      kind: 'Pick',
      schema,
      version: {
        selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }, { jsonPath: '.spec.on' }],
      },
    });
    await admin.create(items(), pick('a', { color: 'red', size: 1, on: true }));
    await admin.create(items(), pick('b', { color: 'red', size: 2 }));
    await admin.create(items(), pick('c', { color: 'blue', size: 2 }));
    await admin.create(items(), pick('d', {}));
  });

  const rows: readonly (readonly [selector: string, names: readonly string[]])[] = [
    ['spec.color=red', ['a', 'b']],
    ['spec.color=red,spec.size=2', ['b']],
    ['spec.size!=2', ['a', 'd']],
    ['spec.on=true', ['a']],
    ['spec.color=', ['d']],
    ['metadata.name=c,spec.color=blue', ['c']],
  ];
  for (const [selector, expected] of rows) {
    check(`find by "${selector}"`, async ({ admin }) => {
      const { status, body } = await admin.get(select(selector));

      expect([status, body.items?.map(({ metadata }) => metadata.name)]).toEqual([200, expected]);
    });
  }

  check('do not find by other fields', async ({ admin }) => {
    expectRefusal(await admin.get(select('spec.shape=round')), badRequest('field label not supported: spec.shape'));
  });

  check('tell a watch what begins and ceases to match', async ({ admin }) => {
    const { body } = await admin.get(items());
    const watch = await admin.watch(`${select('spec.color=green')}&resourceVersion=${body.metadata.resourceVersion}`);
    await admin.patch('merge', items('d'), { spec: { color: 'green' } });
    await admin.patch('merge', items('d'), { spec: { color: 'grey' } });

    const events = await watch.take(2);
    watch.close();

    expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(['ADDED d', 'DELETED d']);
  });
});
