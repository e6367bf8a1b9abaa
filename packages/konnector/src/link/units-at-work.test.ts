import { describe, expect, it } from 'vitest';
import type { Parts } from './parts.ts';
import { createUnitsAtWork } from './units-at-work.ts';

/** Parts whose units end when they are told to. */
function endingParts() {
  const ends: ((error?: Error) => void)[] = [];
  const runInstances = () => {
    const stopped = new Promise<void>((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve()));
    });
    stopped.catch(() => {});
    return { ready: Promise.resolve(), stopped, update: () => {}, stillUses: () => false };
  };
  return { parts: { runInstances } as unknown as Parts, ends };
}

const of = (uid: string) => ({ api: { binding: { uid } } }) as Parameters<Parts['runInstances']>[0];
const settled = async (promise: Promise<void>) =>
  await Promise.race([promise.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))]);

describe('units at work', () => {
  it('are waited for until the last one of a binding has ended, well or not', async () => {
    const { parts, ends } = endingParts();
    const work = createUnitsAtWork();
    const known = work.known(parts);
    for (const uid of ['a', 'a', 'b']) known.runInstances(of(uid));
    const ended = work.ended('a');

    ends[0]?.();
    expect(await settled(ended)).toBe(false);
    ends[1]?.(new Error('lost'));
    expect(await settled(ended)).toBe(true);

    expect(await settled(work.ended('a'))).toBe(true);
    expect(await settled(work.ended('b'))).toBe(false);
    expect(await settled(work.ended('unknown'))).toBe(true);
  });
});
