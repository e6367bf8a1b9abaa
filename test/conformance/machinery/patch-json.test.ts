import { expect } from 'vitest';
import { configMap } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal, notFound, type Refusal, refusal, undecodable } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-patch-json';
const maps = inNamespace('v1/configmaps', namespace);

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** What each patch makes of the data `{ a: '1', b: '2' }`. */
const outcomes: readonly (readonly [title: string, patch: readonly Operation[], data: object])[] = [
  ['adds a key', [{ op: 'add', path: '/data/c', value: '3' }], { a: '1', b: '2', c: '3' }],
  ['adds over a key', [{ op: 'add', path: '/data/a', value: '3' }], { a: '3', b: '2' }],
  ['removes a key', [{ op: 'remove', path: '/data/a' }], { b: '2' }],
  ['replaces a key', [{ op: 'replace', path: '/data/a', value: '3' }], { a: '3', b: '2' }],
  ['replaces an absent key by adding it', [{ op: 'replace', path: '/data/x', value: '1' }], { a: '1', b: '2', x: '1' }],
  ['moves a key', [{ op: 'move', from: '/data/a', path: '/data/c' }], { b: '2', c: '1' }],
  ['copies a key', [{ op: 'copy', from: '/data/a', path: '/data/c' }], { a: '1', b: '2', c: '1' }],
  [
    'goes on after a test that holds',
    [
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'remove', path: '/data/a' },
    ],
    { b: '2' },
  ],
  ['does nothing when it is empty', [], { a: '1', b: '2' }],
];

const rejected = refusal(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

const refusals: readonly (readonly [title: string, patch: unknown, refusal: Refusal])[] = [
  ['a test that does not hold', [{ op: 'test', path: '/data/a', value: '9' }], rejected],
  ['a test of an absent key', [{ op: 'test', path: '/data/x', value: '9' }], rejected],
  ['the removal of an absent key', [{ op: 'remove', path: '/data/x' }], rejected],
  ['an addition below an absent parent', [{ op: 'add', path: '/binaryData/x', value: 'AA==' }], rejected],
  ['an unknown operation', [{ op: 'jump', path: '/data/x' }], rejected],
  [
    'an object instead of a list',
    { op: 'add', path: '/data/x', value: '1' },
    badRequest('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'),
  ],
  ['something that is not JSON', '[{', badRequest('error decoding patch: unexpected end of JSON input')],
  [
    'a value of the wrong type',
    [{ op: 'add', path: '/data/a', value: 1 }],
    undecodable('json: cannot unmarshal number into Go struct field ConfigMap.data of type string'),
  ],
  [
    'a change of the kind',
    [{ op: 'replace', path: '/kind', value: 'Unicorn' }],
    undecodable('no kind "Unicorn" is registered for version "v1"'),
  ],
  [
    'a change of the name',
    [{ op: 'replace', path: '/metadata/name', value: 'other' }],
    badRequest('the name of the object (other) does not match the name on the URL (refused)'),
  ],
];

conformance('JSON patch', ({ check, prepare }) => {
  prepare(async ({ createNamespace, admin }) => {
    await createNamespace(namespace);
    await admin.create(maps(), configMap('refused', { a: '1', b: '2' }));
  });

  for (const [index, [title, patch, data]] of outcomes.entries()) {
    check(title, async ({ admin }) => {
      await admin.create(maps(), configMap(`patched-${index}`, { a: '1', b: '2' }));

      const { status, body } = await admin.patch('json', maps(`patched-${index}`), patch);

      expect([status, body.data]).toEqual([200, data]);
    });
  }

  for (const [title, patch, expected] of refusals) {
    check(`refuses ${title}`, async ({ admin }) => {
      expectRefusal(await admin.patch('json', maps('refused'), patch), expected);
    });
  }

  check('reads ~1 as a slash', async ({ admin }) => {
    await admin.create(maps(), configMap('escaped', {}, { annotations: { 'x/y': '1', z: '2' } }));

    const { body } = await admin.patch('json', maps('escaped'), [{ op: 'remove', path: '/metadata/annotations/x~1y' }]);

    expect(body.metadata.annotations).toEqual({ z: '2' });
  });

  check('does not find what it is to patch', async ({ admin }) => {
    expectRefusal(await admin.patch('json', maps('absent'), []), notFound('configmaps', 'absent'));
  });
});
