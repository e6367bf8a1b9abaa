import { describe, expect, it } from 'vitest';
import type { Catalogue, Operation, Service } from '../model/catalogue.ts';
import { database, field, plan, smallCatalogue } from './catalogue.fixture.ts';
import { examplesOf, examplesOfOffer } from './examples.ts';

const catalogue = smallCatalogue();
const [backup] = catalogue.operations as readonly [Operation];

function specs(offer: Service | Operation, of: Catalogue = catalogue) {
  return Object.fromEntries(examplesOfOffer(offer, of).map(({ backend, claim }) => [backend, claim.spec]));
}

describe('examples', () => {
  it('are one claim for each kind and backend', () => {
    expect(examplesOf(catalogue).map(({ backend, claim }) => [claim.kind, claim.metadata.name, backend])).toEqual([
      ['Database', 'my-database', 'op'],
      ['Database', 'my-database', 'vendor'],
      ['Bucket', 'my-bucket', 'vendor'],
      ['Backup', 'my-backup', 'op'],
    ]);
  });

  it('have the newest version, the first plan that is not retired, and every required field', () => {
    expect(specs(database())).toMatchObject({
      op: { service: 'db2', plan: 'nano', region: 'example', compositionRef: { name: 'op-database' } },
      vendor: { service: 'db2', plan: 'big', compositionRef: { name: 'vendor-database' } },
    });
  });

  it('name no Composition where there is one only', () => {
    expect(specs(backup)['op']).toEqual({ instanceRef: 'my-database', serviceInstanceType: 'database' });
  });

  it('have a plan and a version that go together', () => {
    const picky = database({
      plans: [plan('nano', { traits: { size: 'nano' } }), plan('big', { traits: { size: 'big' } })],
      requirements: [
        {
          when: [{ is: 'version', in: ['db2'] }],
          then: [{ is: 'trait', trait: 'size', in: ['big'] }],
          message: 'db2 is big.',
        },
      ],
    });

    expect(specs(picky)['op']).toMatchObject({ service: 'db2', plan: 'big' });
  });

  it('do not exist where nothing is accepted', () => {
    const impossible = database({
      requirements: [{ when: [], then: [{ is: 'plan', in: [] }], message: 'No plan will do.' }],
    });

    expect(specs(impossible)).toEqual({});
  });

  it.each([
    [{ type: 'string', enum: ['b', 'a'] }, 'b'],
    [{ type: 'integer', minimum: 256 }, 256],
    [{ type: 'number' }, 1],
    [{ type: 'boolean' }, true],
    [{ type: 'array' }, []],
    [{ type: 'string', default: 'x' }, 'x'],
    [{ type: 'object', required: ['a'], properties: { a: { type: 'integer' }, b: { type: 'string' } } }, { a: 1 }],
  ])('fill a required field of %j with %j', (schema, value) => {
    const demanding = database({ fields: [field('wanted', { schema, required: true, targets: { op: 'ignored' } })] });

    expect(specs(demanding)['op']).toMatchObject({ wanted: value });
  });
});
