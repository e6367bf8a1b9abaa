import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import type { Client, Received } from '../client.ts';
import { crds, install } from '../definition.ts';
import { configMap } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-gc';
const maps = inNamespace('v1/configmaps', namespace);
const held = ['x.io/hold'];

/** A reference to an owner. */
const ownedBy = ({ metadata }: Received, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: metadata.name,
  uid: metadata.uid,
  ...more,
});

conformance(
  'garbage collection',
  ({ check, prepare }) => {
    prepare((server) => server.createNamespace(namespace));
    const gone = (admin: Client, name: string) =>
      eventually(async () => (await admin.get(maps(name))).status === 404, { what: `${name} is gone` });
    const dependent = (name: string, owners: readonly object[], more: object = {}) =>
      configMap(name, {}, { ownerReferences: owners, ...more });

    for (const [title, query] of [
      ['by default', ''],
      ['in the background', '?propagationPolicy=Background'],
    ] as const) {
      const name = `bg${query.length}`;
      check(`deletes dependents ${title} after their owner`, async ({ admin }) => {
        const owner = await admin.create(maps(), configMap(name));
        const child = await admin.create(maps(), dependent(`${name}-child`, [ownedBy(owner)]));
        await admin.create(maps(), dependent(`${name}-grandchild`, [ownedBy(child)]));

        const { body } = await admin.delete(`${maps(name)}${query}`);

        expect([body.kind, body.status, (await admin.get(maps(name))).status]).toEqual(['Status', 'Success', 404]);
        await gone(admin, `${name}-child`);
        await gone(admin, `${name}-grandchild`);
      });
    }

    check('deletes the dependents of all objects of a definition that is deleted', async ({ admin }) => {
      const crd = { group: 'gc.conf.example', kind: 'Parent' };
      await install(admin, crd);
      const parents = inNamespace('gc.conf.example/v1/parents', namespace);
      const apiVersion = 'gc.conf.example/v1';
      const parent = async (name: string) => {
        const owner = await admin.create(parents(), { apiVersion, kind: crd.kind, metadata: { name } });
        const labels = { of: 'parents' };
        await admin.create(maps(), dependent(name, [ownedBy(owner, { apiVersion, kind: crd.kind })], { labels }));
      };
      const left = async () => (await admin.get(`${maps()}?labelSelector=of=parents`)).body.items.length;
      // The garbage collector of Kubernetes looks for new kinds every thirty seconds.
      await parent('known');
      await admin.delete(`${parents('known')}?propagationPolicy=Foreground`);
      await eventually(async () => (await admin.get(parents('known'))).status === 404, {
        what: 'the garbage collector knows the kind',
        withinMs: 90_000,
      });
      for (let index = 0; index < 100; index += 1) await parent(`p${index}`);

      await admin.delete(crds(`parents.${crd.group}`));

      await eventually(async () => (await left()) === 0, { what: 'all dependents are gone', withinMs: 60_000 });
    });

    check('leaves orphans, without their owner', async ({ admin }) => {
      const owner = await admin.create(maps(), configMap('orphaner'));
      await admin.create(maps(), dependent('orphan', [ownedBy(owner)]));

      await admin.delete(`${maps('orphaner')}?propagationPolicy=Orphan`);

      await gone(admin, 'orphaner');
      const { body } = await admin.get(maps('orphan'));
      expect(body.metadata.ownerReferences).toBeUndefined();
    });

    check('keeps an owner in the foreground until those who block it are gone', async ({ admin }) => {
      const owner = await admin.create(maps(), configMap('foreground'));
      await admin.create(
        maps(),
        dependent('blocking', [ownedBy(owner, { blockOwnerDeletion: true })], { finalizers: held }),
      );

      const { status, body } = await admin.delete(`${maps('foreground')}?propagationPolicy=Foreground`);
      await eventually(async () => (await admin.get(maps('blocking'))).body.metadata.deletionTimestamp !== undefined, {
        what: 'the dependent is being deleted',
      });
      const waiting = await admin.get(maps('foreground'));
      await admin.patch('merge', maps('blocking'), { metadata: { finalizers: null } });

      expect([status, body.metadata.finalizers]).toEqual([200, ['foregroundDeletion']]);
      expect([waiting.status, waiting.body.metadata.finalizers]).toEqual([200, ['foregroundDeletion']]);
      await gone(admin, 'foreground');
      expect((await admin.get(maps('blocking'))).status).toBe(404);
    });

    check('does not keep an owner in the foreground for those who do not block it', async ({ admin }) => {
      const owner = await admin.create(maps(), configMap('impatient'));
      await admin.create(
        maps(),
        dependent('not-blocking', [ownedBy(owner, { blockOwnerDeletion: false })], { finalizers: held }),
      );

      await admin.delete(`${maps('impatient')}?propagationPolicy=Foreground`);

      await gone(admin, 'impatient');
      await admin.patch('merge', maps('not-blocking'), { metadata: { finalizers: null } });
      await gone(admin, 'not-blocking');
    });

    check('deletes an owner without dependents in the foreground at once', async ({ admin }) => {
      await admin.create(maps(), configMap('lonely'));

      await admin.delete(maps('lonely'), { propagationPolicy: 'Foreground' });

      await gone(admin, 'lonely');
    });

    check('keeps what has another owner, without the one that went', async ({ admin }) => {
      const [first, second] = [
        await admin.create(maps(), configMap('first-owner')),
        await admin.create(maps(), configMap('second-owner')),
      ];
      await admin.create(maps(), dependent('shared', [ownedBy(first), ownedBy(second)]));

      await admin.delete(maps('first-owner'));

      await eventually(async () => (await admin.get(maps('shared'))).body.metadata.ownerReferences?.length === 1, {
        what: 'one owner is left',
      });
      expect((await admin.get(maps('shared'))).body.metadata.ownerReferences).toEqual([ownedBy(second)]);
      await admin.delete(maps('second-owner'));
      await gone(admin, 'shared');
    });

    check('deletes what never had an owner that exists', async ({ admin }) => {
      await admin.create(
        maps(),
        dependent('fatherless', [
          { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: '00000000-0000-4000-8000-000000000000' },
        ]),
      );

      await gone(admin, 'fatherless');
    });

    check('knows owners by uid, not by name', async ({ admin }) => {
      const owner = await admin.create(maps(), configMap('namesake'));
      await admin.create(
        maps(),
        dependent('mistaken', [ownedBy(owner, { uid: '00000000-0000-4000-8000-000000000001' })]),
      );
      await admin.create(maps(), dependent('rightful', [ownedBy(owner)]));

      await gone(admin, 'mistaken');
      expect((await admin.get(maps('rightful'))).status).toBe(200);
    });

    check('does not look for owners in other namespaces', async ({ admin, createNamespace }) => {
      await createNamespace('conf-gc-other');
      const far = await admin.create(inNamespace('v1/configmaps', 'conf-gc-other')(), configMap('far'));
      await admin.create(maps(), dependent('astray', [ownedBy(far)]));

      await gone(admin, 'astray');
      expect((await admin.get(inNamespace('v1/configmaps', 'conf-gc-other')('far'))).status).toBe(200);
    });

    check('lets cluster-wide objects own namespaced ones', async ({ admin }) => {
      const owner = await admin.create('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name: 'conf-gc-owner' },
      });
      const reference = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        name: 'conf-gc-owner',
        uid: owner.metadata.uid,
      };
      await admin.create(maps(), dependent('governed', [reference]));

      await admin.delete('/apis/rbac.authorization.k8s.io/v1/clusterroles/conf-gc-owner');

      await gone(admin, 'governed');
    });

    check('lets finalizers of dependents run', async ({ admin }) => {
      const owner = await admin.create(maps(), configMap('patient'));
      await admin.create(maps(), dependent('finalized', [ownedBy(owner)], { finalizers: held }));
      await admin.delete(maps('patient'));

      await eventually(async () => (await admin.get(maps('finalized'))).body.metadata.deletionTimestamp !== undefined, {
        what: 'the dependent is being deleted',
      });
      await admin.patch('merge', maps('finalized'), { metadata: { finalizers: null } });
      await gone(admin, 'finalized');
    });

    check('leaves alone what never had an owner', async ({ admin }) => {
      await admin.create(maps(), configMap('free'));
      const owner = await admin.create(maps(), configMap('owner-of-one'));
      await admin.create(maps(), dependent('owned', [ownedBy(owner)]));
      await admin.delete(maps('owner-of-one'));

      await gone(admin, 'owned');
      expect((await admin.get(maps('free'))).status).toBe(200);
    });
  },
  { concurrent: true },
);
