import { type CustomResourceDefinition, CustomResourceDefinitions } from '@klutch/api';
import {
  type Catalogue,
  defaultLayer,
  definitionOf,
  limitProblems,
  readCatalogue,
  type SourceFile,
} from '@klutch/catalog';
import { isKubeError } from '@klutch/kube';
import { crdsOf } from '@klutch/xrd';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onBothTiers } from '../konnector/world.ts';
import { offersOf } from './default-catalogue.ts';
import { edit } from './edits.ts';

const edits = 300;

/** What `klutch catalog check` makes of the folder of an operator. */
function checked(layers: readonly (readonly SourceFile[])[]): Catalogue | undefined {
  const { catalogue } = readCatalogue(layers);
  return catalogue && limitProblems(catalogue).length === 0 ? catalogue : undefined;
}

/** CRDs of a catalogue that are other than those before. */
function newCrds(catalogue: Catalogue, before: ReadonlySet<string>): readonly CustomResourceDefinition[] {
  return offersOf(catalogue)
    .map((offer) => crdsOf(definitionOf(offer, catalogue)))
    .flatMap(({ composite, claim }) => [composite, ...(claim ? [claim] : [])])
    .filter((crd) => !before.has(JSON.stringify(crd)));
}

onBothTiers('whatever an operator edits', (clusters) => {
  it('is told by check, or accepted by Kubernetes', async () => {
    const { admin } = clusters().app;
    const refusal = async (crd: CustomResourceDefinition): Promise<string | undefined> => {
      try {
        await admin.resource(CustomResourceDefinitions).create(crd, { dryRun: true });
        return undefined;
      } catch (error) {
        if (isKubeError(error)) return `${crd.metadata.name}: ${error.message}`;
        throw error;
      }
    };
    const shipped = await defaultLayer();
    const catalogue = checked([shipped]);
    const known = new Set(catalogue && newCrds(catalogue, new Set()).map((crd) => JSON.stringify(crd)));
    let accepted = 0;

    await fc.assert(
      fc.asyncProperty(edit, async ({ file }) => {
        const edited = checked([shipped, [file]]);
        if (!edited) return;
        accepted += 1;
        expect((await Promise.all(newCrds(edited, known).map(refusal))).filter((said) => said !== undefined)).toEqual(
          [],
        );
      }),
      { numRuns: edits },
    );

    // Neither are nearly all edits mistakes, nor nearly none.
    expect(accepted).toBeGreaterThan(edits * 0.25);
    expect(accepted).toBeLessThan(edits * 0.75);
  }, 300_000);
});
