import { describe, expect, it } from 'vitest';
import { create } from './create.ts';
import { bodyOf, resultObject, testCall, testWorld, thing, thingResource } from './testing/test-world.ts';

describe('create', () => {
  it('stores what was sent, with defaults, system fields and owners', async () => {
    const world = await testWorld();

    const result = await create(world, testCall(), thing({ size: 1 }));

    expect(result.code).toBe(201);
    expect(resultObject(result)).toMatchObject({
      metadata: {
        name: 'x',
        namespace: 'home',
        generation: 1,
        creationTimestamp: '2030-01-02T03:04:05Z',
        managedFields: [{ manager: 'tester', operation: 'Update' }],
      },
      spec: { size: 1, color: 'grey' },
    });
    expect(world.store.get('test.example/things', 'home/x')?.object()).toEqual(resultObject(result));
  });

  it('writes custom resources in the order of their keys', async () => {
    const world = await testWorld();
    await create(world, testCall(), thing({ size: 1, color: 'red' }));

    const json = world.store.get('test.example/things', 'home/x')?.json ?? '';

    expect(json).toContain('"spec":{"color":"red","size":1}');
    expect(json).toMatch(/^\{"apiVersion":"test.example\/v1","kind":"Thing","metadata":/);
  });

  it('ignores a status and what only the server sets', async () => {
    const world = await testWorld();
    const sent = thing(
      {},
      { uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z', deletionTimestamp: '2001-01-01T00:00:00Z' },
    );
    (sent.value as { status?: object }).status = { phase: 'Up' };

    const object = resultObject(await create(world, testCall(), sent));

    expect(object['status']).toBeUndefined();
    expect(object.metadata.uid).not.toBe('mine');
    expect(object.metadata.creationTimestamp).toBe('2030-01-02T03:04:05Z');
    expect(object.metadata.deletionTimestamp).toBeUndefined();
  });

  it('stores nothing under dry run', async () => {
    const world = await testWorld();

    const result = await create(world, testCall(undefined, { dryRun: true }), thing());

    expect(result.code).toBe(201);
    expect(world.store.count('test.example/things')).toBe(0);
  });

  it('completes a generated name', async () => {
    const world = await testWorld();
    const body = bodyOf({ apiVersion: 'test.example/v1', kind: 'Thing', metadata: { generateName: 'made-' } });

    const object = resultObject(await create(world, testCall(undefined, { name: undefined as never }), body));

    expect(object.metadata.name).toMatch(/^made-.{5}$/);
  });

  it.each([
    ['a second one', 409, 'things.test.example "x" already exists', thing(), {}],
    ['a namespace that is not there', 404, 'namespaces "away" not found', thing(), { namespace: 'away' }],
    [
      'another namespace than that of the path',
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
      thing({}, { namespace: 'other' }),
      {},
    ],
    [
      'a resource version',
      500,
      'resourceVersion should not be set on objects to be created',
      thing({}, { name: 'y', resourceVersion: '1' }),
      {},
    ],
    [
      'bad content',
      422,
      expect.stringContaining('spec.size: Invalid value: -1'),
      thing({ size: -1 }, { name: 'y' }),
      {},
    ],
    [
      'no name',
      422,
      'Thing.test.example "" is invalid: metadata.name: Required value: name or generateName is required',
      bodyOf({ apiVersion: 'test.example/v1', kind: 'Thing' }),
      {},
    ],
    [
      'what etcd would not store',
      500,
      'etcdserver: request is too large',
      { ...thing({ color: 'x'.repeat(1_600_000) }, { name: 'y' }), bytes: Buffer.alloc(1_600_000) },
      {},
    ],
  ])('refuses %s', async (_, code, message, body, more) => {
    const world = await testWorld();
    await create(world, testCall(), thing());

    await expect(create(world, testCall(undefined, more), body)).rejects.toMatchObject({ code, message });
  });

  it('refuses new objects in a namespace that is being deleted', async () => {
    const world = await testWorld();
    const metadata = { name: 'home', deletionTimestamp: '2030-01-01T00:00:00Z' };
    await world.store.commit({
      bucket: '/namespaces',
      key: '/home',
      object: { apiVersion: 'v1', kind: 'Namespace', metadata },
    });

    await expect(create(world, testCall(), thing())).rejects.toMatchObject({
      code: 403,
      message:
        'things.test.example "x" is forbidden: unable to create new content in namespace home because it is being terminated',
    });
  });

  it('refuses new objects of a kind that is being deleted', async () => {
    const world = await testWorld();
    const bucket = 'apiextensions.k8s.io/customresourcedefinitions';
    const metadata = { name: 'things.test.example', deletionTimestamp: '2030-01-01T00:00:00Z' };
    const object = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata };
    await world.store.commit({ bucket, key: '/things.test.example', object });

    await expect(create(world, testCall(), thing())).rejects.toMatchObject({
      code: 403,
      message:
        'things.test.example "x" is forbidden: create not allowed while custom resource definition is terminating',
    });
  });

  it('loses what the stored version does not know', async () => {
    const storageSchema = thingResource().schema;
    const resource = thingResource({ schema: undefined, storageSchema });
    const world = await testWorld(resource);

    const object = resultObject(await create(world, testCall(resource), thing({ size: 1, extra: true })));

    expect(object['spec']).toEqual({ size: 1 });
  });

  it('asks whether the user may write this very object', async () => {
    const world = await testWorld();
    const admit = () => {
      throw new Error('not this one');
    };

    await expect(create({ ...world, admit }, testCall(), thing())).rejects.toThrow('not this one');
  });
});
