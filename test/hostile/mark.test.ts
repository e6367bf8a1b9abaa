import { annotations, labels } from '@klutch/api';
import { Namespaces } from '@klutch/kube';
import { expect, it, onTestFinished } from 'vitest';
import { ClusterRoleBindings, ClusterRoles, rbacGroup } from '../../packages/backend/src/objects/rbac.ts';
import { account, patiently } from '../backend/process-world.ts';
import { onOwnPlane, unique } from '../backend/exports-world.ts';
import { all, type Attempts, outcomesOf } from './outcomes.ts';

onOwnPlane('the mark of a namespace', (plane) => {
  it('S-14 is set and removed by the backend and administrators, and by nobody else who may write namespaces', async () => {
    const { admin } = plane();
    const { namespace: backend } = await account(plane(), {});
    const user = unique('somebody');
    const rule = { apiGroups: [''], resources: ['namespaces', 'namespaces/status', 'namespaces/finalize'] };
    await allow(user, [{ ...rule, verbs: ['get', 'create', 'update', 'patch', 'delete'] }]);
    const somebody = await plane().client({ name: user });
    onTestFinished(() => somebody.close());
    const namespaces = somebody.resource(Namespaces);
    const mark = { [labels.backend]: backend };
    const [own, tenants] = [unique('own'), unique('tenants')];
    const namespace = (name: string, marks = {}) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: marks },
    });
    await admin.resource(Namespaces).create(namespace(own));
    await admin.resource(Namespaces).create(namespace(tenants, mark));
    const labelled = (name: string, value: string | null, subresource?: string) => () =>
      namespaces.patch(
        { name },
        { type: 'merge', patch: { metadata: { labels: { [labels.backend]: value } } } },
        { subresource },
      );
    await patiently(() => namespaces.get({ name: own }));
    // Policies are in force a moment after they were applied.
    await patiently(async () => {
      const outcome = await outcomesOf({
        it: () => namespaces.create(namespace(unique('try'), mark), { dryRun: true }),
      });
      return outcome['it'] === 'forbidden';
    });

    const never: Attempts = {
      'makes a marked namespace': () => namespaces.create(namespace(unique('made'), mark)),
      'marks its own': labelled(own, backend),
      'marks it by way of the finalizers': async () => {
        const found = await namespaces.get({ name: own });
        await namespaces.replace(
          { ...found, metadata: { ...found.metadata, labels: mark } },
          { subresource: 'finalize' },
        );
      },
      'takes the mark away': labelled(tenants, null),
      'gives it to another backend': labelled(tenants, 'other'),
    };
    expect(await outcomesOf(never)).toEqual(all(never, 'forbidden'));
    // Servers refuse to change labels by way of the status, or do not do it.
    await outcomesOf({ sets: labelled(own, backend, 'status'), removes: labelled(tenants, null, 'status') });
    const markOf = async (name: string) =>
      (await admin.resource(Namespaces).get({ name })).metadata.labels?.[labels.backend];
    expect([await markOf(own), await markOf(tenants)]).toEqual([undefined, backend]);
    const fine: Attempts = {
      'changes other labels of a marked one': () =>
        namespaces.patch({ name: tenants }, { type: 'merge', patch: { metadata: { labels: { team: 'a' } } } }),
      'marks its own for a backend that is not there': labelled(own, 'nobody'),
      'deletes a marked one, which it may': () => namespaces.delete({ name: tenants }),
    };
    expect(await outcomesOf(fine)).toEqual(all(fine, 'done'));
    const forAdministrators: Attempts = {
      'an administrator sets it, as when a backup is restored': () =>
        admin.resource(Namespaces).create(namespace(unique('restored'), mark)),
    };
    expect(await outcomesOf(forAdministrators)).toEqual(all(forAdministrators, 'done'));
  }, 120_000);

  it('is set on what a Go backend made, by the backend alone and only there', async () => {
    const { admin } = plane();
    const { namespace: backend, user } = await account(plane(), {});
    const client = await plane().client({ name: user });
    onTestFinished(() => client.close());
    const made = async (notes: Readonly<Record<string, string>>) => {
      const metadata = { name: unique('go'), annotations: notes };
      await admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata });
      return metadata.name;
    };
    const patch = { metadata: { labels: { [labels.backend]: backend } } };
    const adopt = (name: string) => () =>
      client.resource(Namespaces).patch({ name }, { type: 'merge', patch }, { dryRun: true });
    const plain = await made({});
    await patiently(async () => (await outcomesOf({ it: adopt(plain) }))['it'] === 'forbidden');

    const adopted: Attempts = {
      'a cluster namespace': adopt(await made({ [annotations.identity]: 'ann#x' })),
      'a service namespace': adopt(await made({ [annotations.apiServiceNamespace]: 'cluster-x/team' })),
    };
    expect(await outcomesOf(adopted)).toEqual(all(adopted, 'done'));
    expect(await outcomesOf({ it: adopt(plain) })).toEqual({ it: 'forbidden' });
  }, 120_000);

  async function allow(user: string, rules: readonly { apiGroups: string[]; resources: string[]; verbs: string[] }[]) {
    const apiVersion = `${rbacGroup}/v1`;
    const metadata = { name: user };
    await plane().admin.resource(ClusterRoles).create({ apiVersion, kind: 'ClusterRole', metadata, rules });
    await plane()
      .admin.resource(ClusterRoleBindings)
      .create({
        apiVersion,
        kind: 'ClusterRoleBinding',
        metadata,
        subjects: [{ kind: 'User', name: user, apiGroup: rbacGroup }],
        roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: user },
      });
  }
});
