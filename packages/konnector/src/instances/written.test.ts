import type { UnknownObject } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { createWritten, trustMs } from './written.ts';

const version = (resourceVersion: string, uid = 'u1'): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'x', uid, resourceVersion },
});

function setup() {
  const clock = createManualClock();
  return { clock, written: createWritten(clock) };
}

describe('what was written', () => {
  it('counts until the cache has caught up', () => {
    const { written } = setup();
    written.put('x', version('10'));
    expect(written.newest('x', version('9'), true)).toEqual(version('10'));
    expect(written.isAhead('x')).toBe(true);
    expect(written.newest('x', version('10'), true)).toEqual(version('10'));
    expect(written.newest('x', version('9'), true)).toEqual(version('9'));
    expect(written.isAhead('x')).toBe(false);
    expect(written.size).toBe(0);
  });

  it('is older than what the cache got from somebody else since', () => {
    const { written } = setup();
    written.put('x', version('9'));
    expect(written.newest('x', version('100'), true)).toEqual(version('100'));
  });

  it('is there although the cache has never seen it', () => {
    const { written } = setup();
    written.put('x', version('10'));
    expect(written.newest('x', undefined, true)).toEqual(version('10'));
  });

  it('has an echo when the watch tells just that', () => {
    const { written } = setup();
    written.put('x', version('10'));
    expect(written.isEcho('x', version('9'))).toBe(false);
    expect(written.isEcho('x', version('10', 'u2'))).toBe(false);
    expect(written.isAhead('x')).toBe(true);
    expect(written.isEcho('x', version('10'))).toBe(true);
    expect(written.isAhead('x')).toBe(false);
    expect(written.isEcho('x', version('10'))).toBe(false);
  });

  it('has no echo while it is being deleted: that is news', () => {
    const { written } = setup();
    const { metadata, ...rest } = version('10');
    const going = { ...rest, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    written.put('x', going);
    expect(written.isEcho('x', going)).toBe(false);
  });

  it('is gone when the watch says so, unless that was another object', () => {
    const { written } = setup();
    written.put('x', version('10', 'u2'));
    written.deleted('x', 'u1');
    expect(written.newest('x', undefined, true)).toEqual(version('10', 'u2'));
    written.deleted('x', 'u2');
    expect(written.newest('x', undefined, true)).toBeUndefined();
  });

  it('is not believed for ever, as long as the cache is kept up to date', async () => {
    const { clock, written } = setup();
    written.put('x', version('10'));
    await clock.advance(trustMs);
    expect(written.newest('x', version('9'), false)).toEqual(version('10'));
    expect(written.newest('x', version('9'), true)).toEqual(version('9'));
  });

  it('is remembered without what no decision needs', () => {
    const { written } = setup();
    const answer = version('10');
    written.put('x', { ...answer, metadata: { ...answer.metadata, managedFields: [{}] } });
    expect(written.newest('x', undefined, true)).toEqual(answer);
  });

  it('leaves the word to the cache when versions cannot be compared', () => {
    const { written } = setup();
    written.put('x', version('abc'));
    expect(written.newest('x', version('xyz'), true)).toEqual(version('xyz'));
  });
});

describe('what is known to be gone', () => {
  it('is not believed to be there because a cache still shows it', async () => {
    const { clock, written } = setup();
    written.put('x', version('10'));
    written.gone('x', 'u1');
    expect(written.newest('x', version('9'), true)).toBeUndefined();
    await clock.advance(trustMs);
    expect(written.newest('x', version('9'), true)).toEqual(version('9'));
    expect(written.size).toBe(0);
  });

  it('does not hide its successor', () => {
    const { written } = setup();
    written.gone('x', 'u1');
    expect(written.newest('x', version('11', 'u2'), true)).toEqual(version('11', 'u2'));
  });

  it('is forgotten with the namespace it is in', () => {
    const { written } = setup();
    for (const key of ['a/x', 'a/y', 'ab/x']) written.put(key, version('10'));
    written.gone('a/z', 'u1');
    written.leave('a');
    expect([written.isAhead('a/x'), written.isAhead('a/z'), written.isAhead('ab/x')]).toEqual([false, false, true]);
    expect(written.size).toBe(1);
  });
});
