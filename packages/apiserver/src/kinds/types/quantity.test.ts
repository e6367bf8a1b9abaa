import { describe, expect, it } from 'vitest';
import { canonicalQuantity, wholeAmount } from './quantity.ts';

describe('canonicalQuantity', () => {
  it.each([
    ['0', '0'],
    ['0Ki', '0'],
    ['0m', '0'],
    ['1', '1'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['1.5', '1500m'],
    ['1000', '1k'],
    ['1500', '1500'],
    ['1000000', '1M'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['0.1m', '100u'],
    ['100n', '100n'],
    ['1500k', '1500k'],
    ['-1500m', '-1500m'],
    ['1P', '1P'],
    ['123456789k', '123456789k'],
    ['99999999999999999999', '99999999999999999999'],
  ])('writes the decimal amount %s as %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each([
    ['1Ki', '1Ki'],
    ['1024Ki', '1Mi'],
    ['1536Ki', '1536Ki'],
    ['1.5Gi', '1536Mi'],
    ['1025Mi', '1025Mi'],
    ['2048Pi', '2Ei'],
    ['-0.5Gi', '-512Mi'],
  ])('writes the binary amount %s as %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each([
    ['0.5Ki', '512'],
    ['1.1Ki', '1126400m'],
    ['0.15Mi', '157286400m'],
    ['0.1Ki', '102400m'],
  ])('does not round %s, which powers of two cannot say, but writes %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each([
    ['1e3', '1e3'],
    ['1500e0', '1500e0'],
    ['30e2', '3e3'],
    ['1e-3', '1e-3'],
    ['12e6', '12e6'],
  ])('keeps the exponent of %s as %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each(['496.993', '1.374m', '2.0e-2', '1E3', '1e+3', '+1'])(
    'leaves %s, which looks canonical to Kubernetes',
    (text) => {
      expect(canonicalQuantity(text)).toBe(text);
    },
  );

  it.each([
    ['0.0000000001', '1n'],
    ['5e-10', '1e-9'],
  ])('rounds %s up to the smallest amount there is, %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each(['', 'x', '1x', '1 Gi', '--1', '1e', '1K', '1ki', '1..2', '1Gi1'])('takes %j for no quantity', (text) => {
    expect(canonicalQuantity(text)).toBeUndefined();
  });
});

describe('wholeAmount', () => {
  it.each([
    ['0', 0n],
    ['5', 5n],
    ['1k', 1000n],
    ['2Ki', 2048n],
    ['3e3', 3000n],
    ['1500m', 2n],
    ['1n', 1n],
    ['-2', -2n],
    ['1E', 10n ** 18n],
  ])('%s is %s', (text, amount) => {
    expect(wholeAmount(text)).toBe(amount);
  });
});
