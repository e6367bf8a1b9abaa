import { expect } from 'vitest';
import { configMap } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal, notFound, refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-patch-strategic';
const maps = inNamespace('v1/configmaps', namespace);
const deployments = inNamespace('apps/v1/deployments', namespace);

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly object[];
  readonly args?: readonly string[];
}

const a: Container = { name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }], args: ['one', 'two'] };
const b: Container = { name: 'b', image: 'b:1' };

/** What each patch of the pod makes of the containers a and b. */
const outcomes: readonly (readonly [title: string, name: string, pod: object, containers: readonly Container[]])[] = [
  [
    'merges containers by name',
    'by-name',
    { containers: [{ name: 'b', image: 'b:2' }] },
    [a, { name: 'b', image: 'b:2' }],
  ],
  [
    'puts a new container first',
    'new-container',
    { containers: [{ name: 'c', image: 'c:1' }] },
    [{ name: 'c', image: 'c:1' }, a, b],
  ],
  ['deletes a container by its name', 'delete', { containers: [{ name: 'a', $patch: 'delete' }] }, [b]],
  [
    'replaces the list when told to',
    'replace',
    { containers: [{ name: 'z', image: 'z:1' }, { $patch: 'replace' }] },
    [{ name: 'z', image: 'z:1' }],
  ],
  [
    'merges lists within lists by their keys',
    'nested',
    { containers: [{ name: 'a', env: [{ name: 'Y', value: '2' }] }] },
    [
      {
        ...a,
        env: [
          { name: 'Y', value: '2' },
          { name: 'X', value: '1' },
        ],
      },
      b,
    ],
  ],
  ['replaces plain lists', 'atomic', { containers: [{ name: 'a', args: ['three'] }] }, [{ ...a, args: ['three'] }, b]],
  [
    'orders by $setElementOrder',
    'order',
    { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }], containers: [{ name: 'a', image: 'a:2' }] },
    [b, { ...a, image: 'a:2' }],
  ],
];

conformance('strategic merge patch', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  for (const [title, name, pod, expected] of outcomes) {
    check(title, async ({ admin }) => {
      const labels = { app: name };
      const template = { metadata: { labels }, spec: { containers: [a, b] } };
      await admin.create(deployments(), { metadata: { name }, spec: { selector: { matchLabels: labels }, template } });

      const { status, body } = await admin.patch('strategic', deployments(name), { spec: { template: { spec: pod } } });

      expect([status, containersOf(body.spec)]).toEqual([200, expected]);
    });
  }

  check('merges and removes keys of a map', async ({ admin }) => {
    await admin.create(maps(), configMap('strategic', { a: '1', b: '2' }));

    const { status, body } = await admin.patch('strategic', maps('strategic'), { data: { a: null, c: '3' } });

    expect([status, body.data]).toEqual([200, { b: '2', c: '3' }]);
  });

  check('replaces a map when told to', async ({ admin }) => {
    await admin.create(maps(), configMap('strategic-replace', { a: '1', b: '2' }));

    const { status, body } = await admin.patch('strategic', maps('strategic-replace'), {
      data: { $patch: 'replace', c: '3' },
    });

    expect([status, body.data]).toEqual([200, { c: '3' }]);
  });

  check('adds to and deletes from the list of finalizers', async ({ admin }) => {
    await admin.create(maps(), configMap('finalizers', {}, { finalizers: ['x.io/a', 'x.io/b'] }));

    const added = await admin.patch('strategic', maps('finalizers'), { metadata: { finalizers: ['x.io/c'] } });
    const deleted = await admin.patch('strategic', maps('finalizers'), {
      metadata: { '$deleteFromPrimitiveList/finalizers': ['x.io/a', 'x.io/c'] },
    });
    await admin.patch('merge', maps('finalizers'), { metadata: { finalizers: null } });

    expect([added.body.metadata.finalizers, deleted.body.metadata.finalizers]).toEqual([
      ['x.io/c', 'x.io/a', 'x.io/b'],
      ['x.io/b'],
    ]);
  });

  check('refuses a patch with an unknown directive', async ({ admin }) => {
    await admin.create(maps(), configMap('directive', { a: '1', b: '2' }));

    expectRefusal(
      await admin.patch('strategic', maps('directive'), { data: { $patch: 'jump' } }),
      refusal(500, undefined, 'unknown patch type: jump in map: map[$patch:jump]'),
    );
  });

  check('refuses a patch that is a list or no JSON', async ({ admin }) => {
    await admin.create(maps(), configMap('not-an-object', { a: '1', b: '2' }));

    expectRefusal(
      await admin.patch('strategic', maps('not-an-object'), []),
      badRequest('json: cannot unmarshal array into Go value of type map[string]interface {}'),
    );
    expectRefusal(
      await admin.patch('strategic', maps('not-an-object'), '{'),
      badRequest('unexpected end of JSON input'),
    );
  });

  check('does not find what it is to patch', async ({ admin }) => {
    expectRefusal(await admin.patch('strategic', maps('absent'), {}), notFound('configmaps', 'absent'));
  });
});

/** Only the fields that the checks set, as the server adds defaults. */
function containersOf(spec: unknown): readonly Container[] {
  const { containers } = (spec as { template: { spec: { containers: readonly Container[] } } }).template.spec;
  return containers.map(({ name, image, env, args }) => ({ name, image, env, args }));
}
