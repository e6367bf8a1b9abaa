import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { describe, expect, it } from 'vitest';
import { ResourceQuotas } from '../../packages/backend/src/quotas/resource-quota.ts';
import { sampleApi } from '../konnector/world.ts';
import { klutch, openCrashScene, registrationsOf, statusOf } from './crash-scene.ts';

function suite(tier: Tier): void {
  it('CLI-37 says how long to wait when the control plane keeps no more export requests of an app cluster', async () => {
    const other = sampleApi();
    const scene = await openCrashScene(tier, { otherApis: [other] });
    const { api, kubeconfig, bindArgs, controlPlane } = scene;
    expect(await klutch(...bindArgs, '--kubeconfig', kubeconfig)).toMatchObject({ code: 0 });
    const [namespace] = await registrationsOf(scene);
    const none = { 'count/apiserviceexportrequests.klutch.anynines.com': '0' };
    const metadata = { namespace, name: 'full' };
    const quotas = controlPlane.admin.resource(ResourceQuotas);
    await quotas.create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard: none } });
    // Enforced is what the status says; on some servers nobody else writes it in time.
    await quotas.patch(
      metadata,
      { type: 'merge', patch: { status: { hard: none, used: none } } },
      { subresource: 'status' },
    );

    const args = bindArgs.map((word) => (word === api.name ? other.name : word));
    const { code, err } = await klutch(...args, '--kubeconfig', kubeconfig);

    expect(code, err).toBe(4);
    expect(err).toMatch(/Finished ones are deleted after ten minutes; try again then\./);
    expect((await statusOf(kubeconfig)).bindings).toEqual([expect.objectContaining({ api: api.name })]);
  });
}

describe('klutch bind and a full quota (embedded)', () => suite('embedded'));
describeReal('klutch bind and a full quota (real)', () => suite('real'));
