import { eventually } from '@klutch/kit';
import type { Client } from '../client.ts';
import { inCluster } from '../paths.ts';
import { expectRefusal, forbidden } from '../refusal.ts';
import { conformance } from '../suite.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const clusterRoles = inCluster(`${rbac}/clusterroles`);

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
