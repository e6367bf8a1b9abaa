import { serviceDescriptionOf } from '@klutch/api';
import { crdsOf } from '@klutch/xrd';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../model/catalogue.ts';
import { database, smallCatalogue } from './catalogue.fixture.ts';
import { definitionOf } from './definitions.ts';

const catalogue = smallCatalogue();

describe('what people should know about an offer', () => {
  it('is told by the CRD of its claims, without what is retired', () => {
    const { claim } = crdsOf(definitionOf(database(), catalogue));

    expect(claim && serviceDescriptionOf(claim)).toEqual({
      displayName: 'Database',
      description: 'Database for tests.',
      documentation: 'https://example.org/database',
      backends: [
        { name: 'op', displayName: 'Operator', composition: 'op-database' },
        { name: 'vendor', displayName: 'Vendor', composition: 'vendor-database' },
      ],
      versions: [{ name: 'db2' }],
      plans: [{ name: 'nano', cost: '2 EUR', limits: { memory: '1Gi' }, backends: ['op'] }, { name: 'big' }],
      example: { service: 'db2', plan: 'nano', region: 'example', compositionRef: { name: 'op-database' } },
    });
  });

  it('names the default backend first', () => {
    const { claim } = crdsOf(definitionOf(database({ defaultBackend: 'vendor' }), catalogue));

    expect(claim && serviceDescriptionOf(claim)?.backends?.map(({ name }) => name)).toEqual(['vendor', 'op']);
  });

  it('has neither versions nor plans for an operation', () => {
    const [backup] = catalogue.operations as readonly [Operation];
    const { claim } = crdsOf(definitionOf(backup, catalogue));

    expect(claim && Object.keys(serviceDescriptionOf(claim) ?? {})).toEqual([
      'displayName',
      'description',
      'backends',
      'example',
    ]);
  });
});
