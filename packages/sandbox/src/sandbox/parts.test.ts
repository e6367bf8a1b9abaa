import { describe, expect, it } from 'vitest';
import { createParts } from './parts.ts';

describe('parts of a sandbox', () => {
  it('end after what rests on them, the latest first', async () => {
    const ended: string[] = [];
    const part = (name: string) => async () => ({ stop: async () => void ended.push(name) });
    const parts = createParts(() => {});
    await parts.add(part('first'));
    await parts.addLast(part('last'));
    await parts.add(part('second'));
    let finish: () => void = () => {};
    parts.watch(
      new Promise<void>((resolve) => {
        finish = resolve;
      }).then(() => void ended.push('watched')),
    );
    const over = parts.end();
    finish();
    await over;
    expect(ended).toEqual(['watched', 'second', 'first', 'last']);
    parts.throwIfFailed();
  });

  it('call for the end of all when one fails, and the first failure is told', async () => {
    let calls = 0;
    const ended: string[] = [];
    const parts = createParts(() => void calls++);
    await parts.add(async () => ({ stop: async () => void ended.push('server') }));
    await parts.add(async () => ({ stop: () => Promise.reject(new Error('stuck')) }));
    parts.watch(Promise.reject(new Error('broken')));
    await parts.end();
    expect(calls).toBe(1);
    expect(ended).toEqual(['server']);
    expect(() => parts.throwIfFailed()).toThrow('broken');
  });

  it('that cannot start are nobody’s to end', async () => {
    const parts = createParts(() => {});
    await expect(parts.add(() => Promise.reject(new Error('no port')))).rejects.toThrow('no port');
    await parts.end();
    parts.throwIfFailed();
  });
});
