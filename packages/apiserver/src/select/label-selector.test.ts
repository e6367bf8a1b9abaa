import { describe, expect, it } from 'vitest';

import { everything, labelSelectorFrom, nothing, type LabelSelectorObject } from './label-selector.ts';

describe('a label selector in an object', () => {
  it('selects nothing when absent and everything when empty', () => {
    expect(labelSelectorFrom(undefined).matches({ a: '1' })).toBe(false);
    expect(labelSelectorFrom({}).matches(undefined)).toBe(true);
    expect(labelSelectorFrom({ matchLabels: {}, matchExpressions: [] }).isEmpty).toBe(true);
    expect(nothing.isEmpty).toBe(false);
    expect(everything.isEmpty).toBe(true);
  });

  it('wants all labels and expressions to hold', () => {
    const selector = labelSelectorFrom({
      matchLabels: { app: 'x' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['a', 'b'] },
        { key: 'zone', operator: 'NotIn', values: ['z'] },
        { key: 'owner', operator: 'Exists' },
        { key: 'gone', operator: 'DoesNotExist', values: [] },
      ],
    });

    expect(selector.matches({ app: 'x', tier: 'b', owner: '' })).toBe(true);
    expect(selector.matches({ app: 'x', tier: 'b', owner: '', zone: 'z' })).toBe(false);
    expect(selector.matches({ app: 'x', tier: 'c', owner: '' })).toBe(false);
    expect(selector.matches({ app: 'x', tier: 'b' })).toBe(false);
    expect(selector.matches({ app: 'x', tier: 'b', owner: '', gone: '' })).toBe(false);
    expect(selector.toString()).toBe('app=x,!gone,owner,tier in (a,b),zone notin (z)');
  });

  it.each<[LabelSelectorObject, string]>([
    [
      { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] },
      '"Gt" is not a valid label selector operator',
    ],
    [{ matchExpressions: [{ key: 'a', operator: 'toString' }] }, '"toString" is not a valid label selector operator'],
    [
      { matchExpressions: [{ key: 'a', operator: 'In' }] },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] },
      'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
    ],
    [{ matchLabels: { '/a': 'x' } }, 'key: Invalid value: "/a": prefix part must be non-empty'],
  ])('%j is refused with the text of Kubernetes', (object, message) => {
    expect(() => labelSelectorFrom(object)).toThrow(expect.objectContaining({ code: 400, message }));
  });
});
