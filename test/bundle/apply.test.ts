import { ConditionType } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { describe, expect, it } from 'vitest';
import { openAppCluster } from './app-cluster.ts';
import { openProvider } from './scene.ts';

function applying(tier: Tier): void {
  it('connects a cluster by kubectl apply alone', async () => {
    const provider = await openProvider(tier);
    const [api] = provider.apis;
    const app = await openAppCluster(tier);
    const file = await app.file(await provider.bundle());

    await app.kubectl.run(`apply -f ${file}`);
    await app.kubectl.out(`apply -f ${file}`);
    await app.untilReady(api.name);

    expect(await app.credentials()).toHaveLength(1);
    const binding = await app.binding(api.name);
    expect(binding.status?.conditions?.map(({ type }) => type)).not.toContain(ConditionType.Enrolled);
  }, 180_000);
}

describe('a bundle (embedded)', () => applying('embedded'));
describeReal('a bundle (real)', () => applying('real'));
