import { APIServiceBindings, CustomResourceDefinitions, finalizers } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { Namespaces } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { patiently } from '../backend/process-world.ts';
import { type AppCluster, openAppCluster } from './app-cluster.ts';
import { openProvider, type Provider } from './scene.ts';

/** A claim of a developer whose copy has arrived on the control plane. */
async function claimWidget({ admin }: AppCluster, { controlPlane, apis: [{ type }] }: Provider): Promise<void> {
  await admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } });
  const metadata = { name: 'w1', namespace: 'team-a' };
  const apiVersion = `${type.group}/${type.version}`;
  await admin.resource(type).create({ apiVersion, kind: type.kind, metadata, spec: { size: 1 } });
  await patiently(async () => (await controlPlane.admin.resource(type).list()).items.length === 1);
}

/** Deletes a file as users are told to. Yields what the first run printed. */
async function deleteFile({ kubectl }: AppCluster, file: string): Promise<string> {
  const remove = () => kubectl.run(`delete --ignore-not-found -f ${file}`);
  const first = await remove();
  await patiently(async () => (await remove()).code === 0);
  return first.stderr;
}

function deleting(tier: Tier): void {
  it.each([
    ['Keep', { claims: 1, copies: 1, crds: 1 }],
    ['Remove', { claims: 0, copies: 1, crds: 0 }],
    ['Delete', { claims: 0, copies: 0, crds: 0 }],
  ] as const)(
    'ends the bindings as the policy %s says before the konnector and its rights go',
    async (policy, left) => {
      const provider = await openProvider(tier);
      const [api] = provider.apis;
      const app = await openAppCluster(tier);
      const file = await app.file(await provider.bundle('--on-unbind', policy));
      await app.apply(file);
      await app.untilReady(api.name);
      await claimWidget(app, provider);

      const refused = await deleteFile(app, file);

      expect(refused).toContain('The konnector is needed until everything that it bound has ended');
      const crds = await app.admin.resource(CustomResourceDefinitions).list();
      const names = crds.items.map(({ metadata }) => metadata.name);
      expect(names.filter((name) => name === api.name)).toHaveLength(left.crds);
      expect(names).not.toContain('apiservicebindings.klutch.anynines.com');
      const claims = left.crds === 0 ? [] : (await app.admin.resource(api.type).list()).items;
      expect(claims).toHaveLength(left.claims);
      for (const { metadata } of claims) expect(metadata.finalizers ?? []).not.toContain(finalizers.syncer);
      const copies = await provider.controlPlane.admin.resource(api.type).list();
      expect(copies.items).toHaveLength(left.copies);
      await patiently(async () => (await app.admin.resource(Namespaces).find({ name: 'klutch-bind' })) === undefined);
      const rest = await app.kubectl.out('get clusterroles,clusterrolebindings,validatingadmissionpolicies -o name');
      expect(rest).not.toContain('klutch');
    },
    240_000,
  );

  it('cannot take the konnector away while something is bound', async () => {
    const provider = await openProvider(tier);
    const [api] = provider.apis;
    const app = await openAppCluster(tier);
    await app.apply(await app.file(await provider.bundle()));
    await app.untilReady(api.name);
    const guarded = [
      'namespace klutch-bind',
      'deployment konnector',
      'serviceaccount konnector',
      'role konnector',
      'rolebinding konnector',
      'crd apiservicebindings.klutch.anynines.com',
    ];

    for (const object of guarded) {
      const { code, stderr } = await app.kubectl.run(`delete ${object} --wait=false`);
      expect({ object, code, stderr }).toMatchObject({ object, code: 1, stderr: expect.stringContaining('is needed') });
    }

    expect(await app.admin.resource(APIServiceBindings).list()).toMatchObject({ items: [{}] });
    await app.untilReady(api.name);
  }, 240_000);
}

describe('deleting a bundle (embedded)', () => deleting('embedded'));
describeReal('deleting a bundle (real)', () => deleting('real'));
