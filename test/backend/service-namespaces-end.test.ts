import { annotations, controlPlane as names, distinctName, finalizers } from '@klutch/api';
import { createFaults, createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { onOwnPlane, provide, register, sampleApi, soon, startBackend, widget } from './exports-world.ts';
import { ref, sceneOn } from './service-namespaces-scene.ts';

onOwnPlane('service namespaces', (plane) => {
  const scene = () => sceneOn(plane());

  describe('that go', () => {
    it('BE-37 are deleted with their object, which goes last', async () => {
      await startBackend(plane());
      const cluster = await register(plane());
      await scene().want(cluster, 'team');
      const name = await scene().servedBy(cluster, 'team');
      expect((await scene().mappings.get(ref(cluster, 'team'))).metadata.finalizers).toEqual([
        finalizers.serviceNamespace,
      ]);

      await scene().giveUp(cluster, 'team');

      await scene().isGone(cluster, 'team');
      expect(await scene().namespaces.find({ name })).toBeUndefined();
    });

    it('S-4 are kept while objects of an offered API are left in them, and say so', async () => {
      const clock = createManualClock(new Date());
      const [api, restricted] = [sampleApi(), sampleApi()];
      await startBackend(plane(), { apis: [api, restricted], clock });
      const cluster = await register(plane(), 'team-a');
      await provide(plane(), api);
      await provide(plane(), restricted, { allowedTenants: 'nobody' });
      await scene().want(cluster, 'team');
      const namespace = await scene().servedBy(cluster, 'team');
      const widgets = plane().admin.resource(restricted.type);
      await widgets.create(widget(restricted, 'precious', namespace, { size: 1 }));

      await scene().giveUp(cluster, 'team');

      const held = await scene().condition(cluster, 'team', 'DeletionHeld');
      expect(held.message).toContain('Widget precious');
      expect((await scene().namespaces.get({ name: namespace })).metadata.deletionTimestamp).toBeUndefined();

      await widgets.delete({ namespace, name: 'precious' });
      await soon(async () => {
        await clock.advance(1_000);
        return (await scene().mappings.find(ref(cluster, 'team'))) === undefined;
      });
      expect(await scene().namespaces.find({ name: namespace })).toBeUndefined();
    });

    it('BE-59 are deleted with what is in them when the operator purges the app cluster', async () => {
      const api = sampleApi();
      await startBackend(plane(), { apis: [api] });
      const cluster = await register(plane());
      await provide(plane(), api);
      await scene().want(cluster, 'team');
      const namespace = await scene().servedBy(cluster, 'team');
      await plane()
        .admin.resource(api.type)
        .create(widget(api, 'w', namespace, { size: 1 }));
      await scene().giveUp(cluster, 'team');
      await scene().condition(cluster, 'team', 'DeletionHeld');

      const marks = { [annotations.access]: 'Revoked', [annotations.purge]: cluster.name };
      await scene().namespaces.patch(
        { name: cluster.name },
        { type: 'merge', patch: { metadata: { annotations: marks } } },
      );

      await soon(async () => (await scene().namespaces.find({ name: namespace })) === undefined);
      await scene().isGone(cluster, 'team');
    });

    it('S-4 are kept while nobody can tell what is in them', async () => {
      const api = sampleApi();
      // Without the right to look for objects of the API.
      const [backend, cluster] = [await startBackend(plane()), await register(plane())];
      await provide(plane(), api);
      await scene().want(cluster, 'team');
      const name = await scene().servedBy(cluster, 'team');
      await soon(() => backend.catalogue.all().some((offer) => offer.name === api.name));

      await scene().giveUp(cluster, 'team');

      await scene().condition(cluster, 'team', 'NamespaceFailed');
      expect((await scene().namespaces.get({ name })).metadata.deletionTimestamp).toBeUndefined();
    });
  });

  describe('of a backend that dies', () => {
    const writes = ['the finalizer', 'the namespace', 'the rights', 'the answer'] as const;
    it.each(writes)('BE-36 S-3 before it wrote %s are finished by the next one', async (what) => {
      const cluster = await register(plane());
      const faults = createFaults();
      const hit = faults.add({ fault: { type: 'drop' }, when: ({ method, path }) => isWrite(what, method, path) });
      const dying = await startBackend(plane(), { interceptors: [faults.interceptor] });
      await scene().want(cluster, 'team');
      await soon(() => hit.hits > 0);
      await dying.stop();
      expect((await scene().mappings.get(ref(cluster, 'team'))).status?.namespace).toBeUndefined();

      await startBackend(plane());

      const name = await scene().servedBy(cluster, 'team');
      expect(await scene().roleBindings.find({ namespace: name, name: names.binder })).toBeDefined();
    });

    it.each(['the finalizer', 'the namespace', 'the rights', 'the answer'] as const)(
      'BE-36 S-3 after %s was written but the answer to that got lost are finished, too',
      async (what) => {
        const cluster = await register(plane());
        const faults = createFaults();
        faults.add({
          fault: { type: 'loseAnswer' },
          when: ({ method, path }) => isWrite(what, method, path),
          times: 1,
        });
        await startBackend(plane(), { interceptors: [faults.interceptor] });

        await scene().want(cluster, 'team');

        expect(await scene().servedBy(cluster, 'team')).toBe(distinctName(cluster.name, 'team'));
        expect(await scene().ownNamespaces(cluster)).toHaveLength(1);
      },
    );
  });
});

function isWrite(what: string, method: string, path: string): boolean {
  if (what === 'the namespace') return method === 'POST' && path.startsWith('/api/v1/namespaces');
  if (what === 'the rights') return method === 'POST' && path.includes('/rolebindings');
  const isStatus = path.includes('/status');
  return method === 'PATCH' && path.includes('/apiservicenamespaces/') && isStatus === (what === 'the answer');
}
