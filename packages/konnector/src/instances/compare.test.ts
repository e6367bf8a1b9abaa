import type { UnknownObject } from '@klutch/kube';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortfall } from './compare.ts';

const objectOf = (spec: unknown, metadata: object = {}): UnknownObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  metadata: { name: 'w', ...metadata },
  spec,
});

describe('a copy holds what is wanted', () => {
  it.each<[string, unknown, unknown]>([
    ['when it is the same', { a: 1, b: ['x'] }, { a: 1, b: ['x'] }],
    ['when others added fields', { a: 1 }, { a: 1, resourceRef: { name: 'x' } }],
    ['when others added fields deep inside', { a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 1, d: 2 }] } }],
    ['when a wanted field has no value', { a: null }, {}],
    ['in whatever order the keys are', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ])('%s', (_, wanted, actual) => {
    expect(shortfall(objectOf(wanted), objectOf(actual))).toBeUndefined();
  });

  it('when others own it too', () => {
    const owner = { apiVersion: 'v1', kind: 'Namespace', name: 'x', uid: 'u1' };
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'y', uid: 'u2' };
    const wanted = objectOf({}, { ownerReferences: [owner] });
    expect(shortfall(wanted, objectOf({}, { ownerReferences: [other, owner] }))).toBeUndefined();
    expect(shortfall(wanted, objectOf({}, { ownerReferences: [other] }))).toBeDefined();
  });
});

describe('a copy falls short', () => {
  it.each<[string, unknown, unknown]>([
    ['with another value', { a: 1 }, { a: 2 }],
    ['with another type', { a: 1 }, { a: '1' }],
    ['without a field', { a: { b: 1 } }, { a: {} }],
    ['with a list that is longer', { a: ['x'] }, { a: ['x', 'y'] }],
    ['with a list in another order', { a: ['x', 'y'] }, { a: ['y', 'x'] }],
    ['with an object for a list', { a: [] }, { a: {} }],
    ['with false for nothing', { a: false }, {}],
    ['with a key that every object inherits', { constructor: 'x' }, {}],
  ])('%s', (_, wanted, actual) => {
    expect(shortfall(objectOf(wanted), objectOf(actual))).toBeDefined();
  });

  it('with other labels or annotations', () => {
    const wanted = objectOf({}, { labels: { a: '1' }, annotations: { b: '2' } });
    expect(shortfall(wanted, objectOf({}, { labels: { a: '1' }, annotations: { b: '3' } }))).toBeDefined();
    expect(shortfall(wanted, objectOf({}, { annotations: { b: '2' } }))).toBeDefined();
    expect(shortfall(wanted, objectOf({}, { labels: { a: '1', z: '9' }, annotations: { b: '2' } }))).toBeUndefined();
  });

  it('each time in the same words, and in others when something else is missing', () => {
    const wanted = objectOf({ a: 1, b: 2 });
    const one = shortfall(wanted, objectOf({ a: 1 }));
    expect(shortfall(wanted, objectOf({ a: 1, other: 3 }))).toBe(one);
    expect(shortfall(wanted, objectOf({ b: 2 }))).not.toBe(one);
    expect(shortfall(wanted, objectOf({ a: 1, b: 3 }))).not.toBe(one);
  });
});

it('whatever is wanted is held by itself and by everything that has more', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 4 }), fc.string({ minLength: 1 }), (spec, field) => {
      const wanted = JSON.parse(JSON.stringify(spec)) as object;
      expect(shortfall(objectOf(wanted), objectOf(wanted))).toBeUndefined();
      const more = field in wanted ? wanted : { ...wanted, [field]: 1 };
      expect(shortfall(objectOf(wanted), objectOf(more))).toBeUndefined();
    }),
  );
});
