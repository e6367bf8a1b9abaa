import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createSlots } from './slots.ts';

const freshSignal = () => new AbortController().signal;

describe('slots', () => {
  it('let in as many as there are, the others in the order they came', async () => {
    const signal = freshSignal();
    const slots = createSlots(2);
    const order: string[] = [];
    const enter = async (name: string) => {
      const release = await slots.take(signal);
      order.push(name);
      return release;
    };
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(enter);
    await Promise.all([a, b]);
    expect(order).toEqual(['a', 'b']);
    (await b)?.();
    await c;
    (await a)?.();
    await d;
    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are given back once, however often that is said', async () => {
    const signal = freshSignal();
    const slots = createSlots(1);
    const release = await slots.take(signal);
    release();
    release();
    await slots.take(signal);
    let entered = false;
    void slots.take(signal).then(() => {
      entered = true;
    });
    await new Promise(setImmediate);
    expect(entered).toBe(false);
  });

  it('pass over whoever gave up waiting', async () => {
    const signal = freshSignal();
    const slots = createSlots(1);
    const release = await slots.take(signal);
    const impatient = new AbortController();
    const left = slots.take(impatient.signal);
    const stayed = slots.take(signal);
    impatient.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    await expect(slots.take(impatient.signal)).rejects.toThrow('enough');
    release();
    (await stayed)();
    await slots.take(signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
