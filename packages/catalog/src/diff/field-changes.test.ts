import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../model/catalogue.ts';
import { stepsOf, withValueAt } from '../preview/field-path.ts';
import { fieldChanges } from './field-changes.ts';

const names = fc.constantFrom('a', 'b', 'c.d', 'e/f');
const leaves: fc.Arbitrary<Json> = fc.oneof(fc.integer(), fc.constant([1]));
const trees = fc.dictionary(names, fc.oneof(leaves, fc.dictionary(names, leaves))) as fc.Arbitrary<JsonObject>;

describe('the fields in which two values differ', () => {
  it('are added, changed and removed', () => {
    const [before, after] = [
      { a: 1, b: { x: 1, y: [1] } },
      { b: { x: 2, y: [1, 2] }, 'c.d': {} },
    ];
    expect(fieldChanges(before, after)).toEqual([
      { path: 'a', before: 1 },
      { path: 'b.x', before: 1, after: 2 },
      { path: 'b.y', before: [1], after: [1, 2] },
      { path: '[c.d]', after: {} },
    ]);
  });

  it('lead from one to the other, where nothing is removed', () => {
    fc.assert(
      fc.property(trees, trees, (before, over) => {
        const after = merged(before, over);
        const reached = fieldChanges(before, after).reduce<Json | undefined>(
          (value, change) => withValueAt(value, stepsOf(change.path) ?? [], change.after ?? null),
          before,
        );
        expect(reached).toEqual(after);
      }),
    );
  });

  it('are the same in both directions', () => {
    fc.assert(
      fc.property(trees, trees, (a, b) => {
        const paths = (changes: typeof forth) => changes.map(({ path }) => path).sort();
        const forth = fieldChanges(a, b);
        expect(paths(fieldChanges(b, a))).toEqual(paths(forth));
        expect(fieldChanges(a, structuredClone(a))).toEqual([]);
      }),
    );
  });
});

function merged(below: JsonObject, over: JsonObject): JsonObject {
  const isTree = (value: Json | undefined): value is JsonObject => typeof value === 'object' && !Array.isArray(value);
  return Object.fromEntries(
    [...new Set([...Object.keys(below), ...Object.keys(over)])].map((name) => {
      const [a, b] = [below[name], over[name]];
      return [name, isTree(a) && isTree(b) ? { ...a, ...b } : (b ?? a ?? null)];
    }),
  );
}
