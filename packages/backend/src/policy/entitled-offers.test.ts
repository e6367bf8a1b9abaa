import { describe, expect, it } from 'vitest';
import type { Catalogue, Offer, Refusal } from '../templates/catalogue.ts';
import { entitledOffers } from './entitled-offers.ts';

const catalogue: Pick<Catalogue, 'find'> = {
  find: ({ group, resource }, tenant) => {
    if (resource.startsWith('refused-')) return resource.slice('refused-'.length) as Refusal;
    return { name: `${resource}.${group}`, group, resource, description: tenant?.name } as Offer;
  },
};
const api = (resource: string) => ({ group: 'example.org', resource });

describe('the offers of the APIs a tenant asks for', () => {
  it('come in the order asked, each once, for that tenant', () => {
    const offers = entitledOffers(catalogue, [api('b'), api('a'), api('b')], { name: 'team' });

    expect(offers.map(({ name, description }) => [name, description])).toEqual([
      ['b.example.org', 'team'],
      ['a.example.org', 'team'],
    ]);
  });

  it.each<[Refusal, string]>([
    ['NotExported', 'KLUTCH_API_NOT_OFFERED'],
    ['CRDNotFound', 'KLUTCH_CRD_NOT_FOUND'],
    ['NotEntitled', 'KLUTCH_NOT_ENTITLED'],
    ['ScopeRefused', 'KLUTCH_API_SCOPE_REFUSED'],
  ])('are none at all when one is refused as %s, which is named', (refusal, code) => {
    const apis = [api('a'), api(`refused-${refusal}`)];

    expect(() => entitledOffers(catalogue, apis, { name: 'team' })).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(`refused-${refusal}.example.org`) }),
    );
  });
});
