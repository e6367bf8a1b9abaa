import { annotations, binderRoleName, controlPlane } from '@klutch/api';
import { type Interceptor, Namespaces } from '@klutch/kube';
import { expect, it, vi } from 'vitest';
import { ClusterRoleBindings, rbacGroup, RoleBindings, Roles } from '../../packages/backend/src/objects/rbac.ts';
import { binderRules } from '../../packages/backend/src/grants/binder-rules.ts';
import { tenantRights } from '../../packages/backend/src/tenants/rights.ts';
import {
  addServiceNamespace,
  exportSpec,
  onOwnPlane,
  openBackend,
  person,
  publish,
  sampleApi,
  soon,
  team,
  tokenOf,
  unique,
} from './tenants-world.ts';

vi.setConfig({ testTimeout: 240_000 });

onOwnPlane('the rights of a backend', (plane) => {
  it('S-14 are all used, and what it does needs no other', async () => {
    const used = new Set<string>();
    const record: Interceptor = (next) => (request) => {
      used.add(`${request.about.verb} ${request.about.resource}`);
      return next(request);
    };
    const { admin } = plane();
    const api = sampleApi();
    const backend = await openBackend(plane(), { exports: [exportSpec(api)], interceptors: [record] });
    await backend.lead();

    // Bound, looked at, rotated and withdrawn.
    const cluster = { id: unique('cluster') };
    const { namespace } = await backend.tenants.provision(cluster, team('red'), person('ann'));
    await publish(plane(), namespace, api);
    const service = await addServiceNamespace(plane(), namespace, 'prod');
    const role = { namespace: service, name: controlPlane.binder };
    await soon(async () => (await admin.resource(Roles).find(role))?.rules?.length === 1);
    const again = await backend.tenants.provision({ ...cluster, uid: 'uid' }, team('red'), person('bob'));
    await backend.tenants.namespaceOf(tokenOf(again.kubeconfig));
    const rotated = await backend.tenants.rotate(namespace);
    await soon(() => used.has('patch secrets'));
    await backend.tenants.retireOthers(namespace, tokenOf(rotated.kubeconfig));
    await backend.tenants.withdraw(namespace, [{ group: api.type.group, resource: api.type.plural }]);

    // Changed by somebody else, in every way that is repaired.
    const binding = { namespace, name: 'klutch-binder' };
    await admin.resource(RoleBindings).patch(binding, { type: 'merge', patch: { subjects: [] } });
    await soon(() => used.has(right('patch', rbacGroup, 'rolebindings')));
    await soon(async () => (await admin.resource(RoleBindings).get(binding)).subjects?.length === 1);
    const { roleRef, ...content } = await admin.resource(RoleBindings).get(binding);
    const foreign = { ...content, metadata: { ...binding }, roleRef: { ...roleRef, name: 'view' } };
    // The backend may be faster with its own.
    await soon(async () => {
      await admin
        .resource(RoleBindings)
        .delete(binding)
        .catch(() => undefined);
      await admin
        .resource(RoleBindings)
        .create(foreign)
        .catch(() => undefined);
      return used.has(right('delete', rbacGroup, 'rolebindings'));
    });
    const stray = { name: binderRoleName(namespace) };
    const clusterRole = { ...roleRef, kind: 'ClusterRole', name: stray.name };
    await admin
      .resource(ClusterRoleBindings)
      .create({ ...foreign, kind: 'ClusterRoleBinding', metadata: stray, roleRef: clusterRole });
    await soon(() => used.has(right('delete', rbacGroup, 'clusterrolebindings')));

    // Revoked and purged.
    const values = { [annotations.access]: 'Revoked', [annotations.purge]: namespace };
    await admin
      .resource(Namespaces)
      .patch({ name: namespace }, { type: 'merge', patch: { metadata: { annotations: values } } });
    await soon(async () => (await admin.resource(Namespaces).find({ name: namespace })) === undefined);
    await backend.close();

    const { cluster: clusterRules, tenant } = tenantRights('Namespaced', 'tenants');
    const granted = [...clusterRules, ...tenant]
      .filter((rule) => !binderRules.includes(rule))
      .flatMap(({ apiGroups, resources, verbs }) =>
        resources.flatMap((resource) => verbs.map((verb) => right(verb, apiGroups[0] ?? '', resource))),
      );
    expect(granted.filter((one) => !used.has(one) && !isIndirect(one))).toEqual([]);
  });
});

/** Rights that show in what other requests are allowed to do, and those of the audit, which tests of its own cover. */
function isIndirect(used: string): boolean {
  return used.startsWith('bind ') || used.endsWith(' events');
}

/** As requests name what they are about. */
function right(verb: string, group: string, resource: string): string {
  const [plural, subresource] = resource.split('/');
  const name = group === '' ? plural : `${plural}.${group}`;
  return `${verb} ${name}${subresource === undefined ? '' : `/${subresource}`}`;
}
