import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ObjectStore } from '../storage/object-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import { apply } from './apply.ts';
import type { World } from './call.ts';
import { create } from './create.ts';
import { deleteObject } from './delete.ts';
import { patch } from './patch.ts';
import { replace } from './replace.ts';
import { writeScale } from './scale.ts';
import { bodyOf, testCall, testWorld, thing } from './testing/test-world.ts';

/** A world whose writes become safe, or fail, when the test says so; with a thing in it that is safe. */
async function heldWorld() {
  const store = new ObjectStore({ buckets: new Map(), revision: 1 });
  store.attach({ append: () => undefined, close: async () => undefined });
  const world: World = { ...(await testWorld()), store };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'home' } };
  void store.commit({ bucket: '/namespaces', key: '/home', object: namespace });
  const created = create(world, testCall(), thing({ size: 1, replicas: 1 }, { finalizers: ['x.io/hold'] }));
  store.onDurable(store.revision);
  await created;
  return { world, store };
}

type Action = (world: World) => Promise<unknown>;

const resize: Action = (world) => patch(world, testCall(), 'merge', bodyOf({ spec: { size: 2, replicas: 2 } }));

const repetitions: readonly (readonly [title: string, first: Action, again: Action])[] = [
  ['merge patch', resize, resize],
  [
    'JSON patch',
    resize,
    (world) => patch(world, testCall(), 'json', bodyOf([{ op: 'replace', path: '/spec/size', value: 2 }])),
  ],
  [
    'PUT',
    resize,
    (world) => replace(world, testCall(), thing({ size: 2, replicas: 2 }, { finalizers: ['x.io/hold'] })),
  ],
  ['scale', resize, (world) => writeScale(world, testCall(), { spec: { replicas: 2 } })],
  [
    'apply',
    (world) => apply(world, testCall(), thing({ size: 2 }), true),
    (world) => apply(world, testCall(), thing({ size: 2 }), true),
  ],
  ['deletion', (world) => deleteObject(world, testCall(), {}), (world) => deleteObject(world, testCall(), {})],
];

describe.each(repetitions)('a %s that changes nothing', (_, first, again) => {
  it('is answered when the write it repeats is safe, and not before', async () => {
    const { world, store } = await heldWorld();
    const answered: string[] = [];
    const writes = [first(world).then(() => answered.push('first')), again(world).then(() => answered.push('again'))];
    await turn();
    expect(answered).toEqual([]);

    store.onDurable(store.revision);
    await Promise.all(writes);
    expect(answered.sort()).toEqual(['again', 'first']);
  });

  it('fails when the write it repeats does', async () => {
    const { world, store } = await heldWorld();
    const writes = Promise.allSettled([first(world), again(world)]);
    await turn();

    store.onFailure(new StorageError('KLUTCH_STORE_FAILED', 'the disk is full'));

    expect((await writes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
