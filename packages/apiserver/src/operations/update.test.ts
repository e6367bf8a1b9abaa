import { describe, expect, it } from 'vitest';
import { apply } from './apply.ts';
import { create } from './create.ts';
import { deleteObject } from './delete.ts';
import { patch } from './patch.ts';
import { replace } from './replace.ts';
import { bodyOf, resultObject, testCall, testWorld, thing, thingResource } from './testing/test-world.ts';

async function worldWithThing(metadata: object = {}) {
  const world = await testWorld();
  const created = resultObject(await create(world, testCall(), thing({ size: 1 }, metadata)));
  return { world, created };
}

describe('replace', () => {
  it('keeps uid, creation time and status, and counts generations by the spec', async () => {
    const { world, created } = await worldWithThing();

    const object = resultObject(await replace(world, testCall(), thing({ size: 2 })));

    expect(object.metadata.uid).toBe(created.metadata.uid);
    expect(object.metadata.generation).toBe(2);
    expect(object['spec']).toEqual({ size: 2, color: 'grey' });
  });

  it('writes nothing when nothing changes', async () => {
    const { world } = await worldWithThing();
    const { revision } = world.store;

    await replace(world, testCall(), thing({ size: 1 }));

    expect(world.store.revision).toBe(revision);
  });

  it('makes an object of some kinds that is not there, in any version but without a uid', async () => {
    const resource = thingResource({ strategy: { ...thingResource().strategy, createOnUpdate: true } });
    const world = await testWorld(resource);
    const call = testCall(resource);

    await expect(replace(world, call, thing({}, { uid: 'u' }))).rejects.toMatchObject({
      code: 409,
      message: expect.stringContaining('UID in precondition: u, UID in object meta: '),
    });
    const { code } = await replace(world, call, thing({ size: 1 }, { resourceVersion: '77' }));

    expect([code, world.store.get(resource.bucket, 'home/x')?.object()['spec']]).toEqual([
      201,
      { color: 'grey', size: 1 },
    ]);
  });

  it('makes nothing for those who may not, and nothing of a status', async () => {
    const resource = thingResource({ strategy: { ...thingResource().strategy, createOnUpdate: true } });
    const world = await testWorld(resource);
    const admitCreation = () => {
      throw new Error('you may not');
    };

    await expect(replace({ ...world, admitCreation }, testCall(resource), thing())).rejects.toThrow('you may not');
    await expect(replace(world, testCall(resource, { subresource: 'status' }), thing())).rejects.toMatchObject({
      code: 404,
    });
  });

  it('refuses managed fields of somebody whose name cannot be one', async () => {
    const { world } = await worldWithThing();
    const entry = {
      operation: 'Update',
      apiVersion: 'test.example/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:size': {} } },
    };
    const managedFields = [{ ...entry, manager: 'x'.repeat(129) }];

    await expect(replace(world, testCall(), thing({ size: 1 }, { managedFields }))).rejects.toMatchObject({
      code: 422,
      message: expect.stringContaining('metadata.managedFields[0].manager: Too long'),
    });
  });

  it('takes just the status at /status', async () => {
    const { world } = await worldWithThing();
    const body = bodyOf({ ...(thing({ size: 9 }).value as object), status: { phase: 'Up' } });

    const object = resultObject(await replace(world, testCall(undefined, { subresource: 'status' }), body));

    expect([object['spec'], object['status'], object.metadata.generation]).toEqual([
      { size: 1, color: 'grey' },
      { phase: 'Up' },
      1,
    ]);
  });

  it.each([
    ['an absent object', 404, 'things.test.example "y" not found', thing({}, { name: 'y' }), { name: 'y' }],
    [
      'another name',
      400,
      'the name of the object (y) does not match the name on the URL (x)',
      thing({}, { name: 'y' }),
      {},
    ],
    [
      'no name',
      400,
      'the name of the object (x based on URL) was undeterminable: name must be provided',
      bodyOf({ apiVersion: 'test.example/v1', kind: 'Thing' }),
      {},
    ],
    [
      'a stale version',
      409,
      expect.stringContaining('the object has been modified'),
      thing({}, { resourceVersion: '1' }),
      {},
    ],
    [
      'a version that is no number',
      500,
      'strconv.ParseUint: parsing "x": invalid syntax',
      thing({}, { resourceVersion: 'x' }),
      {},
    ],
    [
      'another uid',
      409,
      expect.stringContaining('Key: /registry/test.example/things/home/x, ResourceVersion: 0'),
      thing({}, { uid: 'other' }),
      {},
    ],
    ['bad content', 422, expect.stringContaining('spec.size'), thing({ size: -1 }), {}],
  ])('refuses %s', async (_, code, message, body, more) => {
    const { world } = await worldWithThing();

    await expect(replace(world, testCall(undefined, more), body)).rejects.toMatchObject({ code, message });
  });

  it('needs a version where the kind says so', async () => {
    const resource = thingResource({ strategy: { unconditionalUpdate: false, tracksGeneration: true } });
    const world = await testWorld(resource);
    await create(world, testCall(resource), thing());

    await expect(replace(world, testCall(resource), thing())).rejects.toMatchObject({
      code: 422,
      message:
        'things.test.example "x" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    });
  });
});

