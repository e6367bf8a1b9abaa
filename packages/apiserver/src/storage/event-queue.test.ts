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
});
