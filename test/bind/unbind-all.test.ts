import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { APIServiceBindings, APIServiceNamespaces, appCluster as names } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { Namespaces } from '@klutch/kube';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { patiently } from '../backend/process-world.ts';
import { type CrashScene, klutch, openCrashScene, registrationsOf, remainsOf } from '../cli/crash-scene.ts';
import { openOwnCluster, sampleApi } from '../konnector/world.ts';
import { claimWidget } from './person.ts';
import { isAccepted } from './scene.ts';

async function run(scene: CrashScene, ...args: string[]) {
  return klutch(...args, '--kubeconfig', scene.kubeconfig);
}

async function kubeconfigOfAnother(tier: Tier): Promise<string> {
  const other = await openOwnCluster(tier);
  onTestFinished(() => other.close());
  const kubeconfig = join(await scratchFolder(), 'config');
  await writeFile(kubeconfig, await other.kubeconfig(), { mode: 0o600 });
  return kubeconfig;
}

function unbindAll(tier: Tier): void {
  it('frees the place of the app cluster in the quota, after which another one is bound', async () => {
    const scene = await openCrashScene(tier, { clustersPerTenant: 1 });
    const other = await kubeconfigOfAnother(tier);
    expect(await run(scene, ...scene.bindArgs, '--wait')).toMatchObject({ code: 0 });
    const serviceNamespace = await claimWidget(scene, 'w1');
    const [credential = ''] = (await remainsOf(scene, scene.app)).kubeconfigs;
    const full = await klutch(...scene.bindArgs, '--kubeconfig', other);
    expect(full.code).not.toBe(0);
    expect(full.err).toContain('klutch unbind --all');

    const refused = await run(scene, 'unbind', '--all');
    expect(refused).toMatchObject({ code: 6, err: expect.stringContaining('team-a/w1') });
    const ended = await run(scene, 'unbind', '--all', '--force', '--yes');

    expect(ended).toMatchObject({ code: 0, err: expect.stringContaining('has ended the registration') });
    expect((await remainsOf(scene, scene.app)).secrets).toEqual([]);
    await patiently(async () => (await registrationsOf(scene)).length === 0);
    await patiently(async () => {
      return (await scene.controlPlane.admin.resource(Namespaces).find({ name: serviceNamespace })) === undefined;
    });
    await patiently(async () => !(await isAccepted(credential)));
    expect(await klutch(...scene.bindArgs, '--kubeconfig', other)).toMatchObject({ code: 0 });
    expect(await run(scene, 'unbind', '--all')).toMatchObject({
      code: 0,
      err: expect.stringContaining('Nothing is bound here'),
    });
  }, 300_000);

  it('is refused while objects are left on the control plane, says which, and goes on when they are gone', async () => {
    const unbound = sampleApi();
    const scene = await openCrashScene(tier, { clustersPerTenant: 1, otherApis: [unbound] });
    const { api, controlPlane, app } = scene;
    expect(await run(scene, ...scene.bindArgs, '--wait')).toMatchObject({ code: 0 });
    const namespace = await claimWidget(scene, 'w1');
    const { group, version, kind } = unbound.type;
    const data = controlPlane.admin.resource(unbound.type);
    const metadata = { name: 'kept', namespace };
    await data.create({ apiVersion: `${group}/${version}`, kind, metadata, spec: { size: 1 } });
    const [clusterNamespace] = await registrationsOf(scene);

    const refused = await run(scene, 'unbind', '--all', '--force', '--yes');

    expect(refused).toMatchObject({ code: 6, err: expect.stringContaining(`${kind} kept of namespace team-a`) });
    const binding = await app.admin.resource(APIServiceBindings).find({ namespace: names.namespace, name: api.name });
    expect(binding).toBeUndefined();
    expect((await remainsOf(scene, app)).secrets).toHaveLength(1);
    expect(await registrationsOf(scene)).toEqual([clusterNamespace]);
    const { items } = await controlPlane.admin
      .resource(APIServiceNamespaces)
      .list({ namespace: clusterNamespace ?? '' });
    expect(items.map(({ metadata }) => metadata.deletionTimestamp)).toEqual(items.map(() => undefined));

    expect(await data.find({ namespace, name: 'kept' })).toBeDefined();
    await data.delete({ namespace, name: 'kept' });
    expect(await run(scene, 'unbind', '--all')).toMatchObject({ code: 0 });
    expect((await remainsOf(scene, app)).secrets).toEqual([]);
    await patiently(async () => (await registrationsOf(scene)).length === 0);
  }, 300_000);
}

describe('klutch unbind --all (embedded)', () => unbindAll('embedded'));
describeReal('klutch unbind --all (real)', () => unbindAll('real'));
