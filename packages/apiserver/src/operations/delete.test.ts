import { describe, expect, it } from 'vitest';
import { create } from './create.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteObject, type DeletionOptions } from './delete.ts';
import { patch } from './patch.ts';
import { requireMortalNamespace } from './namespace-check.ts';
import { readScale, writeScale, patchScale } from './scale.ts';
import { itemText, viewObject } from './stored-view.ts';
import { resultObject, testCall, testWorld, thing, thingResource } from './testing/test-world.ts';

const bucket = 'test.example/things';

async function worldWithThing(metadata: object = {}, resource = thingResource(), spec: object = {}) {
  const world = await testWorld(resource);
  const created = resultObject(await create(world, testCall(resource), thing(spec, metadata)));
  return { world, created, call: testCall(resource) };
}

describe('deleteObject', () => {
  it('removes an object and tells which one', async () => {
    const { world, created, call } = await worldWithThing();

    const { code, ...result } = await deleteObject(world, call, {});

    expect([code, result]).toEqual([
      200,
      {
        object: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Success',
          details: { name: 'x', group: 'test.example', kind: 'things', uid: created.metadata.uid },
        },
      },
    ]);
    expect(world.store.get(bucket, 'home/x')).toBeUndefined();
  });

  it.each<[string, DeletionOptions, string[]]>([
    ['foreground', { propagation: 'Foreground' }, ['foregroundDeletion']],
    ['orphan', { propagation: 'Orphan' }, ['orphan']],
  ])('waits for the garbage collector: %s', async (_, options, finalizers) => {
    const { world, call } = await worldWithThing();

    const { metadata } = resultObject(await deleteObject(world, call, options));

    expect([metadata.finalizers, metadata.deletionTimestamp, metadata.generation]).toEqual([
      finalizers,
      '2030-01-02T03:04:05Z',
      2,
    ]);
  });

  describe('of a kind that is given time', () => {
    const patient = thingResource({
      strategy: { ...thingResource().strategy, gracePeriod: (_, asked = 30) => asked },
    });

    it('waits for that time, and a change of the object does not end it', async () => {
      const { world, call } = await worldWithThing({}, patient);

      const { metadata } = resultObject(await deleteObject(world, call, {}));
      await patch(world, call, 'merge', { value: { spec: { size: 2 } }, duplicates: [] });

      expect([metadata.deletionTimestamp, metadata.deletionGracePeriodSeconds, metadata.generation]).toEqual([
        '2030-01-02T03:04:35Z',
        30,
        2,
      ]);
      expect(world.store.get(bucket, 'home/x')?.object()['spec']).toMatchObject({ size: 2 });
    });

    it('may be hurried, but not held up', async () => {
      const { world, call } = await worldWithThing({}, patient);
      const grace = async (gracePeriodSeconds: number) =>
        resultObject(await deleteObject(world, call, { gracePeriodSeconds })).metadata.deletionGracePeriodSeconds;

      expect([await grace(20), await grace(40), await grace(10)]).toEqual([20, 20, 10]);
      await deleteObject(world, call, { gracePeriodSeconds: 0 });
      expect(world.store.get(bucket, 'home/x')).toBeUndefined();
    });
  });

  it('changes nothing the second time', async () => {
    const { world, call } = await worldWithThing({ finalizers: ['x.io/hold'] });
    await deleteObject(world, call, {});
    const { revision } = world.store;

    await deleteObject(world, call, {});

    expect(world.store.revision).toBe(revision);
  });

  it('says that it did not wait when the client asked for that', async () => {
    const { world, call } = await worldWithThing({ finalizers: ['x.io/hold'] });

    expect((await deleteObject(world, call, { isAsynchronous: true })).code).toBe(202);
  });

  it('keeps an object for its grace period, which can only become shorter', async () => {
    const strategy = {
      unconditionalUpdate: true,
      tracksGeneration: false,
      gracePeriod: (_: unknown, asked = 30) => asked,
    };
    const { world, call } = await worldWithThing({}, thingResource({ strategy }));

    const first = resultObject(await deleteObject(world, call, {})).metadata;
    const longer = resultObject(await deleteObject(world, call, { gracePeriodSeconds: 60 })).metadata;
    await deleteObject(world, call, { gracePeriodSeconds: 0 });

    expect([first.deletionGracePeriodSeconds, first.deletionTimestamp]).toEqual([30, '2030-01-02T03:04:35Z']);
    expect(longer.deletionGracePeriodSeconds).toBe(30);
    expect(world.store.get(bucket, 'home/x')).toBeUndefined();
  });

  it.each<[string, DeletionOptions, RegExp]>([
    [
      'uid',
      { uid: 'other' },
      /^Operation cannot be fulfilled on Thing.test.example "x": the UID in the precondition \(other\)/,
    ],
    ['version', { resourceVersion: '1' }, /the ResourceVersion in the precondition \(1\) does not match/],
  ])('holds the precondition on the %s', async (_, options, message) => {
    const { world, call } = await worldWithThing();

    await expect(deleteObject(world, call, options)).rejects.toMatchObject({
      code: 409,
      message: expect.stringMatching(message),
    });
  });

  it('leaves everything as it is under dry run', async () => {
    const { world, call } = await worldWithThing();

    await deleteObject(world, { ...call, dryRun: true }, {});

    expect(world.store.get(bucket, 'home/x')).toBeDefined();
  });

  it('deletes a collection, whoever else deletes in it', async () => {
    const { world, call } = await worldWithThing();
    const entries = world.store.scan(bucket);
    await deleteObject(world, call, {});

    expect(await deleteCollection(world, call, entries, {})).toEqual([]);
  });
});

