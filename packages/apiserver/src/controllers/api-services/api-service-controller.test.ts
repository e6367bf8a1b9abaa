import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningController } from '../context.ts';
import { testType } from '../testing/test-types.ts';
import { type TestContext, testWorld, type TestWorld } from '../testing/test-world.ts';
import { startApiServiceController } from './api-service-controller.ts';

let cluster: TestWorld;
let stop: AbortController;
let context: TestContext;
let controller: RunningController;

const settle = () => controller.loop.idle();
const serve = async (isServed: boolean) => {
  const type = testType('ex.io', 'things', 'Thing', { builtIn: false });
  cluster.world.registry.replace(type.bucket, isServed ? [type] : []);
  context.typeChanges.announce();
  await settle();
};

beforeEach(async () => {
  cluster = await testWorld();
  stop = new AbortController();
  context = cluster.context(stop.signal);
  controller = startApiServiceController(context);
  await settle();
});

afterEach(async () => {
  stop.abort();
  await controller.loop.stop();
});

describe('API services', () => {
  it('are there for every group and version but their own', () => {
    expect(cluster.keys('apiservices')).toEqual(
      [
        '/v1.',
        '/v1.authentication.k8s.io',
        '/v1.example.org',
        '/v1.rbac.authorization.k8s.io',
        '/v1.apiextensions.k8s.io',
      ].sort(),
    );
  });

  it('come and go with custom kinds', async () => {
    await serve(true);
    expect(cluster.read('apiservices', 'v1.ex.io')?.['spec']).toEqual({
      group: 'ex.io',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 100,
    });

    await serve(false);
    expect(cluster.read('apiservices', 'v1.ex.io')).toBeUndefined();
  });

  it('come back when somebody deletes them', async () => {
    await cluster.remove('apiservices', 'v1.');
    await settle();

    expect(cluster.read('apiservices', 'v1.')).toBeDefined();
  });

  it('are not written again while nothing changes', async () => {
    const { revision } = cluster.store;
    context.typeChanges.announce();
    await settle();

    expect(cluster.store.revision).toBe(revision);
  });
});
