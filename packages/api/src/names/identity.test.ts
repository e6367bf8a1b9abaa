import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clusterId, goIdentity, sessionEntropy, sessionId } from './identity.ts';

describe('the id of an app cluster', () => {
  it('is the one the Go CLI computes', () => {
    expect(clusterId('8c7cda57-b8d1-4ca8-9a3d-28fdedb20d5c')).toBe('aIhhek');
  });

  it('becomes part of the identity that the Go backend records', () => {
    expect(goIdentity('lab-user', 'aIhhek')).toBe('lab-user#aIhhek');
  });
});

describe('the id of a login', () => {
  it('is six characters that need no encoding in a URL', () => {
    expect(sessionId(randomBytes(sessionEntropy))).toMatch(/^[0-9A-Za-z]{6}$/);
    expect(sessionId(new Uint8Array(sessionEntropy))).toBe('000000');
  });

  it('differs from login to login', () => {
    const ids = Array.from({ length: 1000 }, () => sessionId(randomBytes(sessionEntropy)));

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is refused when there is too little randomness', () => {
    expect(() => sessionId(randomBytes(8))).toThrow(RangeError);
  });
});
