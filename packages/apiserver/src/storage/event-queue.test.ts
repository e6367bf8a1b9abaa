import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { EventQueue } from './event-queue.ts';
import { StoredEntry } from './stored-entry.ts';
import type { StoredEvent } from './types.ts';

function event(revision: number): StoredEvent {
  const entry = new StoredEntry('/things', 'n/a', revision, '{}', undefined);
  return { type: 'ADDED', revision, entry, previous: undefined };
}

describe('a queue of events', () => {
  it('does what an array does, in whatever order it is used', () => {
    const step = fc.constantFrom('push', 'push', 'push', 'shift', 'shift', 'pop');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.nat(100), (steps, since) => {
        const queue = new EventQueue();
        const model: StoredEvent[] = [];
        for (const [index, step] of steps.entries()) {
          const next = event(index);
          if (step === 'push') queue.push(next);
          if (step === 'push') model.push(next);
          if (step === 'shift') expect(queue.shift()).toBe(model.shift());
          if (step === 'pop') expect(queue.pop()).toBe(model.pop());
          expect([queue.length, queue.first, queue.last]).toEqual([model.length, model[0], model.at(-1)]);
        }
        expect(queue.after(since)).toEqual(model.filter(({ revision }) => revision > since));
      }),
    );
  });

  it('lets go of what was taken from it at once', async () => {
    const queue = new EventQueue();
    for (let revision = 1; revision <= 100; revision++) queue.push(event(revision));

    const taken = takeWeakly(queue);

    await expect.poll(() => collected(taken)).toBe(true);
    expect(queue.length).toBe(99);
  });
});

/** A function of its own, so that no variable holds the event. */
function takeWeakly(queue: EventQueue): WeakRef<object> {
  return new WeakRef(queue.shift() ?? {});
}

function collected(reference: WeakRef<object>): boolean {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return reference.deref() === undefined;
}
