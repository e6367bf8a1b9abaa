import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { install } from '../definition.ts';
import { masked, storedMeta } from '../mask.ts';
import { configMap, secret } from '../objects.ts';
import { inCluster, inNamespace } from '../paths.ts';
import { expectRefusal, refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const namespaces = inCluster('v1/namespaces');

const terminating = refusal(
  403,
  'Forbidden',
  'configmaps "late" is forbidden: unable to create new content in namespace conf-ns-held because it is being terminated',
  {
    name: 'late',
    kind: 'configmaps',
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: 'namespace conf-ns-held is being terminated',
        field: 'metadata.namespace',
      },
    ],
  },
);

conformance(
  'controllers of a namespace',
  ({ check }) => {
    check('give every namespace a default service account, also a second time', async ({ admin, createNamespace }) => {
      await createNamespace('conf-ctl-account');
      const accounts = inNamespace('v1/serviceaccounts', 'conf-ctl-account');
      const found = async (notUid?: string) => {
        const { status, body } = await admin.get(accounts('default'));
        return status === 200 && body.metadata.uid !== notUid && body;
      };
      const first = await eventually(() => found(), { what: 'the account is there' });
      await admin.delete(accounts('default'));
      const second = await eventually(() => found(first.metadata.uid), { what: 'the account is there again' });

      expect(masked(second)).toEqual({
        kind: 'ServiceAccount',
        apiVersion: 'v1',
        metadata: storedMeta('default', 'conf-ctl-account'),
      });
    });

    check(
      'give every namespace the certificate of the authority, and keep it right',
      async ({ admin, createNamespace, caCertificate }) => {
        await createNamespace('conf-ctl-ca');
        const maps = inNamespace('v1/configmaps', 'conf-ctl-ca');
        const published = () =>
          eventually(
            async () => {
              const { body } = await admin.get(maps('kube-root-ca.crt'));
              return String(body.data?.['ca.crt']).trim() === caCertificate.trim() && body;
            },
            { what: 'the certificate is published' },
          );
        const first = await published();
        await admin.patch('merge', maps('kube-root-ca.crt'), { data: { 'ca.crt': 'wrong' } });
        await published();
        await admin.delete(maps('kube-root-ca.crt'));
        await published();

        expect(Object.keys(first.data)).toEqual(['ca.crt']);
      },
    );

    check('empty a namespace that is deleted, and then remove it', async ({ admin, createNamespace }) => {
      await createNamespace('conf-ctl-emptied');
      const objects = [
        [inNamespace('v1/configmaps', 'conf-ctl-emptied'), configMap('a')],
        [inNamespace('v1/secrets', 'conf-ctl-emptied'), secret('a')],
        [inNamespace('coordination.k8s.io/v1/leases', 'conf-ctl-emptied'), { metadata: { name: 'a' } }],
        [inNamespace(`${rbac}/roles`, 'conf-ctl-emptied'), { metadata: { name: 'a' }, rules: [] }],
      ] as const;
      for (const [path, object] of objects) await admin.create(path(), object);

      await admin.delete('/api/v1/namespaces/conf-ctl-emptied');
      await eventually(async () => (await admin.get('/api/v1/namespaces/conf-ctl-emptied')).status === 404, {
        what: 'the namespace is gone',
      });

      for (const [path] of objects) expect((await admin.get(path('a'))).status).toBe(404);
      await createNamespace('conf-ctl-emptied');
      expect((await admin.get(inNamespace('v1/secrets', 'conf-ctl-emptied')())).body.items).toEqual([]);
    });

    check('remove custom objects with their namespace', async ({ admin, createNamespace }) => {
      await createNamespace('conf-ctl-custom');
      await install(admin, { group: 'controllers.conf.example', kind: 'Tenant' });
      const tenants = inNamespace('controllers.conf.example/v1/tenants', 'conf-ctl-custom');
      const tenant = {
        apiVersion: 'controllers.conf.example/v1',
        kind: 'Tenant',
        metadata: { name: 'a', finalizers: ['x.io/hold'] },
      };
      await admin.create(tenants(), tenant);
      await admin.delete('/api/v1/namespaces/conf-ctl-custom');
      await eventually(async () => (await admin.get(tenants('a'))).body.metadata.deletionTimestamp !== undefined, {
        what: 'the object is being deleted',
      });

      expect((await admin.get('/api/v1/namespaces/conf-ctl-custom')).status).toBe(200);
      await admin.patch('merge', tenants('a'), { metadata: { finalizers: null } });
      await eventually(async () => (await admin.get('/api/v1/namespaces/conf-ctl-custom')).status === 404, {
        what: 'the namespace is gone',
      });
      expect((await admin.get(tenants('a'))).status).toBe(404);
    });

    check(
      'keep a namespace terminating as long as something holds it, and let nothing new in',
      async ({ admin, createNamespace }) => {
        await createNamespace('conf-ns-held');
        const maps = inNamespace('v1/configmaps', 'conf-ns-held');
        await admin.create(maps(), configMap('held', {}, { finalizers: ['x.io/hold'] }));

        const { status, body } = await admin.delete(namespaces('conf-ns-held'));
        const refused = await admin.post(maps(), configMap('late'));
        const applied = await admin.apply(maps('late'), 'one', configMap('late'));
        const updated = await admin.patch('merge', maps('held'), { data: { a: '1' } });
        await eventually(
          async () =>
            (
              (await admin.get(namespaces('conf-ns-held'))).body.status.conditions as
                | { type: string; status: string }[]
                | undefined
            )?.some(({ type, status }) => type === 'NamespaceFinalizersRemaining' && status === 'True'),
          { what: 'the namespace says what holds it' },
        );
        const { body: waiting } = await admin.get(namespaces('conf-ns-held'));
        await admin.patch('merge', maps('held'), { metadata: { finalizers: null } });

        expect([status, body.kind, body.status, body.metadata.deletionTimestamp !== undefined]).toEqual([
          200,
          'Namespace',
          { phase: 'Terminating' },
          true,
        ]);
        expectRefusal(refused, terminating);
        expectRefusal(applied, terminating);
        expect(updated.status).toBe(200);
        expect(masked(waiting.status)).toEqual({
          phase: 'Terminating',
          conditions: [
            {
              type: 'NamespaceDeletionDiscoveryFailure',
              status: 'False',
              lastTransitionTime: '<time>',
              reason: 'ResourcesDiscovered',
              message: 'All resources successfully discovered',
            },
            {
              type: 'NamespaceDeletionGroupVersionParsingFailure',
              status: 'False',
              lastTransitionTime: '<time>',
              reason: 'ParsedGroupVersions',
              message: 'All legacy kube types successfully parsed',
            },
            {
              type: 'NamespaceDeletionContentFailure',
              status: 'False',
              lastTransitionTime: '<time>',
              reason: 'ContentDeleted',
              message: 'All content successfully deleted, may be waiting on finalization',
            },
            {
              type: 'NamespaceContentRemaining',
              status: 'True',
              lastTransitionTime: '<time>',
              reason: 'SomeResourcesRemain',
              message: 'Some resources are remaining: configmaps. has 1 resource instances',
            },
            {
              type: 'NamespaceFinalizersRemaining',
              status: 'True',
              lastTransitionTime: '<time>',
              reason: 'SomeFinalizersRemain',
              message: 'Some content in the namespace has finalizers remaining: x.io/hold in 1 resource instances',
            },
          ],
        });
        await eventually(async () => (await admin.get(namespaces('conf-ns-held'))).status === 404, {
          what: 'the namespace is gone',
        });
      },
    );

    check('take a second deletion like the first', async ({ admin, createNamespace }) => {
      await createNamespace('conf-ns-twice');
      await admin.create(
        inNamespace('v1/configmaps', 'conf-ns-twice')(),
        configMap('held', {}, { finalizers: ['x.io/hold'] }),
      );
      await admin.delete(namespaces('conf-ns-twice'));
      const again = await admin.delete(namespaces('conf-ns-twice'));
      await admin.patch('merge', inNamespace('v1/configmaps', 'conf-ns-twice')('held'), {
        metadata: { finalizers: null },
      });

      expect([again.status, again.body.kind, again.body.message]).toEqual([200, 'Namespace', undefined]);
    });

    check('remove a namespace when its last finalizer goes', async ({ admin }) => {
      await admin.create(namespaces(), {
        metadata: { name: 'conf-ns-final' },
        spec: { finalizers: ['kubernetes', 'x.io/hold'] },
      });
      await admin.delete(namespaces('conf-ns-final'));
      const emptied = await eventually(
        async () => {
          const { body } = await admin.get(namespaces('conf-ns-final'));
          return (body.spec.finalizers as string[]).length === 1 && body;
        },
        { what: 'the namespace is empty' },
      );

      const { status, body } = await admin.put(`${namespaces('conf-ns-final')}/finalize`, {
        metadata: { name: 'conf-ns-final' },
        spec: {},
      });

      expect([emptied.spec, status, body.kind]).toEqual([{ finalizers: ['x.io/hold'] }, 200, 'Namespace']);
      await eventually(async () => (await admin.get(namespaces('conf-ns-final'))).status === 404, {
        what: 'the namespace is gone',
      });
    });
  },
  { concurrent: true },
);
