import { describe, expect, it } from 'vitest';

import { parseTiers } from './tier.ts';

describe('KLUTCH_TIERS', () => {
  it.each([undefined, '', ' , '])('set to %j requires nothing in particular', (value) => {
    expect(parseTiers(value)).toBeUndefined();
  });

  it.each([
    ['embedded', ['embedded']],
    ['embedded,real', ['embedded', 'real']],
    [' real , embedded,real ', ['real', 'embedded']],
  ])('set to %j requires %j', (value, tiers) => {
    expect([...(parseTiers(value) ?? [])]).toEqual(tiers);
  });

  it('does not accept a tier that does not exist', () => {
    expect(() => parseTiers('embedded,reel')).toThrow('KLUTCH_TIERS names "reel"; the tiers are embedded and real');
  });
});
