import type { UnknownObject } from '@klutch/kube';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameStatus, statusPatch, wantedStatus, withoutOwnCondition } from './status-patch.ts';

const now = new Date('2026-01-31T12:00:00.500Z');
const problem = { reason: 'Rejected', message: 'Too big.' };
const ready = { type: 'Ready', status: 'True' };
const ours = { type: 'KlutchSynced', status: 'False', ...problem, lastTransitionTime: '2026-01-31T12:00:00Z' };

const objectWith = (status?: unknown): UnknownObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  metadata: { name: 'w', uid: 'u' },
  ...(status === undefined ? {} : { status }),
});

describe('the status an original should show', () => {
  it('is that of the copy while all is well, even if it has a condition of our type', () => {
    const status = { conditions: [ready, ours] };
    expect(wantedStatus(status, undefined, undefined, now)).toBe(status);
    expect(wantedStatus(undefined, { old: 1 }, undefined, now)).toBeUndefined();
  });

  it.each<[string, unknown, unknown]>([
    ['no status', undefined, { conditions: [ours] }],
    ['a status without conditions', { a: 1 }, { a: 1, conditions: [ours] }],
    ['conditions of the provider', { conditions: [ready] }, { conditions: [ready, ours] }],
    ['a condition of our type', { conditions: [{ ...ours, message: 'x' }, ready] }, { conditions: [ready, ours] }],
    ['something else than conditions', { conditions: 'many' }, { conditions: 'many' }],
    ['something else than an object', 'fine', 'fine'],
  ])('adds our condition to %s', (_, base, expected) => {
    expect(wantedStatus(base, undefined, problem, now)).toEqual(expected);
  });

  it('keeps the time of a condition that stays the same, and only then', () => {
    const earlier = { ...ours, lastTransitionTime: '2025-01-01T00:00:00Z' };
    expect(wantedStatus({}, { conditions: [earlier] }, problem, now)).toEqual({ conditions: [earlier] });
    const other = { ...problem, message: 'Too small.' };
    expect(wantedStatus({}, { conditions: [earlier] }, other, now)).toMatchObject({
      conditions: [{ message: 'Too small.', lastTransitionTime: '2026-01-31T12:00:00Z' }],
    });
  });
});

describe('a status without our condition', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, undefined],
    ['others only', { conditions: [ready] }, { conditions: [ready] }],
    ['others too', { conditions: [ready, ours] }, { conditions: [ready] }],
    ['ours only', { conditions: [ours] }, undefined],
    ['ours only, and a field', { a: 1, conditions: [ours] }, { a: 1 }],
  ])('of %s', (_, status, expected) => {
    expect(withoutOwnCondition(status)).toEqual(expected);
  });
});

describe('the patch of a status', () => {
  it('names the object it is for', () => {
    expect(statusPatch(objectWith(), { a: 1 })).toEqual({ metadata: { uid: 'u' }, status: { a: 1 } });
  });

  it('removes what is gone, replaces lists, and leaves the rest out', () => {
    const current = { a: 1, b: { c: 1, d: 2 }, list: [1, 2], same: [{ x: 1 }] };
    const wanted = { b: { d: 3 }, list: [1], same: [{ x: 1 }] };
    expect(statusPatch(objectWith(current), wanted)).toMatchObject({
      status: { a: null, b: { c: null, d: 3 }, list: [1] },
    });
  });

  it('removes the whole status with null', () => {
    expect(statusPatch(objectWith({ a: 1 }), undefined)).toMatchObject({ status: null });
  });

  it.each<[string, unknown, unknown]>([
    ['the same', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['nothing for an empty status', {}, undefined],
    ['a field without a value', { a: 1 }, { a: 1, b: null }],
  ])('is not needed for %s', (_, current, wanted) => {
    expect(statusPatch(objectWith(current), wanted)).toBeUndefined();
  });

  it('turns any status into any other', () => {
    const anyStatus = fc.object({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as object);
    fc.assert(
      fc.property(anyStatus, anyStatus, (from, to) => {
        const patch = statusPatch(objectWith(from), to) as { status: unknown } | undefined;
        const after = patch ? merge(structuredClone(from), patch.status) : from;
        expect(isSameStatus(after, to)).toBe(true);
      }),
    );
  });
});

/** RFC 7386, as an API server carries it out. */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  const result: Record<string, unknown> = isObject ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else
      Object.defineProperty(result, key, property(merge(Object.hasOwn(result, key) ? result[key] : undefined, value)));
  }
  return result;
}

const property = (value: unknown) => ({ value, enumerable: true, configurable: true, writable: true });
