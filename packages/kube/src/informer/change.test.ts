import { describe, expect, it } from 'vitest';
import { compareVersions } from './change.ts';

describe('compareVersions', () => {
  it.each([
    ['10', '9', 'newer'],
    ['9', '10', 'older'],
    ['123456789012345678901', '123456789012345678900', 'newer'],
    ['7', '7', 'same'],
    ['opaque', 'opaque', 'same'],
    ['opaque', '7', 'unknown'],
    ['007', '7', 'unknown'],
    [undefined, '7', 'unknown'],
    ['7', '', 'unknown'],
  ])('%s against %s is %s', (a, b, order) => {
    expect(compareVersions(a, b)).toBe(order);
  });
});
