import { describe, expect, it } from 'vitest';
import { type ServiceDescription, serviceDescriptionAnnotations, serviceDescriptionOf } from './service-description.ts';

const database: ServiceDescription = {
  displayName: 'Database',
  documentation: 'https://example.org/database',
  plans: [{ name: 'nano', cost: '2 EUR per month', limits: { memory: '1Gi' } }],
  example: { plan: 'nano' },
};

const read = (text: string) =>
  serviceDescriptionOf({ metadata: { annotations: { 'klutch.anynines.com/service-description': text } } });

describe('the description of a service', () => {
  it('comes back from the annotations that carry it', () => {
    expect(serviceDescriptionOf({ metadata: { annotations: serviceDescriptionAnnotations(database) } })).toEqual(
      database,
    );
  });

  it.each([
    ['is no JSON', '{'],
    ['is something else', '[]'],
    ['has no name', '{}'],
    ['has plans that are none', '{"displayName":"x","plans":[{"cost":"1 EUR"}]}'],
    ['leads to something that is no page', '{"displayName":"x","documentation":"javascript:alert(1)"}'],
  ])('counts as none when it %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it('is none where a CRD has none', () => {
    expect(serviceDescriptionOf({ metadata: {} })).toBeUndefined();
  });
});