describe('patch', () => {
  it.each([
    ['merge' as const, { spec: { size: 5 } }],
    ['json' as const, [{ op: 'replace', path: '/spec/size', value: 5 }]],
  ])('changes an object by a %s patch', async (type, value) => {
    const { world } = await worldWithThing();

    const object = resultObject(await patch(world, testCall(), type, bodyOf(value)));

    expect(object['spec']).toEqual({ size: 5, color: 'grey' });
  });

  it('warns of unknown fields', async () => {
    const { world } = await worldWithThing();
    const call = testCall();

    await patch(world, call, 'merge', bodyOf({ spec: { b: 1 } }));

    expect(call.warnings).toEqual(['unknown field "spec.b"']);
  });

  it.each([
    [
      'unknown fields when strict',
      { spec: { b: 1 } },
      422,
      /^ "" is invalid: patch: Invalid value: "\{.*\}": strict decoding error: unknown field "spec.b"$/,
    ],
    ['another uid', { metadata: { uid: 'y' } }, 422, /metadata.uid: Invalid value: "y": field is immutable/],
    ['another name', { metadata: { name: 'y' } }, 400, /does not match the name on the URL/],
    [
      'labels of the wrong type',
      { metadata: { labels: { a: 1 } } },
      422,
      /cannot unmarshal number into Go struct field/,
    ],
  ])('refuses %s', async (_, value, code, message) => {
    const { world } = await worldWithThing();
    const call = testCall(undefined, { fieldValidation: 'Strict' });

    await expect(patch(world, call, 'merge', bodyOf(value))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });
});

describe('apply', () => {
  it('creates what is not there, and changes what is', async () => {
    const world = await testWorld();

    const created = await apply(world, testCall(), thing({ size: 1 }), false);
    const changed = await apply(world, testCall(), thing({ size: 2 }), false);

    expect([created.code, changed.code, resultObject(changed)['spec']]).toEqual([201, 200, { size: 2, color: 'grey' }]);
  });

  it('refuses fields of others unless it takes them by force', async () => {
    const { world } = await worldWithThing();
    const call = testCall(undefined, { fieldManager: 'other' });

    await expect(apply(world, call, thing({ size: 7 }), false)).rejects.toMatchObject({ code: 409 });
    expect(resultObject(await apply(world, call, thing({ size: 7 }), true))['spec']).toMatchObject({ size: 7 });
  });

  it('refuses a uid for an object that is not there', async () => {
    const world = await testWorld();

    await expect(apply(world, testCall(), thing({}, { uid: 'u' }), false)).rejects.toMatchObject({
      code: 409,
      message: expect.stringContaining('uid mismatch: the provided object specified uid u'),
    });
  });
});

describe('an object that is being deleted', () => {
  it('goes with its last finalizer', async () => {
    const { world } = await worldWithThing({ finalizers: ['x.io/hold'] });
    await deleteObject(world, testCall(), {});

    await patch(world, testCall(), 'merge', bodyOf({ metadata: { finalizers: null } }));

    expect(world.store.get('test.example/things', 'home/x')).toBeUndefined();
  });

  it('gets no new finalizer', async () => {
    const { world } = await worldWithThing({ finalizers: ['x.io/hold'] });
    await deleteObject(world, testCall(), {});
    const more = bodyOf({ metadata: { finalizers: ['x.io/hold', 'x.io/more'] } });

    await expect(patch(world, testCall(), 'merge', more)).rejects.toMatchObject({
      code: 422,
      message: expect.stringContaining('found new finalizers []string{"x.io/more"}'),
    });
  });
});
