import { annotations, apiServiceBindingCrd, APIServiceNamespaces, finalizers } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { onBothTiers } from '../konnector/world.ts';
import { serviceNamespace } from './actions.ts';
import type { OpenAnsweringSide } from './answering-side.ts';
import { openGoBackend } from './go-backend.ts';
import { playStep, steps } from './go-konnector.ts';
import { openOurSide } from './our-side.ts';
import { theRequest } from './recording.ts';
import { replay } from './replay.ts';
import { openStage } from './stage.ts';

/** Who answers the Go konnector. The Go backend is among them to show that the recordings are played correctly. */
const sides: readonly (readonly [string, OpenAnsweringSide])[] = [
  ['our kinds, rights and names', openOurSide],
  ['a Go backend', openGoBackend],
];

onBothTiers('a Go konnector', (clusters) => {
  describe.each(sides)('with %s', (_, openSide) => {
    it('KON-67 gets the answers it is used to, from the first binding to the last deletion', async () => {
      const stage = await openStage(clusters(), openSide);
      const { app, controlPlane } = stage.clusters;
      for (const step of steps) await playStep(step, stage);

      const originals = app.admin.resource(stage.api.type);
      const copies = controlPlane.admin.resource(stage.api.type);
      expect(await originals.find({ namespace: stage.appNamespace, name: 'w1' })).toBeUndefined();
      expect(await copies.find({ namespace: serviceNamespace(stage), name: 'w1' })).toBeUndefined();
      const adopted = await originals.get({ namespace: stage.appNamespace, name: 'w2' });
      expect(adopted.metadata.finalizers).toEqual([finalizers.syncer]);
      expect(adopted.metadata.annotations).toEqual({ [annotations.bound]: 'true' });
      const place = { namespace: stage.side.clusterNamespace, name: stage.appNamespace };
      const mapping = await controlPlane.admin.resource(APIServiceNamespaces).get(place);
      expect(mapping.status?.namespace).toBe(serviceNamespace(stage));
      await stage.close();
    }, 120_000);
  });

  it('KON-67 may bring the kind of bindings to its own form where ours is installed', async () => {
    const stage = await openStage(clusters(), openOurSide);
    const uri = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const created = theRequest('go-konnector.app-cluster', { step: 'konnector starts', verb: 'create', uri });
    const update = {
      ...created,
      verb: 'update',
      uri: `${uri}/${apiServiceBindingCrd.metadata.name}`,
      status: 200,
    } as const;
    // Other tests use the kind at the same time, so that nothing is changed for good.
    const { status, answer } = await replay(update, stage.konnector.app, {
      query: 'dryRun=All',
      adapt: (body, current) => ({ ...body, metadata: { ...current?.metadata, managedFields: undefined } }),
    });
    expect(status, JSON.stringify(answer)).toBe(200);
    await stage.close();
  });
});
