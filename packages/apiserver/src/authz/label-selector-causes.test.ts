import { describe, expect, it } from 'vitest';

import { selectorCauses } from './label-selector-causes.ts';

describe('a label selector', () => {
  it('may have prefixed keys and empty values', () => {
    expect(selectorCauses({ matchLabels: { 'example.org/name': '', a_b: 'C-1.x' } }, 'selector')).toEqual([]);
  });

  it.each([
    ['a/b/c', 'a valid label key must consist of alphanumeric'],
    ['/b', 'prefix part must be non-empty'],
    ['A_b/c', 'prefix part a lowercase RFC 1123 subdomain'],
    ['a/', 'name part must be non-empty'],
    ['x'.repeat(64), 'name part must be no more than 63 bytes'],
  ])('must not have the key %s', (key, problem) => {
    const [cause] = selectorCauses({ matchLabels: { [key]: 'v' } }, 'selector');
    expect(cause).toMatchObject({ field: 'selector.matchLabels', reason: 'FieldValueInvalid' });
    expect(cause?.message).toContain(problem);
  });

  it('must not have a value of more than 63 bytes', () => {
    expect(selectorCauses({ matchLabels: { a: 'x'.repeat(63) } }, 's')).toEqual([]);
    expect(selectorCauses({ matchLabels: { a: 'x'.repeat(64) } }, 's')).toEqual([
      {
        field: 's.matchLabels',
        reason: 'FieldValueInvalid',
        message: `Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`,
      },
    ]);
  });
});
