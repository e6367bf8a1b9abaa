import { describe, expect, it } from 'vitest';

import { parseBearerToken } from './bearer-token.ts';

const warning = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

describe('an Authorization header', () => {
  // What kube-apiserver 1.35.4 makes of each.
  it.each([
    ['Bearer t', { token: 't' }],
    ['bearer t', { token: 't' }],
    ['BEARER t', { token: 't' }],
    ['  Bearer t  ', { token: 't' }],
    ['Bearer t trailing', { token: 't' }],
    ['Bearer  t', { token: undefined, warning }],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['', undefined],
    ['t', undefined],
    ['Basic YTpi', undefined],
    ['Bearert t', undefined],
  ])('%j carries %j', (header, expected) => {
    expect(parseBearerToken(header)).toEqual(expected);
  });
});
