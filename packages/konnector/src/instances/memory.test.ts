import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '@klutch/kube';
import { createMemory, isOver } from './memory.ts';
import type { Seen } from './seen.ts';

describe('memory', () => {
  it('is empty for a key of which nothing is known, and takes no room for it', () => {
    const memory = createMemory();
    expect(memory.of('a')).toEqual({});
    memory.change('a', { announced: undefined });
    expect(memory.size).toBe(0);
  });

  it('keeps what is not mentioned and drops what becomes undefined', () => {
    const memory = createMemory();
    memory.change('a', { changedUp: 1, announced: 'x' });
    memory.change('a', { announced: undefined });
    expect(memory.of('a')).toEqual({ changedUp: 1 });
    memory.change('a', { changedUp: undefined });
    expect(memory.size).toBe(0);
  });

  it('forgets', () => {
    const memory = createMemory();
    memory.change('a', { changedUp: 1 });
    memory.forget('a');
    expect([...memory.entries()]).toEqual([]);
  });
});

describe('what is known of a key', () => {
  const object: UnknownObject = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } };
  const at = { state: 'at', ref: { name: 'x' }, ending: false } as const;
  const unread = { state: 'unknown' } as const;
  const nowhere = { state: 'unknown', namespace: 'team-a' } as const;
  const waiting = { state: 'waiting', since: new Date(0) } as const;
  const refused = { state: 'refused', problem: 'moved' } as const;

  it.each<readonly [string, Pick<Seen, 'app' | 'place' | 'copy'>, boolean]>([
    ['there is an original', { app: object, place: at, copy: { state: 'known', object: undefined } }, false],
    ['there is a copy', { app: undefined, place: at, copy: { state: 'known', object } }, false],
    ['there may be a copy', { app: undefined, place: at, copy: unread }, false],
    ['there is neither', { app: undefined, place: at, copy: { state: 'known', object: undefined } }, true],
    ['there is no original, and never was a place for a copy', { app: undefined, place: nowhere, copy: unread }, true],
    ['there is no original, and there may be a place', { app: undefined, place: waiting, copy: unread }, false],
    ['there is no original, and a copy may be elsewhere', { app: undefined, place: refused, copy: unread }, false],
  ])('is of no use any more, or is, when %s', (_, seen, expected) => {
    expect(isOver(seen)).toBe(expected);
  });
});
