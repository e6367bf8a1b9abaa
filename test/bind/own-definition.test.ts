import { CustomResourceDefinitions, exportedApi } from '@klutch/api';
import { definitionFileProblems } from '@klutch/catalog';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { isKubeError, Namespaces } from '@klutch/kube';
import { type CompositeResourceDefinition, crdsOf } from '@klutch/xrd';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { patiently } from '../backend/process-world.ts';
import type { SampleApi } from '../konnector/world.ts';
import { bindAsPerson, embeddedIssuer } from './person.ts';
import { openScene } from './scene.ts';

/** Written by an operator for buckets of a foreign provider; no catalogue knows of it. */
const written = `
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xbuckets.storage.example.org
spec:
  group: storage.example.org
  names: { kind: XBucket, plural: xbuckets }
  claimNames: { kind: Bucket, plural: buckets }
  defaultCompositionRef: { name: buckets }
  metadata:
    annotations:
      klutch.anynines.com/service-description: >-
        {"displayName": "Buckets", "description": "Buckets of a vendor.",
        "plans": [{"name": "small", "cost": "1 EUR per month", "limits": {"storage": "10Gi"}}],
        "example": {"plan": "small", "region": "eu"}}
  versions:
    - name: v1
      served: true
      referenceable: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [region]
              properties:
                region: { type: string, maxLength: 10 }
                plan: { type: string, enum: [small] }
              x-kubernetes-validations:
                - rule: self.region == oldSelf.region
                  message: A bucket stays where it is.
`;

function ownDefinition(tier: Tier): void {
  it('is checked, offered, bound and used like one of the catalogue, and tells about itself', async () => {
    const definition = parse(written) as CompositeResourceDefinition;
    expect(definitionFileProblems({ path: 'own.yaml', text: written })).toEqual([]);
    const scene = await openScene(tier, { issuer: embeddedIssuer, otherApis: [apiOf(definition)] });
    const { app, controlPlane } = scene;

    await bindAsPerson(scene, 'buckets.storage.example.org');

    const crd = await app.admin.resource(CustomResourceDefinitions).get({ name: 'buckets.storage.example.org' });
    expect(crd.metadata.annotations).toMatchObject(definition.spec.metadata?.annotations ?? {});
    const services = scene.klutch(['services', 'bucket']);
    await services.ended();
    expect(services.out()).toMatch(/small +1 EUR per month +10Gi/);

    const { type } = apiOf(definition);
    await app.admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } });
    const ref = { name: 'pictures', namespace: 'team-a' };
    const claim = { apiVersion: 'storage.example.org/v1', kind: 'Bucket', metadata: ref, spec: { region: 'eu' } };
    await app.admin.resource(type).create(claim);
    await patiently(
      async () => (await controlPlane.admin.resource(type).list()).items[0]?.metadata.name === 'pictures',
    );
    const moved = app.admin.resource(type).patch(ref, { type: 'merge', patch: { spec: { region: 'us' } } });
    await expect(moved).rejects.toSatisfy(
      (error) => isKubeError(error, 'KUBE_INVALID') && error.message.includes('A bucket stays where it is.'),
    );
  }, 300_000);
}

describe('a definition of an operator (embedded)', () => ownDefinition('embedded'));
describeReal('a definition of an operator (real)', () => ownDefinition('real'));

function apiOf(definition: CompositeResourceDefinition): SampleApi {
  const { claim } = crdsOf(definition);
  if (!claim) throw new Error('The definition has no claims.');
  const { group, names } = claim.spec;
  return {
    name: claim.metadata.name ?? '',
    type: { group, version: 'v1', plural: names.plural, kind: names.kind, namespaced: true },
    crd: claim,
    exported: exportedApi(claim),
  };
}
