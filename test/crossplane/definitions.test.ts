import { type CustomResourceDefinition, CustomResourceDefinitions } from '@klutch/api';
import { type ApiServer, startApiServer } from '@klutch/apiserver';
import { eventually, type PlaneAccess } from '@klutch/kit';
import { describeReal, sharedCrossplane } from '@klutch/kit/vitest';
import { connect, type KubeClient, parseKubeconfig } from '@klutch/kube';
import { type CompositeResourceDefinition, crdsOf, type DefinedVersion } from '@klutch/xrd';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crossplaneCrdsOf } from './crossplane-crds.ts';
import { catalogueRows, definitionRows } from './definition-rows.ts';

const rows = [...definitionRows, ...(await catalogueRows())].map(
  ({ title, definition }) => [title, definition] as const,
);

describeReal(
  'the CRDs that Crossplane makes of a definition with',
  () => {
    let plane: PlaneAccess;
    beforeAll(async () => {
      plane = await sharedCrossplane();
    });

    it.each(rows)('%s are those of crdsOf', async (_, definition) => {
      const live = await crossplaneCrdsOf(plane, definition);
      const { composite, claim } = crdsOf(live.definition);

      expect(made(live.composite)).toEqual(made(composite));
      expect(live.claim && made(live.claim)).toEqual(claim && made(claim));
      // The definition that was applied says as much as the one that the API server has completed.
      expect(crdsOf(withUid(definition, live.definition.metadata.uid))).toEqual({ composite, claim });
    });

    it('a further field and version are those of crdsOf, after it had neither', async () => {
      const [[, definition]] = rows as [(typeof rows)[number]];
      const [first] = definition.spec.versions as [DefinedVersion];
      const spec = { type: 'object', properties: { plan: { type: 'string' } } };
      const versions = [
        { ...first, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } },
        { ...first, name: 'v2', referenceable: false },
      ];
      await crossplaneCrdsOf(plane, definition);
      const changed = { ...definition, spec: { ...definition.spec, versions } };
      const { composite, claim } = crdsOf(changed);

      await eventually(
        async () => {
          const live = await crossplaneCrdsOf(plane, changed);
          expect([live.composite.spec, live.claim?.spec]).toEqual([composite.spec, claim?.spec]);
          return true;
        },
        { what: 'Crossplane has changed both CRDs' },
      );
    });
  },
  { needs: ['crossplane'] },
);

describe('the CRDs of a definition with', () => {
  let server: ApiServer;
  let client: KubeClient;
  beforeAll(async () => {
    server = await startApiServer();
    client = connect(parseKubeconfig(server.kubeconfig(), { source: 'the embedded server', trust: 'local' }), {
      userAgent: 'test/1',
    });
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  it.each(rows)('%s are accepted by the embedded API server as they are', async (_, definition) => {
    for (const crd of Object.values(crdsOf(definition)).filter((it) => it !== undefined)) {
      expect(made(await client.resource(CustomResourceDefinitions).create(crd))).toEqual(made(crd));
    }
  });
});

/** What Crossplane decides of a CRD: all of it but what an API server adds to any object. */
function made({ metadata, spec }: CustomResourceDefinition) {
  const { name, labels, annotations, ownerReferences } = metadata;
  return { name, labels, annotations, ownerReferences, spec };
}

function withUid(definition: CompositeResourceDefinition, uid: string | undefined): CompositeResourceDefinition {
  return { ...definition, metadata: { ...definition.metadata, uid } };
}
