import { eventually, type PlaneAccess } from '@klutch/kit';
import { createNamespace, describeReal, sharedCrossplane } from '@klutch/kit/vitest';
import type { CompositeResourceDefinition } from '@klutch/xrd';
import { beforeAll, expect, it } from 'vitest';
import { crossplaneCrdsOf } from './crossplane-crds.ts';
import { send } from './send.ts';

const group = 'composing.post.example';

const definition: CompositeResourceDefinition = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'CompositeResourceDefinition',
  metadata: { name: `xletters.${group}` },
  spec: {
    group,
    names: { kind: 'XLetter', plural: 'xletters' },
    claimNames: { kind: 'Letter', plural: 'letters' },
    defaultCompositionRef: { name: 'letters-by-hand' },
    versions: [
      {
        name: 'v1',
        served: true,
        referenceable: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { to: { type: 'string' } } },
              status: { type: 'object', properties: { written: { type: 'string' } } },
            },
          },
        },
      },
    ],
  },
};

/** What is composed; objects of namespaces cannot be, in Crossplane 1.20. */
const envelopes = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `envelopes.${group}` },
  spec: {
    group,
    names: { kind: 'Envelope', plural: 'envelopes' },
    scope: 'Cluster',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const composition = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: { name: 'letters-by-hand' },
  spec: {
    compositeTypeRef: { apiVersion: `${group}/v1`, kind: 'XLetter' },
    mode: 'Pipeline',
    pipeline: [
      {
        step: 'write',
        functionRef: { name: 'function-patch-and-transform' },
        input: {
          apiVersion: 'pt.fn.crossplane.io/v1beta1',
          kind: 'Resources',
          resources: [
            {
              name: 'envelope',
              base: { apiVersion: `${group}/v1`, kind: 'Envelope', spec: {} },
              patches: [
                {
                  type: 'FromCompositeFieldPath',
                  fromFieldPath: 'spec.to',
                  toFieldPath: 'spec.text',
                  transforms: [{ type: 'string', string: { type: 'Format', fmt: 'Dear %s' } }],
                },
                { type: 'ToCompositeFieldPath', fromFieldPath: 'spec.text', toFieldPath: 'status.written' },
              ],
              readinessChecks: [{ type: 'NonEmpty', fieldPath: 'spec.text' }],
            },
          ],
        },
      },
    ],
  },
};

describeReal(
  'a claim on a plane with Crossplane',
  () => {
    let plane: PlaneAccess;
    let namespace: string;
    beforeAll(async () => {
      plane = await sharedCrossplane();
      namespace = await createNamespace(plane);
      await send(plane, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', envelopes);
      await crossplaneCrdsOf(plane, definition);
      await send(plane, 'POST', '/apis/apiextensions.crossplane.io/v1/compositions', composition);
    });

    it('is composed by the function, tells what came of it, and follows changes', async () => {
      const letters = `/apis/${group}/v1/namespaces/${namespace}/letters`;
      const body = { apiVersion: `${group}/v1`, kind: 'Letter', metadata: { name: 'first' }, spec: { to: 'Ada' } };
      expect(await send(plane, 'POST', letters, body)).toMatchObject({ spec: { compositeDeletePolicy: 'Background' } });
      await observed(`${letters}/first`, {
        spec: { compositionRef: { name: 'letters-by-hand' } },
        status: {
          written: 'Dear Ada',
          conditions: expect.arrayContaining([
            expect.objectContaining({ type: 'Synced', status: 'True' }),
            expect.objectContaining({ type: 'Ready', status: 'True' }),
          ]),
        },
      });

      const change = { body: { spec: { to: 'Grace' } }, contentType: 'application/merge-patch+json' };
      await plane.admin.request('PATCH', `${letters}/first`, change);
      const ofClaim = `crossplane.io/claim-name=first,crossplane.io/claim-namespace=${namespace}`;
      const composed = `/apis/${group}/v1/envelopes?labelSelector=${encodeURIComponent(ofClaim)}`;
      await observed(composed, { items: [{ spec: { text: 'Dear Grace' } }] });
      await observed(`${letters}/first`, { status: { written: 'Dear Grace' } });
    });

    /** Waits until the object at a path holds what is expected. */
    async function observed(path: string, expected: object): Promise<void> {
      const holds = async () => {
        expect(await send(plane, 'GET', path)).toMatchObject(expected);
        return true;
      };
      await eventually(holds, { what: `${path} is as expected`, withinMs: 30_000 });
    }
  },
  { needs: ['crossplane'] },
);
