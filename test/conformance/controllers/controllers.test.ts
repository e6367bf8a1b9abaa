import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import type { Client } from '../client.ts';
import { install } from '../definition.ts';
import { masked, storedMeta } from '../mask.ts';
import { configMap, secret } from '../objects.ts';
import { inCluster, inNamespace } from '../paths.ts';
import { expectRefusal, forbidden } from '../refusal.ts';
import { conformance } from '../suite.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const clusterRoles = inCluster(`${rbac}/clusterroles`);

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
  },
  { concurrent: true },
);

conformance(
  'aggregated cluster roles',
  ({ check }) => {
    const selected = (label: string) => ({ clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] });
    const rule = (resource: string) => ({ verbs: ['get'], apiGroups: ['conf.example'], resources: [resource] });
    const rulesOf = async (admin: Client, name: string) =>
      ((await admin.get(clusterRoles(name))).body.rules ?? []) as readonly { resources?: string[] }[];
    const resourcesOf = async (admin: Client, name: string) =>
      (await rulesOf(admin, name))
        .flatMap(({ resources }) => resources ?? [])
        .toSorted()
        .join();

    check('have the rules of all roles that match', async ({ admin }) => {
      await admin.create(clusterRoles(), {
        metadata: { name: 'conf-agg' },
        aggregationRule: selected('conf.example/agg'),
        rules: [rule('own')],
      });
      await admin.create(clusterRoles(), {
        metadata: { name: 'conf-agg-a', labels: { 'conf.example/agg': 'true' } },
        rules: [rule('as')],
      });
      await admin.create(clusterRoles(), {
        metadata: { name: 'conf-agg-b', labels: { 'conf.example/agg': 'true' } },
        rules: [rule('bs')],
      });

      await eventually(async () => (await resourcesOf(admin, 'conf-agg')) === 'as,bs', {
        what: 'both rules are there, and no other',
      });
      await admin.delete(clusterRoles('conf-agg-a'));
      await eventually(async () => (await resourcesOf(admin, 'conf-agg')) === 'bs', { what: 'one rule is left' });
      await admin.patch('merge', clusterRoles('conf-agg-b'), { rules: [rule('cs')] });
      await eventually(async () => (await resourcesOf(admin, 'conf-agg')) === 'cs', { what: 'the rule has changed' });
    });

    check('are put right when somebody changes their rules', async ({ admin }) => {
      await admin.create(clusterRoles(), {
        metadata: { name: 'conf-agg-fixed' },
        aggregationRule: selected('conf.example/fixed'),
      });
      await admin.create(clusterRoles(), {
        metadata: { name: 'conf-agg-part', labels: { 'conf.example/fixed': 'true' } },
        rules: [rule('as')],
      });
      await eventually(async () => (await resourcesOf(admin, 'conf-agg-fixed')) === 'as', {
        what: 'the rule is there',
      });
      await admin.patch('merge', clusterRoles('conf-agg-fixed'), { rules: [rule('mine')] });

      await eventually(async () => (await resourcesOf(admin, 'conf-agg-fixed')) === 'as', {
        what: 'the rule is there again',
      });
    });

    check('include view, edit and admin, each in the next', async ({ admin }) => {
      const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
      await admin.create(clusterRoles(), {
        metadata: { name: 'conf-agg-view', labels },
        rules: [rule('conf-viewables')],
      });
      for (const name of ['view', 'edit', 'admin']) {
        await eventually(async () => (await resourcesOf(admin, name)).includes('conf-viewables'), {
          what: `${name} has the rule`,
        });
      }
      await admin.delete(clusterRoles('conf-agg-view'));
    });

    check('cannot be made by those who could not give every role', async ({ admin, as }) => {
      const rules = [{ verbs: ['create'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'] }];
      await admin.create(clusterRoles(), { metadata: { name: 'conf-agg-maker' }, rules });
      await admin.create(inCluster(`${rbac}/clusterrolebindings`)(), {
        metadata: { name: 'conf-agg-maker' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'conf-agg-maker' },
        subjects: [{ kind: 'User', name: 'conf-agg-maker' }],
      });
      const maker = await as({ name: 'conf-agg-maker' });
      await eventually(
        async () =>
          (await maker.post(clusterRoles(), { metadata: { generateName: 'conf-agg-none-' }, rules: [] })).status ===
          201,
        { what: 'the role holds' },
      );

      expectRefusal(
        await maker.post(clusterRoles(), { metadata: { name: 'conf-agg-all' }, aggregationRule: selected('x') }),
        forbidden(
          'clusterroles.rbac.authorization.k8s.io',
          'conf-agg-all',
          'must have cluster-admin privileges to use the aggregationRule',
        ),
      );
    });
  },
  { concurrent: true },
);
