import { describe, expect, it } from 'vitest';
import { type FormOrigin, formToken, refuseForgery } from './forgery.ts';

const key = new Uint8Array(32).fill(3);
const expected = formToken(key, 'session');
const base = 'https://klutch.example/path';

describe('a form', () => {
  it.each<[string, FormOrigin]>([
    ['a browser that says it is from the same origin', { secFetchSite: 'same-origin', origin: 'null' }],
    ['an older browser that tells the origin', { origin: 'https://klutch.example' }],
    ['an older browser that tells nothing', {}],
    ['an older browser that was asked to tell nothing', { origin: 'null' }],
  ])('is taken from %s', (_, from) => {
    expect(() => refuseForgery(from, { sent: expected, expected }, base)).not.toThrow();
  });

  it.each<[string, FormOrigin]>([
    ['another site', { secFetchSite: 'cross-site', origin: 'https://klutch.example' }],
    ['a neighbour', { secFetchSite: 'same-site' }],
    ['an address typed in', { secFetchSite: 'none' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'https://klutch.example:444' }],
    ['another scheme', { origin: 'http://klutch.example' }],
  ])('BE-29 is refused from %s, even with the token', (_, from) => {
    expect(() => refuseForgery(from, { sent: expected, expected }, base)).toThrow(
      expect.objectContaining({ code: 'KLUTCH_FORM_FORGED' }),
    );
  });

  it('BE-29 is refused without the token of its session', () => {
    for (const sent of [undefined, '', 'x', formToken(key, 'other'), formToken(new Uint8Array(32), 'session')]) {
      expect(() => refuseForgery({ secFetchSite: 'same-origin' }, { sent, expected }, base)).toThrow(
        expect.objectContaining({ code: 'KLUTCH_FORM_FORGED' }),
      );
    }
  });
});
