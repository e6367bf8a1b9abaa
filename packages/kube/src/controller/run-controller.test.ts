import { describe, expect, it, vi } from 'vitest';
import { createWorkQueue } from '../queue/work-queue.ts';
import { heldReconcile, setup } from './controller.fixture.ts';
import type { Enqueue, Source } from './source.ts';

describe('starting', () => {
  it('reconciles nothing before every source is ready', async () => {
    const seen: string[] = [];
    const gates: (() => void)[] = [];
    const source = (key: string): Source => ({
      start: (enqueue) => {
        enqueue(key);
        return new Promise((resolve) => {
          gates.push(resolve);
        });
      },
    });
    const { clock, controller, stop } = setup({
      reconcile: (key) => void seen.push(key),
      sources: [source('a'), source('b')],
    });

    gates[0]?.();
    await clock.advance(1_000);
    expect(seen).toEqual([]);
    gates[1]?.();
    await controller.ready;
    await clock.advance(0);
    expect(seen).toEqual(['a', 'b']);
    stop.abort();
    await controller.stopped;
  });

  it('passes on priority and delay of a source, also after it is ready', async () => {
    const seen: string[] = [];
    let enqueue: Enqueue = () => {};
    const source: Source = {
      start: async (given) => {
        enqueue = given;
        enqueue('usual');
        enqueue('urgent', { priority: 1 });
        enqueue('later', { afterMs: 500 });
      },
    };
    const { clock } = setup({ reconcile: (key) => void seen.push(key), sources: [source] });

    await clock.advance(0);
    expect(seen).toEqual(['urgent', 'usual']);
    enqueue('now');
    await clock.advance(500);
    expect(seen).toEqual(['urgent', 'usual', 'now', 'later']);
  });

  it('ends with the error of a source that cannot start, and stops the other sources', async () => {
    let other: AbortSignal | undefined;
    const failure = new Error('no such resource');
    const sources: Source[] = [
      {
        start: (_enqueue, signal) => {
          other = signal;
          return new Promise(() => {});
        },
      },
      {
        start: () => {
          throw failure;
        },
      },
    ];
    const { controller } = setup({ reconcile: () => {}, sources });

    await expect(controller.ready).rejects.toBe(failure);
    await expect(controller.stopped).rejects.toBe(failure);
    expect(other?.aborted).toBe(true);
  });

  it('is not ready but stopped when it is stopped while a source is starting', async () => {
    const { controller, stop } = setup({
      reconcile: () => {},
      sources: [{ start: () => new Promise(() => {}) }],
    });

    stop.abort();
    await expect(controller.ready).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    await expect(controller.stopped).resolves.toBeUndefined();
  });

  it('starts no source when its signal is aborted from the beginning', async () => {
    const start = vi.fn();
    const { controller } = setup({ reconcile: () => {}, sources: [{ start }], signal: AbortSignal.abort() });

    await controller.stopped;
    await expect(controller.ready).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    expect(start).not.toHaveBeenCalled();
  });
});

describe('working', () => {
  it('runs as many reconciles at a time as there are workers, never two for a key', async () => {
    const { calls, reconcile } = heldReconcile();
    const { clock, controller } = setup({ reconcile, workers: 2 });
    for (const key of ['a', 'b', 'c']) controller.enqueue(key);
    await clock.advance(0);
    controller.enqueue('a');
    await clock.advance(0);
    expect(calls.map((call) => call.key)).toEqual(['a', 'b']);

    calls[1]?.finish();
    await clock.advance(0);
    expect(calls.map((call) => call.key)).toEqual(['a', 'b', 'c']);
    calls[2]?.finish();
    await clock.advance(0);
    expect(calls).toHaveLength(3);
    calls[0]?.finish();
    await clock.advance(0);
    expect(calls.map((call) => call.key)).toEqual(['a', 'b', 'c', 'a']);
  });

  it('uses the queue it is given', async () => {
    const seen: string[] = [];
    const queue = createWorkQueue({ name: 'mine' });
    queue.add('a');
    const { controller, clock, stop } = setup({ reconcile: (key) => void seen.push(key), queue });

    await clock.advance(0);
    expect(seen).toEqual(['a']);
    stop.abort();
    await controller.stopped;
    expect(await queue.take()).toBeUndefined();
  });

  it('looks again after the time a reconcile asks for', async () => {
    const at: number[] = [];
    const { clock, controller, outcomes } = setup({
      reconcile: () => {
        at.push(clock.now());
        return at.length < 3 ? { requeueAfter: 5_000 } : undefined;
      },
    });
    controller.enqueue('a');

    await clock.advance(60_000);
    expect(at).toEqual([0, 5_000, 10_000]);
    expect(outcomes).toEqual(['test requeue', 'test requeue', 'test success']);
  });

  it.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY])(
    'counts a wish to look again after %s ms as a failure, instead of spinning',
    async (requeueAfter) => {
      const { clock, controller, outcomes } = setup({ reconcile: async () => ({ requeueAfter }) });
      controller.enqueue('a');

      await clock.advance(99);
      expect(outcomes).toEqual(['test error']);
    },
  );
});
