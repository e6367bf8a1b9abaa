import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LoopOptions, runLoop } from './run-loop.ts';

/** A loop whose handler ends when the test says so. */
function controlledLoop(options: Partial<LoopOptions> = {}) {
  const started: string[] = [];
  const failed: { key: string; error: unknown }[] = [];
  const open = new Map<string, { finish: () => void; fail: (error: Error) => void }>();
  const loop = runLoop({
    handle: (key) => {
      started.push(key);
      return new Promise((finish, fail) => open.set(key, { finish, fail }));
    },
    onFailure: (key, error) => failed.push({ key, error }),
    ...options,
  });
  return { loop, started, failed, open };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a loop', () => {
  it('handles a key once however often it is added before its turn', async () => {
    const { loop, started } = controlledLoop();
    for (const key of ['a', 'b', 'a', 'a']) loop.add(key);
    expect(started).toEqual([]);
    await turn();
    expect(started).toEqual(['a', 'b']);
  });

  it('handles a key again when it is added while being handled, but not at the same time', async () => {
    const { loop, started, open } = controlledLoop();
    loop.add('a');
    await turn();
    loop.add('a');
    await turn();
    expect(started).toEqual(['a']);
    open.get('a')?.finish();
    await turn();
    await turn();
    expect(started).toEqual(['a', 'a']);
  });

  it('handles no more keys at a time than it is wide', async () => {
    const { loop, started, open } = controlledLoop({ width: 2 });
    for (const key of ['a', 'b', 'c']) loop.add(key);
    await turn();
    expect(started).toEqual(['a', 'b']);
    open.get('b')?.finish();
    await turn();
    await turn();
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('is idle when no key is being handled or waits', async () => {
    const { loop, open } = controlledLoop();
    expect(loop.isIdle).toBe(true);
    await loop.idle();
    loop.add('a');
    expect(loop.isIdle).toBe(false);
    let isIdle = false;
    const idle = loop.idle().then(() => {
      isIdle = true;
    });
    await turn();
    await turn();
    expect(isIdle).toBe(false);
    open.get('a')?.finish();
    await idle;
    expect(loop.isIdle).toBe(true);
  });

  it('starts nothing more when told to stop, and waits for what is under way', async () => {
    const { loop, started, open } = controlledLoop({ width: 1 });
    loop.add('a');
    loop.add('b');
    await turn();
    let hasStopped = false;
    const stopped = loop.stop().then(() => {
      hasStopped = true;
    });
    loop.add('c');
    await turn();
    expect(hasStopped).toBe(false);
    open.get('a')?.finish();
    await stopped;
    await turn();
    expect(started).toEqual(['a']);
  });

  it('has stopped at once when nothing is under way, also a second time', async () => {
    const { loop, started } = controlledLoop();
    loop.add('a');
    await loop.stop();
    loop.add('b');
    await loop.stop();
    await turn();
    expect(started).toEqual([]);
  });

  it('does not report or retry what fails after it was told to stop', async () => {
    const { loop, open, failed } = controlledLoop();
    loop.add('a');
    await turn();
    const stopped = loop.stop();
    open.get('a')?.fail(new Error('cut off'));
    await stopped;
    expect(failed).toEqual([]);
  });

  it('treats a handler that throws at once as one that fails', async () => {
    const failed: unknown[] = [];
    const loop = runLoop({
      handle: () => {
        throw new Error('at once');
      },
      onFailure: (_, error) => failed.push(error),
    });
    loop.add('a');
    await loop.idle();
    expect(failed).toEqual([new Error('at once')]);
    await loop.stop();
  });

  it('handles every key after its last addition, whatever the order of events', async () => {
    const step = fc.oneof(
      fc.constantFrom('a', 'b', 'c').map((key) => ({ do: 'add' as const, key })),
      fc.constantFrom('a', 'b', 'c').map((key) => ({ do: 'finish' as const, key })),
      fc.constant({ do: 'turn' as const, key: '' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 3 }), async (steps, width) => {
        const { loop, started, open } = controlledLoop({ width });
        const due = new Set<string>();
        const seen = () => {
          for (const key of started.splice(0)) due.delete(key);
        };
        for (const { do: what, key } of steps) {
          if (what === 'add') loop.add(key);
          if (what === 'finish') open.get(key)?.finish();
          if (what === 'turn') await turn();
          seen();
          if (what === 'add') due.add(key);
        }
        for (let turns = 0; turns < 20; turns++) {
          for (const { finish } of open.values()) finish();
          await turn();
          seen();
        }
        expect([...due]).toEqual([]);
        expect(loop.isIdle).toBe(true);
      }),
    );
  });
});

describe('a loop and time', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('tries a failed key again, later each time up to a limit', async () => {
    const { loop, started, failed, open } = controlledLoop({ firstRetry: 10, longestRetry: 30 });
    loop.add('a');
    await vi.advanceTimersByTimeAsync(0);
    for (const delay of [10, 20, 30, 30]) {
      const before = started.length;
      open.get('a')?.fail(new Error('no'));
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect(started).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(2);
      expect(started).toHaveLength(before + 1);
    }
    expect(failed).toHaveLength(4);
    expect(failed[0]?.key).toBe('a');
  });

  it('starts with short delays again after a success', async () => {
    const { loop, started, open } = controlledLoop({ firstRetry: 10 });
    loop.add('a');
    await vi.advanceTimersByTimeAsync(0);
    open.get('a')?.fail(new Error('no'));
    await vi.advanceTimersByTimeAsync(11);
    open.get('a')?.finish();
    await vi.advanceTimersByTimeAsync(0);
    loop.add('a');
    await vi.advanceTimersByTimeAsync(0);
    open.get('a')?.fail(new Error('no'));
    await vi.advanceTimersByTimeAsync(11);
    expect(started).toHaveLength(4);
  });

  it('is idle while keys wait for a time, and handles them then', async () => {
    const { loop, started } = controlledLoop();
    loop.addAfter('a', 100);
    expect(loop.isIdle).toBe(true);
    await vi.advanceTimersByTimeAsync(99);
    expect(started).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(started).toEqual(['a']);
  });

  it('lets the earlier of several times count', async () => {
    const { loop, started } = controlledLoop();
    loop.addAfter('a', 100);
    loop.addAfter('a', 200);
    loop.addAfter('b', 200);
    loop.addAfter('b', 100);
    await vi.advanceTimersByTimeAsync(101);
    expect(started).toEqual(['a', 'b']);
    await vi.advanceTimersByTimeAsync(500);
    expect(started).toEqual(['a', 'b']);
  });

  it('does not wait for the time of a key that is added meanwhile', async () => {
    const { loop, started } = controlledLoop();
    loop.addAfter('a', 100);
    loop.add('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(500);
    expect(started).toEqual(['a']);
  });

  it('leaves no timer behind when told to stop', async () => {
    const { loop } = controlledLoop();
    loop.addAfter('a', 100);
    const stopped = loop.stop();
    loop.addAfter('b', 100);
    await stopped;
    expect(vi.getTimerCount()).toBe(0);
  });
});
