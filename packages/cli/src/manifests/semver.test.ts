import { describe, expect, it } from 'vitest';
import { compareSemver, parseSemver } from './semver.ts';

describe('compareSemver', () => {
  // The order that semver.org gives, and a few more.
  const ascending = [
    'v0.9.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    'v1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    'v1.0.0',
    '1.2.0',
    'v1.10.0',
  ];
  const pairs = ascending.flatMap((a, i) => ascending.map((b, j) => [a, b, Math.sign(i - j)] as const));

  it.each(pairs)('of %s and %s is %d', (a, b, order) => {
    expect(compareSemver(parse(a), parse(b))).toBe(order);
  });

  it('does not look at build numbers', () => {
    expect(compareSemver(parse('1.0.0+a'), parse('v1.0.0+b'))).toBe(0);
  });
});

describe('parseSemver', () => {
  it.each(['', 'latest', '1.2', 'v1', '1.2.3.4', 'x1.2.3', '1.2.3-'])('does not take %j for a version', (text) => {
    expect(parseSemver(text)).toBeUndefined();
  });
});

function parse(text: string) {
  const version = parseSemver(text);
  if (version === undefined) throw new Error(`${text} is no version`);
  return version;
}