describe('requireMortalNamespace', () => {
  const namespaces = thingResource({ group: '', resource: 'namespaces' });

  it('keeps what every cluster has', () => {
    expect(() => requireMortalNamespace(namespaces, 'kube-system')).toThrow('this namespace may not be deleted');
    expect(() => requireMortalNamespace(namespaces, 'home')).not.toThrow();
    expect(() => requireMortalNamespace(thingResource(), 'default')).not.toThrow();
  });
});

describe('scale', () => {
  it('shows and sets the replicas', async () => {
    const { world, call } = await worldWithThing({}, undefined, { replicas: 2 });

    await writeScale(world, call, { spec: { replicas: 3 } });
    await patchScale(world, call, 'merge', { spec: { replicas: 4 } });

    expect(readScale(world, call)).toMatchObject({
      object: { kind: 'Scale', spec: { replicas: 4 }, status: { replicas: 0 } },
    });
    expect(world.store.get(bucket, 'home/x')?.object()['spec']).toMatchObject({ replicas: 4 });
  });

  it.each([
    [
      'fewer than none',
      { spec: { replicas: -1 } },
      422,
      '.spec.replicas: Invalid value: -1: should be a non-negative integer',
    ],
    ['another kind', { apiVersion: 'v1', kind: 'Secret' }, 400, 'no kind is registered for the type v1.Scale'],
    ['a stale version', { metadata: { resourceVersion: '1' } }, 409, 'the object has been modified'],
  ])('refuses %s', async (_, wanted, code, message) => {
    const { world, call } = await worldWithThing({}, undefined, { replicas: 2 });

    await expect(async () => writeScale(world, call, wanted)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('is an error of the object when it has no replicas', async () => {
    const { world, call } = await worldWithThing();

    expect(() => readScale(world, call)).toThrow('the spec replicas field ".spec.replicas" does not exist');
  });
});

describe('views of stored objects', () => {
  it('follow a schema that has changed since', async () => {
    const { world } = await worldWithThing({}, thingResource({ schema: undefined }), { size: 1, gone: true });
    const entry = world.store.scan(bucket)[0];

    expect(entry && viewObject(entry, thingResource())['spec']).toEqual({ size: 1, color: 'grey' });
  });

  it('leave out the type of built-in objects in lists', async () => {
    const { world } = await worldWithThing();
    const entry = world.store.scan(bucket)[0];
    if (!entry) throw new Error('nothing is stored');

    expect(JSON.parse(itemText(entry, thingResource({ builtIn: true })))).not.toHaveProperty('kind');
    expect(JSON.parse(itemText(entry, thingResource()))).toHaveProperty('kind', 'Thing');
  });
});
