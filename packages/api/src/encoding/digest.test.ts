import { describe, expect, it } from 'vitest';
import { fnv1a32Hex, sha224Base62 } from './digest.ts';

describe('digests of the Go components', () => {
  it('gives SHA-224 in base 62', () => {
    expect(sha224Base62('8c7cda57-b8d1-4ca8-9a3d-28fdedb20d5c')).toBe('aIhhekZ47GCaICL7bGr4OMAqYpNFi5Ybh0mKqQ');
  });

  it.each([
    ['', '811c9dc5'],
    ['a', 'e40c292c'],
    ['foobar', 'bf9cf968'],
    ['servicebindings', 'f3d49c0a'],
  ])('gives FNV-1a of %j', (text, hex) => {
    expect(fnv1a32Hex(text)).toBe(hex);
  });

  it('always gives eight digits of FNV-1a', () => {
    const digests = Array.from({ length: 2000 }, (_, index) => fnv1a32Hex(`name-${index}`));

    expect(digests.some((digest) => digest.startsWith('0'))).toBe(true);
    expect(digests.every((digest) => /^[0-9a-f]{8}$/.test(digest))).toBe(true);
  });
});
