import { annotations, APIServiceNamespaces, distinctName, finalizers } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installKinds } from '../konnector/clusters.ts';
import { type Clusters, openOwnCluster } from '../konnector/world.ts';
import { serviceNamespace } from './actions.ts';
import { playStep, steps } from './go-konnector.ts';
import { openOurBackend } from './our-backend.ts';
import { openStage } from './stage.ts';

// A backend answers everybody on its control plane, hence one that no other file uses.
describe('a Go konnector and CLI with our backend (embedded)', suite('embedded'));
describeReal('a Go konnector and CLI with our backend (real)', suite('real'));

function suite(tier: Tier): () => void {
  return () => {
    let clusters: Clusters | undefined;
    beforeAll(async () => {
      const [app, controlPlane] = await Promise.all([openOwnCluster(tier), openOwnCluster(tier)]);
      clusters = { tier, app, controlPlane };
      await installKinds(controlPlane);
    }, 180_000);
    afterAll(async () => {
      await Promise.all([clusters?.app.close(), clusters?.controlPlane.close()]);
    });

    it('BE-43 KON-67 get the answers they are used to, from the first binding to the last deletion', async () => {
      if (!clusters) throw new Error('The clusters are there only while tests run.');
      const stage = await openStage(clusters, openOurBackend);
      const { app, controlPlane } = stage.clusters;
      for (const step of steps) await playStep(step, stage);

      const originals = app.admin.resource(stage.api.type);
      const copies = controlPlane.admin.resource(stage.api.type);
      expect(await originals.find({ namespace: stage.appNamespace, name: 'w1' })).toBeUndefined();
      expect(await copies.find({ namespace: serviceNamespace(stage), name: 'w1' })).toBeUndefined();
      const adopted = await originals.get({ namespace: stage.appNamespace, name: 'w2' });
      expect(adopted.metadata.annotations).toEqual({ [annotations.bound]: 'true' });
      const place = { namespace: stage.side.clusterNamespace, name: stage.appNamespace };
      const mapping = await controlPlane.admin.resource(APIServiceNamespaces).get(place);
      expect(mapping.status?.namespace).toBe(distinctName(place.namespace, place.name));
      expect(mapping.metadata.finalizers).toEqual([finalizers.serviceNamespace]);
      await stage.close();
    }, 180_000);
  };
}
