import { describe, expect, it } from 'vitest';
import { createMemoryLine, type MarkStore } from './memory-line.fixture.ts';

describe('a line', () => {
  it('gives stamps that are stored, and knows them as its own, also for the next process', async () => {
    const store: MarkStore = {};
    const first = createMemoryLine(store);
    const stamp = await first.reserve();
    expect(stamp).toMatch(/^[\w-]+:1$/);
    expect(first.judge(stamp)).toBe('here');

    const next = createMemoryLine(store);
    expect(next.judge(stamp)).toBe('here');
    expect(await next.reserve()).toMatch(/:2$/);
    expect(next.judge(stamp)).toBe('here');
    expect(await next.confirm(stamp, next.timesSetBack())).toBe(true);
  });

  it('knows nothing of copies without a stamp', async () => {
    const line = createMemoryLine();
    await line.reserve();
    expect(line.judge(undefined)).toBe('unknown');
    expect(line.judge('nonsense')).toBe('unknown');
    expect(await line.confirm(undefined, 0)).toBe(false);
  });

  it('gives those who ask while a stamp is taken the next one, together', async () => {
    const line = createMemoryLine();
    const [first, ...others] = await Promise.all([line.reserve(), line.reserve(), line.reserve(), line.reserve()]);
    expect(first).toMatch(/:1$/);
    expect(new Set(others).size).toBe(1);
    expect(others[0]).toMatch(/:2$/);
  });

  it('promises the stamp that it stores next, also while it stores one', async () => {
    const store: MarkStore = {};
    const line = createMemoryLine(store);
    expect(line.promise()).toBeUndefined();
    await line.reserve();

    const promised = [line.promise(), line.promise(), line.promise()];
    expect(promised.map((stamp) => stamp?.split(':')[1])).toEqual(['2', '3', '3']);
    expect(promised.map((stamp) => line.judge(stamp))).toEqual(['elsewhere', 'elsewhere', 'elsewhere']);
    expect(await line.reserve()).toBe(promised[2]);
    expect(promised.map((stamp) => line.judge(stamp))).toEqual(['here', 'here', 'here']);
    expect(store.mark?.count).toBe(3);
  });

  it('gives no stamp in a cluster that went back before all of it was read anew', async () => {
    const store: MarkStore = {};
    let finish = () => {};
    const relisted = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const line = createMemoryLine(store, () => relisted);
    await line.reserve();
    const backup = store.mark;
    const lost = await line.reserve();
    store.mark = backup;

    await expect(line.reserve()).rejects.toMatchObject({ code: 'KUBE_CONFLICT' });
    expect(line.promise()).toBeUndefined();
    let given: string | undefined;
    const asked = line.reserve().then((stamp) => {
      given = stamp;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(given).toBeUndefined();
    finish();
    await asked;
    expect(line.judge(given)).toBe('here');
    expect(line.judge(lost)).toBe('elsewhere');
    expect(line.timesSetBack()).toBe(1);
  });

  it('confirms nothing of which it was asked before the cluster went back', async () => {
    const store: MarkStore = {};
    const line = createMemoryLine(store);
    const stamp = await line.reserve();
    const backup = store.mark;
    await line.reserve();
    const before = line.timesSetBack();
    store.mark = backup;

    expect(await line.confirm(stamp, before)).toBe(false);
    expect(await line.confirm(stamp, line.timesSetBack())).toBe(true);
  });

  it('goes on beside others who write the same mark', async () => {
    const store: MarkStore = {};
    const [one, other] = [createMemoryLine(store), createMemoryLine(store)];
    const stamps = [await one.reserve(), await other.reserve(), await one.reserve(), await other.reserve()];
    await Promise.all([one.look(), other.look()]);
    for (const stamp of stamps) expect([one.judge(stamp), other.judge(stamp)]).toEqual(['here', 'here']);
    expect([one.timesSetBack(), other.timesSetBack()]).toEqual([0, 0]);
  });
});
