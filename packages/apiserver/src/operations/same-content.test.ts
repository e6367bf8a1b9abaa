import * as fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../objects/api-object.ts';
import { sameContent } from './same-content.ts';

const object = (spec: unknown, metadata: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'x', ...metadata },
  spec,
});

const owner = (time: string, manager = 'me') => ({ manager, operation: 'Update', apiVersion: 'v1', time });

describe('sameContent', () => {
  it.each([
    ['a version', { resourceVersion: '1' }, { resourceVersion: '2' }, true],
    ['the time of an owner', { managedFields: [owner('a')] }, { managedFields: [owner('b')] }, true],
    ['an owner', { managedFields: [owner('a')] }, { managedFields: [owner('a', 'you')] }, false],
    ['a field that is undefined', { labels: undefined }, {}, true],
    ['a label', { labels: { a: '1' } }, { labels: { a: '2' } }, false],
    ['a field that others inherit', { labels: { toString: '1' } }, { labels: { a: '1' } }, false],
    ['no list of owners', { managedFields: [] }, {}, true],
  ])('judges states that differ in %s', (_, one, other, verdict) => {
    expect(sameContent(object({}, one), object({}, other))).toBe(verdict);
    expect(sameContent(object({}, other), object({}, one))).toBe(verdict);
  });

  it('tells lists from objects, and null from nothing', () => {
    expect(sameContent(object([]), object({}))).toBe(false);
    expect(sameContent(object({ a: null }), object({}))).toBe(false);
    expect(sameContent(object(null), object({}))).toBe(false);
  });

  it('agrees with comparing what the JSON of both says', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const pair = fc.oneof(
      fc.tuple(value, value),
      value.map((one) => [one, structuredClone(one)] as const),
    );
    fc.assert(
      fc.property(pair, ([one, other]) => {
        const parsed = [one, other].map((side) => JSON.parse(JSON.stringify(side)) as unknown);
        expect(sameContent(object(one), object(other))).toBe(isDeepStrictEqual(parsed[0], parsed[1]));
      }),
    );
  });
});
