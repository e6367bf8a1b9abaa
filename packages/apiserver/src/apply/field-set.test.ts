import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  difference,
  differenceWithBelow,
  type FieldSet,
  fieldSet,
  hasPath,
  intersection,
  listPaths,
  NO_FIELDS,
  setOfOne,
  union,
} from './field-set.ts';
import { describePath } from './path-element.ts';

const names = (set: FieldSet) => listPaths(set).map(describePath);

/** Sets of few short paths, so that they often have some in common. */
const path = fc.array(fc.constantFrom('f:a', 'f:b', 'k:{"n":1}', 'v:"x"'), { minLength: 1, maxLength: 3 });
const paths = fc.array(path, { maxLength: 6 });
const setOf = (list: readonly string[][]) => list.map(setOfOne).reduce(union, NO_FIELDS);
const anySet = paths.map(setOf);
const equal = (left: FieldSet, right: FieldSet) => expect(names(left)).toEqual(names(right));

describe('a set of fields', () => {
  it('knows the paths it was made of, and no other', () => {
    const set = fieldSet('spec', 'metadata.labels', 'spec.size');
    expect(names(set)).toEqual(['.spec', '.metadata.labels', '.spec.size']);
    expect(hasPath(set, ['f:metadata', 'f:labels'])).toBe(true);
    expect(hasPath(set, ['f:metadata'])).toBe(false);
    expect(hasPath(set, ['f:spec', 'f:size', 'f:deeper'])).toBe(false);
    expect(hasPath(set, [])).toBe(false);
  });

  it('has no empty paths', () => {
    expect(setOfOne([])).toBe(NO_FIELDS);
  });

  it('lists paths that end at a level before those that go deeper', () => {
    const set = setOf([['f:b', 'f:c'], ['f:z'], ['f:b'], ['f:a', 'f:c']]);
    expect(names(set)).toEqual(['.b', '.z', '.a.c', '.b.c']);
  });
});

describe('difference', () => {
  const whole = fieldSet('a', 'a.b', 'a.b.c', 'd');

  it('removes just the paths themselves', () => {
    expect(names(difference(whole, fieldSet('a', 'a.b')))).toEqual(['.d', '.a.b.c']);
  });

  it('with what is below removes whole branches', () => {
    expect(names(differenceWithBelow(whole, fieldSet('a.b')))).toEqual(['.a', '.d']);
    expect(names(differenceWithBelow(whole, fieldSet('a')))).toEqual(['.d']);
  });

  it('returns the same set when nothing goes', () => {
    expect(difference(whole, fieldSet('x', 'a.x', 'a.b.c.d'))).toBe(whole);
    expect(differenceWithBelow(whole, fieldSet('x'))).toBe(whole);
  });

  it('leaves no empty branches', () => {
    expect(difference(fieldSet('a.b.c'), fieldSet('a.b.c')).size).toBe(0);
    expect(intersection(fieldSet('a.b.c'), fieldSet('a.b.d')).size).toBe(0);
  });
});

describe('the algebra of sets', () => {
  it('holds for membership', () => {
    fc.assert(
      fc.property(anySet, anySet, path, (left, right, one) => {
        const inLeft = hasPath(left, one);
        const inRight = hasPath(right, one);
        expect(hasPath(union(left, right), one)).toBe(inLeft || inRight);
        expect(hasPath(intersection(left, right), one)).toBe(inLeft && inRight);
        expect(hasPath(difference(left, right), one)).toBe(inLeft && !inRight);
      }),
    );
  });

  it('has the usual laws', () => {
    fc.assert(
      fc.property(anySet, anySet, anySet, (a, b, c) => {
        equal(union(a, b), union(b, a));
        equal(intersection(a, b), intersection(b, a));
        equal(union(a, union(b, c)), union(union(a, b), c));
        equal(intersection(a, union(b, c)), union(intersection(a, b), intersection(a, c)));
        equal(difference(a, union(b, c)), difference(difference(a, b), c));
        equal(union(difference(a, b), intersection(a, b)), a);
        equal(union(a, a), a);
        equal(difference(a, a), NO_FIELDS);
      }),
    );
  });

  it('removes exactly what has a removed path above it', () => {
    fc.assert(
      fc.property(anySet, anySet, path, (left, right, one) => {
        const isCovered = one.some((_, index) => hasPath(right, one.slice(0, index + 1)));
        expect(hasPath(differenceWithBelow(left, right), one)).toBe(hasPath(left, one) && !isCovered);
      }),
    );
  });

  it('never changes its operands', () => {
    fc.assert(
      fc.property(anySet, anySet, (left, right) => {
        const before = [names(left), names(right)];
        for (const operation of [union, intersection, difference, differenceWithBelow]) operation(left, right);
        expect([names(left), names(right)]).toEqual(before);
      }),
    );
  });
});
