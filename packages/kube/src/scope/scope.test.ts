import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { type Scope, scope } from './scope.ts';
import { whenAborted } from './when-aborted.ts';

const until = (signal: AbortSignal) => whenAborted(signal);
const isPending = async (promise: Promise<unknown>) => {
  const other = Symbol('other');
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(other)])) === other;
};

describe('a scope', () => {
  it.each<[string, (parent: AbortController, own: Scope) => void]>([
    ['its parent ends', (parent) => parent.abort('over')],
    ['it is ended', (_, own) => own.end('over')],
  ])('ends when %s, and its children with it', async (_, end) => {
    const parent = new AbortController();
    const own = scope(parent.signal);
    const child = own.child().child();
    const reasons = Promise.all(
      [own, child].map((each) => each.run(async (signal) => (await until(signal), signal.reason))),
    );
    expect(await isPending(own.ended)).toBe(true);
    end(parent, own);
    expect(await reasons).toEqual(['over', 'over']);
    await own.ended;
    expect([own.isOver, child.isOver]).toEqual([true, true]);
  });

  it('goes on when work in it is done', async () => {
    const own = scope();
    expect(await own.run(() => 42)).toBe(42);
    expect(await isPending(own.ended)).toBe(true);
    own.end();
    await own.ended;
    expect(own.signal.reason).toMatchObject({ name: 'AbortError' });
  });

  it('awaits work that is slow to end', async () => {
    const own = scope();
    let finish = () => {};
    void own.run(() => new Promise<void>((resolve) => (finish = resolve)));
    own.end();
    expect(await isPending(own.ended)).toBe(true);
    finish();
    await own.ended;
  });

  it('awaits work that ends it at once', async () => {
    const own = scope();
    let finish = () => {};
    void own.run(() => {
      own.end();
      return new Promise<void>((resolve) => (finish = resolve));
    });
    expect(await isPending(own.ended)).toBe(true);
    finish();
    await own.ended;
  });

  it('ends with the first failure, awaits the others and rejects with it', async () => {
    const own = scope();
    const failure = new Error('first');
    const other = own.run(async (signal) => {
      await until(signal);
      throw new Error('second', { cause: signal.reason });
    });
    await expect(own.run(() => Promise.reject(failure))).rejects.toBe(failure);
    expect(own.signal.reason).toBe(failure);
    await expect(own.ended).rejects.toBe(failure);
    await expect(other).rejects.toMatchObject({ message: 'second', cause: failure });
  });

  it('fails with what its work throws at once', async () => {
    const own = scope();
    void own.run(() => {
      throw new Error('at once');
    });
    await expect(own.ended).rejects.toThrow('at once');
  });

  it('ends with the failure of a child while other work of the child is slow to end', async () => {
    const own = scope();
    const child = own.child();
    let finish = () => {};
    void child.run(() => new Promise<void>((resolve) => (finish = resolve)));
    await expect(child.run(() => Promise.reject(new Error('of the child')))).rejects.toThrow();
    expect(own.signal.reason).toMatchObject({ message: 'of the child' });
    expect(await isPending(own.ended)).toBe(true);
    finish();
    await expect(own.ended).rejects.toThrow('of the child');
  });

  it('fails with its child', async () => {
    const own = scope();
    const sibling = own.child();
    void own.child().run(() => Promise.reject(new Error('of the child')));
    await expect(own.ended).rejects.toThrow('of the child');
    await sibling.ended;
    expect(sibling.signal.reason).toMatchObject({ message: 'of the child' });
  });

  it('does not count what fails after its end', async () => {
    const own = scope();
    void own.run(async (signal) => {
      await until(signal);
      throw new Error('late');
    });
    own.end();
    await own.ended;
  });

  it('starts nothing when it is over', async () => {
    const own = scope(AbortSignal.abort('over'));
    const work = vi.fn();
    await expect(own.run(work)).rejects.toBe('over');
    expect(work).not.toHaveBeenCalled();
    const child = own.child();
    expect([child.isOver, child.signal.reason]).toEqual([true, 'over']);
    await Promise.all([own.ended, child.ended]);
  });

  it('is one listener of its parent while it goes on, and none after', async () => {
    const parent = new AbortController();
    const listeners = () => getEventListeners(parent.signal, 'abort').length;
    const own = scope(parent.signal);
    for (let i = 0; i < 20; i++) own.child();
    expect(listeners()).toBe(1);
    own.end();
    expect(listeners()).toBe(0);
    await own.ended;
  });

  it('lets many listen to its signal without a warning', async () => {
    const warned = vi.fn();
    process.on('warning', warned);
    const own = scope();
    for (let i = 0; i < 20; i++) own.signal.addEventListener('abort', () => {});
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warned);
    expect(warned).not.toHaveBeenCalled();
  });
});
