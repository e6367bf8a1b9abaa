import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { keyRange, SortedEntries } from './sorted-entries.ts';
import { StoredEntry } from './stored-entry.ts';

const entry = (key: string, revision = 1) => new StoredEntry('/things', key, revision, '{}', undefined);
const keysOf = (entries: readonly { key: string }[]) => entries.map(({ key }) => key);

function filledWith(keys: readonly string[]): SortedEntries {
  const entries = new SortedEntries();
  for (const key of keys) entries.set(entry(key));
  return entries;
}

describe('sorted entries', () => {
  it('finds what was put there and nothing else', () => {
    const entries = filledWith(['a/1', 'a/3']);

    expect(entries.get('a/1')?.key).toBe('a/1');
    expect(entries.get('a/2')).toBeUndefined();
    expect(entries.get('b')).toBeUndefined();
    expect(new SortedEntries().get('a')).toBeUndefined();
  });

  it('replaces an entry of the same key', () => {
    const entries = filledWith(['a/1']);

    entries.set(entry('a/1', 7));

    expect(entries.size).toBe(1);
    expect(entries.get('a/1')?.revision).toBe(7);
  });

  it('keeps a namespace apart from one whose name starts the same', () => {
    const entries = filledWith(['a/x', 'a-b/x', 'ab/x', 'a/y', '/x']);

    expect(keysOf(entries.scan(keyRange('a')))).toEqual(['a/x', 'a/y']);
    expect(keysOf(entries.scan(keyRange('')))).toEqual(['/x']);
    expect(keysOf(entries.scan(keyRange(undefined)))).toEqual(['/x', 'a-b/x', 'a/x', 'a/y', 'ab/x']);
  });

  it('starts after a key that is not there, or lies outside the namespace', () => {
    const entries = filledWith(['a/1', 'a/3', 'b/1']);

    expect(keysOf(entries.scan(keyRange('a', 'a/2')))).toEqual(['a/3']);
    expect(keysOf(entries.scan(keyRange('b', 'a/2')))).toEqual(['b/1']);
    expect(keysOf(entries.scan(keyRange('a', 'b/2')))).toEqual([]);
  });

  it('does the same as a sorted array, whatever comes in and goes out', () => {
    const key = fc
      .tuple(fc.constantFrom('', 'a', 'a-b', 'b'), fc.integer({ min: 0, max: 300 }))
      .map(([n, i]) => `${n}/${i}`);
    const step = fc.record({ key, put: fc.boolean() });
    const range = fc.record({
      namespace: fc.option(fc.constantFrom('', 'a', 'a-b', 'b', 'c'), { nil: undefined }),
      after: fc.option(key, { nil: undefined }),
      limit: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), range, (steps, { namespace, after, limit }) => {
        const entries = new SortedEntries();
        const model = new Set<string>();
        for (const { key, put } of steps) {
          if (put) entries.set(entry(key));
          else entries.delete(key);
          if (put) model.add(key);
          else model.delete(key);
        }
        const wanted = [...model]
          .sort()
          .filter(
            (key) =>
              (namespace === undefined || key.startsWith(`${namespace}/`)) && (after === undefined || key > after),
          )
          .slice(0, limit);
        expect(keysOf(entries.scan(keyRange(namespace, after, limit)))).toEqual(wanted);
        expect(entries.size).toBe(model.size);
      }),
    );
  });

  it('stays sorted through many times the length of a run, in any order', () => {
    const count = SortedEntries.RUN_LENGTH * 8;
    const keys = Array.from({ length: count }, (_, index) => `n/${String((index * 7919) % count).padStart(6, '0')}`);
    const entries = filledWith(keys);

    const sorted = [...keys].sort();
    expect(keysOf(entries.scan(keyRange(undefined)))).toEqual(sorted);
    for (const key of keys.slice(0, count / 2)) entries.delete(key);
    expect(keysOf(entries.scan(keyRange(undefined)))).toEqual(keys.slice(count / 2).sort());
    expect(keysOf(entries.scan(keyRange('n', sorted[count / 2], 3))).length).toBe(3);
  });
});
