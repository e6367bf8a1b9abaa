import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import type { KubeClient, UnknownObject } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../packages/cli/src/catalog/report.ts';
import { type ComposedClaim, composedOf } from './composed.ts';
import { addInstances, changedByEdit, edit, strandedByEdit } from './instances.ts';
import { openCatalogScene, writeFolder } from './scene.ts';

const tenants = ['acme', 'blue', 'coral', 'delta', 'echo'];
const inAllTenants = (names: readonly string[]) =>
  tenants.flatMap((tenant) => names.map((name) => `cluster-${tenant}-default/${name}`)).sort();
const placeOf = ({ metadata }: UnknownObject) => `${metadata.namespace}/${metadata.name}`;

/** Names of the instances in a report that something happens to. */
function named({ instances }: Report, is: string): readonly string[] {
  return instances
    .filter(({ findings }) => findings.some((finding) => finding.is === is))
    .map(({ namespace, name }) => `${namespace}/${name}`)
    .sort();
}

async function openWithInstances(tier: Tier) {
  const scene = await openCatalogScene(tier);
  const { code, err } = await scene.catalog('apply');
  expect(code, err).toBe(0);
  return { ...scene, claims: await addInstances(scene.admin), folder: await writeFolder(edit) };
}

function diffing(tier: Tier): void {
  it('names the instances of five tenants that change, and those that keep what nobody else gets', async () => {
    const { catalog, folder } = await openWithInstances(tier);

    const { code, out, err } = await catalog('diff', folder, '-o', 'json');

    expect(code, err).toBe(0);
    const report = JSON.parse(out) as Report;
    expect(named(report, 'changes')).toEqual(inAllTenants(changedByEdit));
    expect(named(report, 'stranded')).toEqual(inAllTenants(strandedByEdit));
    expect(named(report, 'breaks')).toEqual([]);
    expect(named(report, 'unknown')).toEqual([]);
    expect(report.unchanged).toBe(50 - 5 * (changedByEdit.length + strandedByEdit.length));
    expect(report.instances).toContainEqual(
      expect.objectContaining({
        name: 'small-1',
        tenant: 'blue',
        clusterNamespace: 'cluster-blue',
        changes: ['requests', 'limits'].map((side) => ({
          path: `a8s-postgresql.spec.forProvider.manifest.spec.resources.${side}.memory`,
          before: '2Gi',
          after: '3Gi',
        })),
      }),
    );
    expect(report.objects.map(({ change, kind, name }) => `${change} ${kind} ${name}`)).toEqual([
      'changed CompositeResourceDefinition xmariadbinstances.anynines.com',
      'changed Composition a9s-mariadb',
      'changed Composition a8s-postgresql',
    ]);
    const text = await catalog('diff', folder);
    expect(text.out).toContain('Instances: 15 change, 5 keep what nobody else gets any more, 30 stay as they are.');
  }, 240_000);
}

/** What is composed from all claims, once something is composed from each. */
async function allComposed(admin: KubeClient, claims: readonly UnknownObject[]): Promise<readonly ComposedClaim[]> {
  return await eventually(
    async () => {
      const all = await Promise.all(claims.map((claim) => composedOf(admin, claim)));
      return all.every((one) => one !== undefined) ? all : undefined;
    },
    { withinMs: 180_000, everyMs: 1_000 },
  );
}

describe('klutch catalog diff (embedded)', () => diffing('embedded'));

describeReal(
  'klutch catalog diff (real)',
  () => {
    diffing('real');

    it('names exactly the instances that apply then changes', async () => {
      const { admin, catalog, claims, folder } = await openWithInstances('real');
      const before = await allComposed(admin, claims);
      const report = JSON.parse((await catalog('diff', folder, '-o', 'json')).out) as Report;

      const applied = await catalog('apply', folder);

      expect(applied.code, applied.err).toBe(0);
      const touched = before.filter(({ claim }) => {
        const { compositionUpdatePolicy } = claim['spec'] as { readonly compositionUpdatePolicy?: string };
        return compositionUpdatePolicy !== 'Manual' && !placeOf(claim).includes('/a9s-');
      });
      const after = await eventually(
        async () => {
          const all = await allComposed(admin, claims);
          const isTaken = ({ claim, revision }: ComposedClaim) =>
            all.some((one) => placeOf(one.claim) === placeOf(claim) && one.revision !== revision);
          return touched.every(isTaken) ? all : undefined;
        },
        { withinMs: 240_000, everyMs: 2_000 },
      );
      const changed = async (all: readonly ComposedClaim[]) =>
        all
          .filter(({ spec }, at) => spec !== before[at]?.spec)
          .map(({ claim }) => placeOf(claim))
          .sort();
      expect(after).toHaveLength(50);
      // A composite takes a revision over a moment before its objects follow.
      await eventually(
        async () => (await changed(await allComposed(admin, claims))).length >= named(report, 'changes').length,
        { withinMs: 60_000, everyMs: 1_000 },
      );
      expect(await changed(await allComposed(admin, claims))).toEqual(named(report, 'changes'));
    }, 600_000);
  },
  { needs: ['crossplane'] },
);
