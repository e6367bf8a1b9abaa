import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunningController } from '../context.ts';
import { testWorld, type TestWorld } from '../testing/test-world.ts';
import { startEventExpiryController } from './event-expiry-controller.ts';

const minute = 60_000;
let cluster: TestWorld;
let stop: AbortController;
let controller: RunningController;

const start = () => {
  stop = new AbortController();
  controller = startEventExpiryController(cluster.context(stop.signal));
};

const pass = async (milliseconds: number) => {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await controller.loop.idle();
};

const happen = (name: string) => cluster.create('events', { name, namespace: 'one' });

beforeEach(async () => {
  cluster = await testWorld();
  await cluster.create('namespaces', { name: 'one' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  start();
  await controller.loop.idle();
});

afterEach(async () => {
  stop.abort();
  await controller.loop.stop();
  vi.useRealTimers();
});

describe('an event', () => {
  it('is forgotten after an hour, and not before', async () => {
    await happen('a');
    await pass(55 * minute);
    expect(cluster.keys('events')).toEqual(['one/a']);

    await pass(10 * minute);
    expect(cluster.keys('events')).toEqual([]);
  });

  it('is forgotten after an hour also when the server was not there all the time', async () => {
    await happen('a');
    stop.abort();
    await controller.loop.stop();
    vi.setSystemTime(Date.now() + 61 * minute);

    start();
    await controller.loop.idle();

    expect(cluster.keys('events')).toEqual([]);
  });

  it('does not take others with it', async () => {
    await happen('old');
    await pass(30 * minute);
    await happen('young');
    await pass(35 * minute);

    expect(cluster.keys('events')).toEqual(['one/young']);
  });
});
