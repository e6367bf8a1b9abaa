import { isKlutchError } from '@klutch/api';
import { expect, it } from 'vitest';
import { claimedType } from './claimed-type.ts';

it.each([
  ['secrets', { group: '', resource: 'secrets', selector: {} }],
  ['secrets:Provider', { group: '', resource: 'secrets', selector: { owner: 'Provider' } }],
  ['gadgets.example.org:Consumer', { group: 'example.org', resource: 'gadgets', selector: { owner: 'Consumer' } }],
])('%s is a claimed type', (text, claim) => {
  expect(claimedType(text)).toMatchObject(claim);
});

it.each(['', 'Secrets', 'secrets:Nobody', 'secrets.:Provider', '*'])('%j is none', (text) => {
  expect(() => claimedType(text)).toThrow(expect.toSatisfy((error) => isKlutchError(error, 'KLUTCH_USAGE')));
});
