import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testType } from '../testing/test-types.ts';
import { type TestContext, testWorld, type TestWorld } from '../testing/test-world.ts';
import { storedTypes } from './stored-types.ts';
import { watchTypes } from './watch-types.ts';

let cluster: TestWorld;
let stop: AbortController;
let context: TestContext;
let heard: string[];

const serve = (resource: string, isServed: boolean) => {
  const type = testType('ex.io', resource, resource);
  cluster.world.registry.replace(type.bucket, isServed ? [type] : []);
  context.typeChanges.announce();
};

beforeEach(async () => {
  heard = [];
  stop = new AbortController();
  cluster = await testWorld();
  await cluster.create('namespaces', { name: 'one' });
  context = cluster.context(stop.signal);
  watchTypes(context, storedTypes(cluster.world.registry), {
    wanted: ({ namespaced, resource }) => namespaced && resource !== 'events',
    onEvent: ({ type, entry }) => heard.push(`${type} ${entry.bucket} ${entry.key}`),
    onAdded: ({ bucket }) => heard.push(`added ${bucket}`),
    onRemoved: (bucket) => heard.push(`removed ${bucket}`),
  });
});

afterEach(() => stop.abort());

describe('a watch of types', () => {
  it('hears of objects of wanted types only', async () => {
    await cluster.create('configmaps', { name: 'a', namespace: 'one' });
    await cluster.create('events', { name: 'a', namespace: 'one' });
    await cluster.create('zones', { name: 'a' });
    await cluster.remove('configmaps', 'a', 'one');
    expect(heard).toEqual(['ADDED /configmaps one/a', 'DELETED /configmaps one/a']);
  });

  it('follows types that come and go', async () => {
    serve('things', true);
    serve('others', true);
    await cluster.create('things', { name: 'a', namespace: 'one' });
    serve('others', false);
    serve('others', false);
    expect(heard).toEqual([
      'added ex.io/things',
      'added ex.io/others',
      'ADDED ex.io/things one/a',
      'removed ex.io/others',
    ]);
  });

  it('hears of each object once when its type is served anew', async () => {
    serve('things', true);
    serve('things', false);
    serve('things', true);
    heard = [];
    await cluster.create('things', { name: 'a', namespace: 'one' });
    expect(heard).toEqual(['ADDED ex.io/things one/a']);
  });

  it('ends with the signal', async () => {
    stop.abort();
    serve('things', true);
    await cluster.create('things', { name: 'a', namespace: 'one' });
    await cluster.create('configmaps', { name: 'a', namespace: 'one' });
    expect(heard).toEqual([]);
  });
});
