import { APIServiceExportTemplates } from '@klutch/api';
import { backendAccess } from '@klutch/backend';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { type KubeClient, Namespaces, type ResourceType, type UnknownObject } from '@klutch/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Compositions, Definitions } from '../../packages/cli/src/catalog/object-types.ts';
import { buildKillableKlutch, type KillableKlutch } from '../cli/crash-points.ts';
import { type CatalogScene, openCatalogScene, writeFolder } from './scene.ts';

let command: KillableKlutch;
beforeAll(async () => {
  command = await buildKillableKlutch();
});
afterAll(() => command.remove());

const ClusterRoles: ResourceType = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'clusterroles',
  kind: 'ClusterRole',
  namespaced: false,
};

/** A catalogue of one service more, so that there is something to apply of each kind. */
const bucket = {
  'services/bucket.yaml': `
service: bucket
kind: BucketInstance
displayName: Bucket
description: Storage for files.
defaultBackend: vendor
versions:
  aws-s3: {}
plans:
  bucket-small: { traits: {}, limits: { storage: 10Gi } }
backends:
  vendor:
    base: { apiVersion: s3.vendor.example/v1, kind: Bucket }
    patches:
      spec.plan: spec.plan
`,
  'backends/vendor.yaml': `
backend: vendor
displayName: Vendor
description: Storage of a vendor.
through: resource
`,
  'services/mariadb.yaml': 'plans:\n  mariadb-single-nano: { cost: 2 EUR per month }\n',
};

/** A control plane with the catalogue of klutch and a backend that knows no API. */
async function openWithBackend(tier: Tier): Promise<CatalogScene> {
  const scene = await openCatalogScene(tier);
  const namespace = 'bind';
  await scene.admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const account = 'system:serviceaccount:bind:klutch-backend';
  const grounds = { offers: [], consumerScope: 'Namespaced', controlPlaneMode: false, account, namespace } as const;
  for (const { type, object } of backendAccess(grounds)) await scene.admin.resource(type).create(object);
  expect(await scene.catalog('apply')).toMatchObject({ code: 0 });
  return scene;
}

/** What the catalogue has put on a control plane, without what differs between any two. */
async function stateOf(admin: KubeClient): Promise<unknown> {
  const types = [Definitions, Compositions, APIServiceExportTemplates as ResourceType, ClusterRoles];
  const lists = await Promise.all(types.map((type) => admin.resource(type).list()));
  return lists
    .flatMap(({ items }) => items)
    .filter(({ metadata }) => !metadata.name?.startsWith('system:'))
    .map(({ metadata, spec, rules }: UnknownObject) => ({
      name: metadata.name,
      annotations: metadata.annotations,
      spec,
      rules,
    }));
}

function interrupted(tier: Tier): void {
  it('ends the same, however often it was killed before a request that changes something', async () => {
    const folder = await writeFolder(bucket);
    const [calm, stormy] = [await openWithBackend(tier), await openWithBackend(tier)];
    expect(await calm.catalog('apply', folder)).toMatchObject({ code: 0 });
    const args = ['catalog', 'apply', folder, '--kubeconfig', stormy.kubeconfig];
    expect(await command.runUntilWrite(1, args)).toEqual({ outcome: 'killed' });

    let kills = 0;
    // Each run gets one write further than the one before.
    while (kills < 30 && (await command.runUntilWrite(2, args)).outcome === 'killed') kills += 1;
    const last = await command.runUntilWrite(Number.POSITIVE_INFINITY, args);

    expect(last).toMatchObject({ outcome: 'ended', code: 0 });
    expect(kills).toBeGreaterThan(3);
    expect(kills).toBeLessThan(30);
    expect(await stateOf(stormy.admin)).toEqual(await stateOf(calm.admin));
    const { out } = await stormy.catalog('diff', folder);
    expect(out).toContain('No object of the control plane changes.');
  }, 600_000);

  it('gives the backend the rights that new templates need, and no others', async () => {
    const { admin, catalog } = await openWithBackend(tier);
    const resources = async () => {
      const { rules } = (await admin.resource(ClusterRoles).get({ name: 'klutch-backend-tenant' })) as UnknownObject & {
        readonly rules: readonly { readonly resources: readonly string[] }[];
      };
      return rules.flatMap((rule) => rule.resources);
    };
    expect(await resources()).toContain('mariadbinstances');
    expect(await resources()).not.toContain('bucketinstances');

    expect(await catalog('apply', await writeFolder(bucket))).toMatchObject({ code: 0 });

    expect(await resources()).toContain('bucketinstances');
    expect(await resources()).not.toContain('*');
    const { out } = await catalog('diff');
    expect(out).toContain(
      '- CompositeResourceDefinition xbucketinstances.anynines.com: It is no longer in the catalogue',
    );
    expect(out).toContain('- APIServiceExportTemplate crossplane-system/bucketinstances');
  }, 300_000);
}

describe('klutch catalog apply that is killed (embedded)', () => interrupted('embedded'));
describeReal('klutch catalog apply that is killed (real)', () => interrupted('real'), { needs: ['crossplane'] });
