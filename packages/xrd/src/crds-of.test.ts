import { describe, expect, it } from 'vitest';
import { crdsOf } from './crds-of.ts';
import type { CompositeResourceDefinition } from './definition.ts';

type Spec = CompositeResourceDefinition['spec'];

function definition(spec: Partial<Spec> = {}, metadata: object = {}): CompositeResourceDefinition {
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'CompositeResourceDefinition',
    metadata: { name: 'xparcels.post.example', ...metadata },
    spec: {
      group: 'post.example',
      names: { kind: 'XParcel', plural: 'xparcels' },
      claimNames: { kind: 'Parcel', plural: 'parcels' },
      versions: [version()],
      ...spec,
    },
  };
}

function version(rest: Partial<Spec['versions'][number]> = {}): Spec['versions'][number] {
  return { name: 'v1', served: true, referenceable: true, schema: { openAPIV3Schema: { type: 'object' } }, ...rest };
}

/** Both CRDs, named as tests speak of them. */
function both(of: CompositeResourceDefinition) {
  const { composite, claim } = crdsOf(of);
  if (claim === undefined) throw new Error('the definition offers no claims');
  return [composite, claim] as const;
}

describe('the CRDs of a definition', () => {
  it('are one of composites in the cluster and one of claims in namespaces', () => {
    const [composite, claim] = both(definition());
    expect(composite).toMatchObject({ metadata: { name: 'xparcels.post.example' }, spec: { scope: 'Cluster' } });
    expect(claim).toMatchObject({ metadata: { name: 'parcels.post.example' }, spec: { scope: 'Namespaced' } });
    expect(composite.spec.names).toEqual({
      kind: 'XParcel',
      listKind: 'XParcelList',
      plural: 'xparcels',
      singular: 'xparcel',
      categories: ['composite'],
    });
    expect(claim.spec.names).toMatchObject({ kind: 'Parcel', singular: 'parcel', categories: ['claim'] });
  });

  it('do not include one of claims when the definition offers none', () => {
    expect(crdsOf(definition({ claimNames: undefined })).claim).toBeUndefined();
  });

  it('keep given names, and put their category after those of the definition', () => {
    const claimNames = {
      kind: 'Parcel',
      plural: 'parcels',
      singular: 'box',
      listKind: 'ParcelPile',
      shortNames: ['pcl'],
      categories: ['post'],
    };
    const [, claim] = both(definition({ claimNames }));
    expect(claim.spec.names).toEqual({ ...claimNames, categories: ['post', 'claim'] });
  });

  it('carry the labels of the definition and what it says of their metadata, not its own annotations', () => {
    const of = definition(
      { metadata: { labels: { tier: 'gold' }, annotations: { note: 'for CRDs' } } },
      { labels: { tier: 'none', team: 'post' }, annotations: { note: 'for the definition' } },
    );
    for (const { metadata } of both(of)) {
      expect(metadata).toMatchObject({ labels: { tier: 'gold', team: 'post' }, annotations: { note: 'for CRDs' } });
    }
  });

  it('name a definition that exists as the controller that owns them', () => {
    const owner = {
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'CompositeResourceDefinition',
      name: 'xparcels.post.example',
      uid: 'u-1',
      controller: true,
      blockOwnerDeletion: true,
    };
    for (const { metadata } of both(definition({}, { uid: 'u-1' }))) expect(metadata.ownerReferences).toEqual([owner]);
    expect(Object.keys(crdsOf(definition()).composite.metadata)).toEqual(['name']);
  });

  it('have a version for each of the definition, and store the one that Compositions refer to', () => {
    const versions = [
      version({ name: 'v1alpha1', referenceable: false, deprecated: true, deprecationWarning: 'use v1' }),
      version({ name: 'v0', served: false, referenceable: false, deprecated: false }),
      version(),
    ];
    for (const { spec } of both(definition({ versions }))) {
      expect(spec.versions).toMatchObject([
        { name: 'v1alpha1', served: true, storage: false, deprecated: true, deprecationWarning: 'use v1' },
        { name: 'v0', served: false, storage: false },
        { name: 'v1', served: true, storage: true, subresources: { status: {} } },
      ]);
      expect(spec.versions[1]).not.toHaveProperty('deprecated');
    }
  });

  it('convert as the definition says, by default not at all', () => {
    const conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } };
    for (const { spec } of both(definition())) expect(spec.conversion).toEqual({ strategy: 'None' });
    for (const { spec } of both(definition({ conversion }))) expect(spec.conversion).toEqual(conversion);
  });

  it('show the columns of the definition first', () => {
    const plan = { name: 'Plan', type: 'string', jsonPath: '.spec.plan', priority: 0, description: '' };
    const versions = [version({ additionalPrinterColumns: [plan] })];
    const [composite, claim] = both(definition({ versions }));
    const columns = (of: typeof claim) => of.spec.versions[0]?.additionalPrinterColumns ?? [];
    expect(columns(claim)[0]).toEqual({ name: 'Plan', type: 'string', jsonPath: '.spec.plan' });
    expect(columns(claim).map(({ name }) => name)).toEqual(['Plan', 'SYNCED', 'READY', 'CONNECTION-SECRET', 'AGE']);
    expect(columns(composite).map(({ name, priority = 0 }) => `${name} ${priority}`)).toEqual([
      'Plan 0',
      'SYNCED 0',
      'READY 0',
      'COMPOSITION 0',
      'COMPOSITIONREVISION 1',
      'AGE 0',
    ]);
  });
});
