import { describe, expect, it } from 'vitest';

import { qualifiedNameProblems, labelValueProblems } from './name-rules.ts';

const long = (length: number) => 'x'.repeat(length);

describe('the key of a label', () => {
  it.each(['a', 'A', '1', 'a-b_c.D', 'example.com/a', 'a/b', long(63), `${long(253)}/a`, 'a.b-c.d/E_f'])(
    'may be %s',
    (key) => {
      expect(qualifiedNameProblems(key)).toEqual([]);
    },
  );

  it.each([
    ['', ['name part must be non-empty', 'name part must consist of']],
    ['-a', ['name part must consist of']],
    ['a-', ['name part must consist of']],
    ['a b', ['name part must consist of']],
    ['a\n', ['name part must consist of']],
    ['ä', ['name part must consist of']],
    [long(64), ['name part must be no more than 63 bytes']],
    ['ä'.repeat(32), ['name part must be no more than 63 bytes', 'name part must consist of']],
    ['/a', ['prefix part must be non-empty']],
    ['Example.com/a', ['prefix part a lowercase RFC 1123 subdomain']],
    ['a..b/a', ['prefix part a lowercase RFC 1123 subdomain']],
    [`${long(254)}/a`, ['prefix part must be no more than 253 bytes']],
    ['a_b/-', ['prefix part a lowercase RFC 1123 subdomain', 'name part must consist of']],
    ['a/b/c', ['a valid label key must consist of']],
  ])('may not be %j', (key, problems) => {
    const found = qualifiedNameProblems(key);

    expect(found).toHaveLength(problems.length);
    for (const [index, problem] of problems.entries())
      expect(found[index]?.startsWith(problem), found[index]).toBe(true);
  });
});

describe('the value of a label', () => {
  it.each(['', 'a', '1', 'A-b_c.d', long(63)])('may be %j', (value) => {
    expect(labelValueProblems(value)).toEqual([]);
  });

  it.each([
    ['-', ['a valid label must be an empty string or consist of']],
    ['a/b', ['a valid label must be an empty string or consist of']],
    ['a ', ['a valid label must be an empty string or consist of']],
    [long(64), ['must be no more than 63 bytes']],
    [`${long(64)}-`, ['must be no more than 63 bytes', 'a valid label must be an empty string or consist of']],
  ])('may not be %j', (value, problems) => {
    const found = labelValueProblems(value);

    expect(found).toHaveLength(problems.length);
    for (const [index, problem] of problems.entries())
      expect(found[index]?.startsWith(problem), found[index]).toBe(true);
  });
});
