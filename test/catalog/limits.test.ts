import { type CustomResourceDefinition, CustomResourceDefinitions } from '@klutch/api';
import { type Catalogue, definitionOf, limitProblems } from '@klutch/catalog';
import { isKubeError } from '@klutch/kube';
import { crdsOf } from '@klutch/xrd';
import { expect, it } from 'vitest';
import { largeCatalogue } from '../../packages/catalog/src/limits/large-catalogue.fixture.ts';
import { onBothTiers } from '../konnector/world.ts';

function crdsIn(catalogue: Catalogue): readonly CustomResourceDefinition[] {
  return catalogue.services.flatMap((service) => {
    const { claim, composite } = crdsOf(definitionOf(service, catalogue));
    return [composite, ...(claim ? [claim] : [])];
  });
}

onBothTiers('the limits that a catalogue is held against', (clusters) => {
  /** What the server has against a CRD; undefined when it would take it. */
  async function refusal(crd: CustomResourceDefinition): Promise<string | undefined> {
    const { admin } = clusters().app;
    try {
      await admin.resource(CustomResourceDefinitions).create(crd, { dryRun: true });
      return undefined;
    } catch (error) {
      if (isKubeError(error)) return error.message;
      throw error;
    }
  }

  it('are kept by 200 services with 20 plans each', async () => {
    const catalogue = largeCatalogue({ services: 200, plans: 20 });

    expect(limitProblems(catalogue)).toEqual([]);
    for (const crd of crdsIn(catalogue)) expect(await refusal(crd)).toBeUndefined();
  }, 120_000);

  it.each([
    ['500 plans', { plans: 500 }, true],
    ['2000 plans', { plans: 2000 }, false],
    ['1000 parameters', { plans: 20, parameters: 1000 }, true],
  ] as const)(
    'decide as the server does on a service with %s',
    async (_, size, isKept) => {
      const catalogue = largeCatalogue({ services: 1, ...size });
      const refusals = await Promise.all(crdsIn(catalogue).map(refusal));

      expect(limitProblems(catalogue).length === 0).toBe(isKept);
      expect(refusals.map((message) => message === undefined)).toEqual([isKept, isKept]);
    },
    120_000,
  );
});
