import { fileURLToPath } from 'node:url';
import {
  type Catalogue,
  type Composition,
  compositionsOf,
  defaultLayer,
  definitionOf,
  readCatalogue,
  readLayer,
} from '@klutch/catalog';
import { eventually, type PlaneAccess } from '@klutch/kit';
import { createNamespace, describeReal, sharedCrossplane } from '@klutch/kit/vitest';
import { beforeAll, describe, expect, it } from 'vitest';
import { composedCrds, pathOf } from './composed-crds.ts';
import { type CompositionRow, compositionRows, NAME, NAMESPACE } from './composition-rows.ts';
import { crossplaneCrdsOf } from './crossplane-crds.ts';

const vendorRow: CompositionRow = {
  composition: 'aws-aws-s3',
  group: 'storage.example.org',
  kind: 'S3Bucket',
  claim: { serviceVersion: 'v1', region: 'eu-central-1' },
  composed: {
    apiVersion: 's3.aws.upbound.io/v1beta1',
    kind: 'Bucket',
    spec: {
      providerConfigRef: { name: 'default' },
      forProvider: { region: 'eu-central-1', forceDestroy: false },
      writeConnectionSecretToRef: { namespace: NAMESPACE, name: `${NAME}-bucket` },
    },
  },
  status: {
    atProvider: { arn: 'arn:aws:s3:::x' },
    conditions: [{ type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: '2026-01-01T00:00:00Z' }],
  },
  managed: { arn: 'arn:aws:s3:::x' },
};
const rows = [...compositionRows, vendorRow];
const catalogue = await catalogueWithVendor();

describe('the table of Compositions', () => {
  it('has every Composition of the catalogue', () => {
    expect(rows.map(({ composition }) => composition).sort()).toEqual(
      compositionsOf(catalogue)
        .map(({ metadata }) => metadata.name)
        .sort(),
    );
  });
});

describeReal(
  'on a plane with Crossplane',
  () => {
    let plane: PlaneAccess;
    let namespace: string;
    beforeAll(async () => {
      plane = await sharedCrossplane();
      namespace = await createNamespace(plane);
      const offers = [...catalogue.services, ...catalogue.operations];
      await Promise.all([
        ...offers.map((offer) => crossplaneCrdsOf(plane, definitionOf(offer, catalogue))),
        ...composedCrds.map((crd) => applied(`${crds}/${crd.metadata.name}`, crd)),
        ...compositionsOf(catalogue).map((composition) =>
          applied(`${extensions}/compositions/${composition.metadata.name}`, composition),
        ),
      ]);
    }, 120_000);

    it.each(compositionsOf(catalogue).map((composition) => [composition.metadata.name, composition] as const))(
      'the Composition %s is accepted as it is, and gets a revision',
      async (name, composition) => {
        const selector = encodeURIComponent(`crossplane.io/composition-name=${name}`);
        const [revision] = await eventually(
          async () => {
            const { items } = await read<{ items: readonly Composition[] }>(
              `${extensions}/compositionrevisions?labelSelector=${selector}`,
            );
            return items.length > 0 && items;
          },
          { what: `${name} has a revision` },
        );

        expect(revision?.spec).toMatchObject(composition.spec);
      },
    );

    it.each(rows.map((row) => [row.composition, row] as const))(
      'a claim for %s becomes what its backend expects, and says what comes of it',
      async (composition, row) => {
        const name = composition;
        const { group = 'anynines.com' } = row;
        const claims = `/apis/${group}/v1/namespaces/${namespace}/${row.kind.toLowerCase()}s`;
        const spec = { ...row.claim, compositionRef: { name: composition } };
        const answer = await plane.admin.request('POST', claims, {
          body: { apiVersion: `${group}/v1`, kind: row.kind, metadata: { name }, spec },
        });
        expect(answer).toMatchObject({ status: 201 });

        const { apiVersion, kind, labels } = row.composed;
        const found = await eventually(() => composedOf(name, row), { what: `${name} is composed`, withinMs: 60_000 });
        expect(found).toMatchObject({ apiVersion, kind, metadata: { labels: labels ?? {} } });
        expect(found.spec).toEqual(withPlace(row.composed.spec, name));

        await stated(`${pathOf(apiVersion, kind)}/${found.metadata.name}/status`, row.status);
        await eventually(
          async () => {
            const claim = await read<{ status?: { managed?: object } }>(`${claims}/${name}`);
            expect(claim.status).toMatchObject({
              managed: row.managed,
              conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'True' })]),
            });
            return true;
          },
          { what: `${name} says what the backend says`, withinMs: 90_000 },
        );
      },
      180_000,
    );

    async function composedOf(name: string, { composed: { apiVersion, kind } }: CompositionRow) {
      const selector = `crossplane.io/claim-name=${name},crossplane.io/claim-namespace=${namespace}`;
      const path = `${pathOf(apiVersion, kind)}?labelSelector=${encodeURIComponent(selector)}`;
      const { items } = await read<{ items: readonly { metadata: { name: string }; spec: object }[] }>(path);
      return items[0] ? { apiVersion, kind, ...items[0] } : false;
    }

    function withPlace(spec: object, name: string): unknown {
      return JSON.parse(JSON.stringify(spec).replaceAll(NAMESPACE, namespace).replaceAll(NAME, name));
    }

    async function read<T>(path: string): Promise<T> {
      return (await plane.admin.request<T>('GET', path)).body;
    }

    async function applied(path: string, body: object): Promise<void> {
      const contentType = 'application/apply-patch+yaml';
      const answer = await plane.admin.request('PATCH', `${path}?fieldManager=test&force=true`, { body, contentType });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    }

    async function stated(path: string, status: object): Promise<void> {
      const body = { status };
      const answer = await plane.admin.request('PATCH', path, { body, contentType: 'application/merge-patch+json' });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }
  },
  { needs: ['crossplane'] },
);

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const extensions = '/apis/apiextensions.crossplane.io/v1';

async function catalogueWithVendor(): Promise<Catalogue> {
  const vendor = fileURLToPath(new URL('../../packages/catalog/fixtures/vendor', import.meta.url));
  const { catalogue, problems } = readCatalogue([await defaultLayer(), await readLayer(vendor)]);
  if (!catalogue) throw new Error(JSON.stringify(problems));
  return catalogue;
}
