import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base62 } from './base62.ts';

const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

describe('base62', () => {
  it.each([
    [[], '0'],
    [[0], '0'],
    [[9], '9'],
    [[10], 'a'],
    [[35], 'z'],
    [[36], 'A'],
    [[61], 'Z'],
    [[62], '10'],
    [[1, 0], '48'],
    [[0, 0, 62], '10'],
  ])('writes bytes %j as %s', (bytes, text) => {
    expect(base62(Uint8Array.from(bytes))).toBe(text);
  });

  it('can be read back as the same number', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 28 }), (bytes) => {
        const read = base62(bytes)
          .split('')
          .reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n);

        expect(read).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
      }),
    );
  });
});
