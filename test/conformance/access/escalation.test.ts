import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { inNamespace } from '../paths.ts';
import { expectRefusal, forbidden, notFound } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-escalation';
const rbac = 'rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';

/** Who may give what in the namespace, by user. */
const rolesOf: Readonly<Record<string, readonly object[]>> = {
  'conf-binder': [
    { apiGroups: [apiGroup], resources: ['rolebindings', 'roles'], verbs: ['create', 'update'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
  ],
  'conf-free-binder': [
    { apiGroups: [apiGroup], resources: ['rolebindings', 'roles'], verbs: ['create'] },
    { apiGroups: [apiGroup], resources: ['clusterroles'], resourceNames: ['view'], verbs: ['bind'] },
    { apiGroups: [apiGroup], resources: ['roles'], verbs: ['escalate'] },
  ],
};

conformance('roles and who may give them', ({ check, prepare }) => {
  prepare(async ({ admin, as, createNamespace }) => {
    await createNamespace(namespace);
    const powers = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'update', 'patch', 'delete'] }];
    for (const [name, rules] of Object.entries({ 'conf-writer': powers, ...rolesOf })) {
      await admin.create(inNamespace(`${rbac}/roles`, namespace)(), { metadata: { name }, rules });
      await admin.create(inNamespace(`${rbac}/rolebindings`, namespace)(), {
        metadata: { name },
        roleRef: { apiGroup, kind: 'Role', name },
        subjects: [{ kind: 'User', name }],
      });
    }
    const last = await as({ name: 'conf-free-binder' });
    const review = {
      spec: { resourceAttributes: { namespace, verb: 'escalate', group: apiGroup, resource: 'roles' } },
    };
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    await eventually(async () => (await last.post(path, review)).body.status.allowed === true, {
      what: 'the last role holds',
    });
  });

  check('cannot be given by those who do not have them', async ({ as }) => {
    const binder = await as({ name: 'conf-binder' });
    const roles = inNamespace(`${rbac}/roles`, namespace);
    const bindings = inNamespace(`${rbac}/rolebindings`, namespace);
    const rule = (verb: string, resource = 'configmaps') => ({ apiGroups: [''], resources: [resource], verbs: [verb] });

    const own = await binder.post(roles(), { metadata: { name: 'own' }, rules: [rule('get')] });
    expect(own.status).toBe(201);
    expectRefusal(
      await binder.post(roles(), {
        metadata: { name: 'more' },
        rules: [rule('get'), rule('delete'), rule('get', 'secrets')],
      }),
      forbidden(
        'roles.rbac.authorization.k8s.io',
        'more',
        'user "conf-binder" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
      ),
    );
    expectRefusal(
      await binder.put(roles('own'), { metadata: { name: 'own' }, rules: [rule('delete')] }),
      forbidden(
        'roles.rbac.authorization.k8s.io',
        'own',
        'user "conf-binder" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}',
      ),
    );
    expectRefusal(
      await binder.post(bindings(), {
        metadata: { name: 'more' },
        roleRef: { apiGroup, kind: 'Role', name: 'conf-writer' },
        subjects: [],
      }),
      forbidden(
        'rolebindings.rbac.authorization.k8s.io',
        'more',
        'user "conf-binder" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["configmaps"], Verbs:["create" "update" "patch" "delete"]}',
      ),
    );
    expectRefusal(
      await binder.post(bindings(), {
        metadata: { name: 'more' },
        roleRef: { apiGroup, kind: 'Role', name: 'absent' },
      }),
      notFound('rolebindings.rbac.authorization.k8s.io', 'absent'),
    );
    expect(
      (await binder.post(bindings(), { metadata: { name: 'own' }, roleRef: { apiGroup, kind: 'Role', name: 'own' } }))
        .status,
    ).toBe(201);
  });

  check('can be given by those who may bind or escalate', async ({ as }) => {
    const binder = await as({ name: 'conf-free-binder' });
    const bindings = inNamespace(`${rbac}/rolebindings`, namespace);
    const viewed = await binder.post(bindings(), {
      metadata: { name: 'viewed' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'view' },
    });
    const edited = await binder.post(bindings(), {
      metadata: { name: 'edited' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'edit' },
    });
    const escalated = await binder.post(inNamespace(`${rbac}/roles`, namespace)(), {
      metadata: { name: 'escalated' },
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
    });

    expect([viewed.status, edited.status, escalated.status]).toEqual([201, 403, 201]);
  });

  check('cannot be given by a binding of everything to those who have only parts', async ({ as }) => {
    const binder = await as({ name: 'conf-binder' });
    const { status, body } = await binder.post(inNamespace(`${rbac}/rolebindings`, namespace)(), {
      metadata: { name: 'all' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
    });

    expect([status, body.message]).toEqual([
      403,
      'rolebindings.rbac.authorization.k8s.io "all" is forbidden: user "conf-binder" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}',
    ]);
  });
});
