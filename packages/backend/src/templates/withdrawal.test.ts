import { describe, expect, it } from 'vitest';
import type { Offer, Refusal } from './catalogue.ts';
import { templateGraceMs, withdrawalOf } from './withdrawal.ts';

const offer = { name: 'widgets.example.org' } as Offer;

describe('the right of a tenant to an API that it has bound', () => {
  it.each<[string, Offer | Refusal, boolean, number, Refusal | undefined]>([
    ['stays while the API is offered', offer, true, 0, undefined],
    ['stays while the CRD is missing, whose export ends anyway', 'CRDNotFound', true, templateGraceMs, undefined],
    ['ends at once when the template no longer names the tenant', 'NotEntitled', true, 0, 'NotEntitled'],
    ['ends at once when the API became cluster-scoped', 'ScopeRefused', true, 0, 'ScopeRefused'],
    ['ends at once when the scope no longer permits its claims', 'ClaimsRefused', true, 0, 'ClaimsRefused'],
    ['stays when the template has just gone', 'NotExported', true, templateGraceMs - 1, undefined],
    ['ends when the template is gone for good', 'NotExported', true, templateGraceMs, 'NotExported'],
    ['stays when templates cannot be read', 'NotExported', false, templateGraceMs, undefined],
  ])('%s', (_, verdict, isReadable, missingForMs, expected) => {
    expect(withdrawalOf({ verdict, isReadable, missingForMs })).toBe(expected);
  });
});
