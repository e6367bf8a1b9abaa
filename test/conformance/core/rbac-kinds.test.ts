import { expect } from 'vitest';
import { masked, storedMeta } from '../mask.ts';
import { inNamespace } from '../paths.ts';
import { type Causes, expectRefusal, invalid } from '../refusal.ts';
import { conformance } from '../suite.ts';

conformance('roles and bindings', ({ check, prepare }) => {
  const own = 'conf-rbac-kinds';
  const rbac = 'rbac.authorization.k8s.io/v1';
  const roles = inNamespace(`${rbac}/roles`, own);
  const bindings = inNamespace(`${rbac}/rolebindings`, own);
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
  prepare((server) => server.createNamespace(own));

  check('are stored', async ({ admin }) => {
    const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['a'] }];
    const role = await admin.post(roles(), { metadata: { name: 'r' }, rules });
    const binding = await admin.post(bindings(), {
      metadata: { name: 'b' },
      roleRef,
      subjects: [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }],
    });

    expect([masked(role.body), masked(binding.body)]).toEqual([
      {
        kind: 'Role',
        apiVersion: 'rbac.authorization.k8s.io/v1',
        metadata: storedMeta('r', own),
        rules: [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['a'] }],
      },
      {
        kind: 'RoleBinding',
        apiVersion: 'rbac.authorization.k8s.io/v1',
        metadata: storedMeta('b', own),
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      },
    ]);
  });

  check('complete the group of subjects', async ({ admin }) => {
    const { body } = await admin.post(bindings(), {
      metadata: { name: 'short' },
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 's', namespace: own },
      ],
    });

    expect([body.roleRef, body.subjects]).toEqual([
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' },
        { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'g' },
        { kind: 'ServiceAccount', name: 's', namespace: own },
      ],
    ]);
  });

  const badRules: readonly (readonly [title: string, sent: object, causes: Causes])[] = [
    [
      'a rule without verbs',
      { apiGroups: [''], resources: ['secrets'] },
      [['rules[0].verbs', 'FieldValueRequired', 'Required value: verbs must contain at least one value']],
    ],
    [
      'a rule without groups',
      { resources: ['secrets'], verbs: ['get'] },
      [
        [
          'rules[0].apiGroups',
          'FieldValueRequired',
          'Required value: resource rules must supply at least one api group',
        ],
      ],
    ],
    [
      'a rule without resources',
      { apiGroups: [''], verbs: ['get'] },
      [
        [
          'rules[0].resources',
          'FieldValueRequired',
          'Required value: resource rules must supply at least one resource',
        ],
      ],
    ],
    [
      'a path in a namespace',
      { nonResourceURLs: ['/x'], verbs: ['get'] },
      [
        [
          'rules[0].nonResourceURLs',
          'FieldValueInvalid',
          'Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
        ],
      ],
    ],
  ];
  for (const [title, rule, causes] of badRules) {
    check(`refuse ${title}`, async ({ admin }) => {
      const answer = await admin.post(roles(), { metadata: { name: 'bad' }, rules: [rule] });

      expectRefusal(answer, invalid({ group: 'rbac.authorization.k8s.io', kind: 'Role' }, 'bad', causes));
    });
  }

  const badBindings: readonly (readonly [title: string, sent: object, causes: Causes])[] = [
    [
      'no role',
      {},
      [
        ['roleRef.kind', 'FieldValueNotSupported', 'Unsupported value: "": supported values: "Role", "ClusterRole"'],
        ['roleRef.name', 'FieldValueRequired', 'Required value'],
      ],
    ],
    [
      'an unknown kind of role',
      { roleRef: { ...roleRef, kind: 'Rule' } },
      [
        [
          'roleRef.kind',
          'FieldValueNotSupported',
          'Unsupported value: "Rule": supported values: "Role", "ClusterRole"',
        ],
      ],
    ],
    [
      'an unknown kind of subject',
      { roleRef, subjects: [{ kind: 'Robot', name: 'x' }] },
      [
        [
          'subjects[0].kind',
          'FieldValueNotSupported',
          'Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
        ],
      ],
    ],
    [
      'a user without name',
      { roleRef, subjects: [{ kind: 'User', name: '' }] },
      [['subjects[0].name', 'FieldValueRequired', 'Required value']],
    ],
  ];
  for (const [title, sent, causes] of badBindings) {
    check(`refuse a binding with ${title}`, async ({ admin }) => {
      const answer = await admin.post(bindings(), { metadata: { name: 'bad' }, ...sent });

      expectRefusal(answer, invalid({ group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' }, 'bad', causes));
    });
  }

  check('do not let the role of a binding change', async ({ admin }) => {
    await admin.create(bindings(), { metadata: { name: 'fixed' }, roleRef });

    expectRefusal(
      await admin.patch('merge', bindings('fixed'), { roleRef: { name: 'other' } }),
      invalid({ group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' }, 'fixed', [
        [
          'roleRef',
          'FieldValueInvalid',
          'Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: cannot change roleRef',
        ],
      ]),
    );
  });

  for (const name of [
    'cluster-admin',
    'admin',
    'edit',
    'view',
    'system:discovery',
    'system:basic-user',
    'system:public-info-viewer',
  ]) {
    check(`include the cluster role ${name}`, async ({ admin }) => {
      const { status, body } = await admin.get(`/apis/${rbac}/clusterroles/${name}`);

      expect([status, body.metadata.labels?.['kubernetes.io/bootstrapping']]).toEqual([200, 'rbac-defaults']);
    });
  }

  check('let cluster-admin do everything', async ({ admin }) => {
    const { body } = await admin.get(`/apis/${rbac}/clusterroles/cluster-admin`);

    expect(body.rules).toEqual([
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ]);
  });
});
