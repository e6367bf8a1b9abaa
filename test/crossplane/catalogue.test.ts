import { type Catalogue, compositionsOf, defaultLayer, type JsonObject, preview, readCatalogue } from '@klutch/catalog';
import { eventually, type PlaneAccess } from '@klutch/kit';
import { createNamespace, describeReal, sharedCrossplane } from '@klutch/kit/vitest';
import { beforeAll, expect, it } from 'vitest';
import { claimsOf } from './catalogue-claims.ts';
import { composedCrds } from './composed-crds.ts';
import { composedObjects } from './composed-objects.ts';
import { crossplaneCrdsOf } from './crossplane-crds.ts';
import { catalogueRows } from './definition-rows.ts';
import { send } from './send.ts';

const { catalogue } = readCatalogue([await defaultLayer()]) as { catalogue: Catalogue };
const rows = await catalogueRows();
const compositions = compositionsOf(catalogue);
const claims = claimsOf(catalogue).map((one, number) => ({ name: `claim-${number}`, ...one }));

describeReal(
  'the Compositions of the default catalogue',
  () => {
    let plane: PlaneAccess;
    let namespace: string;
    beforeAll(async () => {
      plane = await sharedCrossplane();
      namespace = await createNamespace(plane, 'catalogue');
      const extensions = '/apis/apiextensions.crossplane.io/v1';
      const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      await Promise.all([
        ...rows.map(({ definition }) => crossplaneCrdsOf(plane, definition)),
        ...composedCrds.map((crd) => send(plane, 'PATCH', `${crds}/${crd.metadata.name}`, crd)),
        ...compositions.map((one) => send(plane, 'PATCH', `${extensions}/compositions/${one.metadata.name}`, one)),
      ]);
    });

    it('compose from claims what the preview says', { timeout: 240_000 }, async () => {
      expect(new Set(claims.map(({ composition }) => composition.metadata.name)).size).toBe(compositions.length);
      for (const { name, claim } of claims) {
        const { plural } = rows.find(({ definition }) => definition.spec.claimNames?.kind === claim.kind)?.definition
          .spec.claimNames ?? { plural: '' };
        const path = `/apis/${claim.apiVersion}/namespaces/${namespace}/${plural}`;
        await send(plane, 'POST', path, { ...claim, metadata: { name } });
      }

      const composed = await eventually(
        async () => {
          const objects = await composedObjects(plane, namespace);
          return objects.size === claims.length && objects;
        },
        { what: `${claims.length} claims are composed`, withinMs: 180_000, everyMs: 500 },
      );

      for (const { name, claim, composition } of claims) {
        const outcome = preview(composition as unknown as JsonObject, { ...claim, metadata: { name, namespace } });
        if (outcome.is !== 'value') throw new Error(`${name}: ${outcome.why}`);
        expect([name, composed.get(name)]).toEqual([name, withMetadataOfEngine(outcome.value)]);
      }
    });
  },
  { needs: ['crossplane'] },
);

/** Objects that may have more metadata. */
function withMetadataOfEngine(objects: Readonly<Record<string, JsonObject>>): object {
  return Object.fromEntries(
    Object.entries(objects).map(([template, { metadata = {}, ...object }]) => {
      const { labels = {} } = metadata as { labels?: JsonObject };
      const more = expect.objectContaining({ ...(metadata as JsonObject), labels: expect.objectContaining(labels) });
      return [template, { ...object, metadata: more }];
    }),
  );
}
