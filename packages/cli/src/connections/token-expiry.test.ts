import { describe, expect, it } from 'vitest';
import { tokenExpiry } from './token-expiry.ts';

const token = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

describe('the end of a token', () => {
  it('is what the token says', () => {
    expect(tokenExpiry(token({ exp: 1_800_000_000 }))?.toISOString()).toBe('2027-01-15T08:00:00.000Z');
  });

  it.each([['opaque'], ['a.b'], ['a.###.c'], [token({})], [token({ exp: 'soon' })], [token(null)]])(
    'is unknown of %j',
    (text) => {
      expect(tokenExpiry(text)).toBeUndefined();
    },
  );
});
