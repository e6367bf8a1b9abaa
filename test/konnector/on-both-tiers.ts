import type { Tier } from '@klutch/kit';
import { describeReal, sharedPlane } from '@klutch/kit/vitest';
import { afterAll, beforeAll, describe } from 'vitest';
import { clusterOf, installKinds, openEmbedded, type TestCluster } from './clusters.ts';

export interface Clusters {
  readonly tier: Tier;
  readonly app: TestCluster;
  readonly controlPlane: TestCluster;
}

/**
 * Declares the same tests on both tiers. Embedded clusters belong to the file. Real ones are shared with the other files
 * of the run: work with names of your own (`unique`).
 */
export function onBothTiers(title: string, body: (clusters: () => Clusters) => void): void {
  const suite = (tier: Tier, open: (name: string) => Promise<TestCluster>) => () => {
    let clusters: Clusters | undefined;
    beforeAll(async () => {
      const [app, controlPlane] = await Promise.all([open('app'), open('control-plane')]);
      await installKinds(controlPlane);
      clusters = { tier, app, controlPlane };
    }, 180_000);
    afterAll(async () => {
      await Promise.all([clusters?.app.close(), clusters?.controlPlane.close()]);
    });
    body(() => {
      if (!clusters) throw new Error('The clusters are there only while tests run.');
      return clusters;
    });
  };
  describe(`${title} (embedded)`, suite('embedded', openEmbedded));
  describeReal(`${title} (real)`, suite('real', openShared));
}

async function openShared(name: string): Promise<TestCluster> {
  const plane = await sharedPlane(`konnector-${name}`);
  return clusterOf({
    url: plane.url,
    caCertificate: plane.pki.certificate,
    kubeconfig: async (user) => (user ? await plane.certificateUser(user) : plane.admin).kubeconfig,
    stop: async () => undefined,
  });
}
