import { describe, expect, it } from 'vitest';
import { rbacGroup, type RoleBinding } from '../objects/rbac.ts';
import { binderRules } from './binder-rules.ts';
import { isStray } from './role-bindings.ts';

const binding = (name: string, role: string, account: string): RoleBinding => ({
  apiVersion: `${rbacGroup}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'cluster-a' }],
  roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: role },
});

describe('a binding that gives app clusters rights everywhere', () => {
  it.each([
    ['made by an earlier backend', binding('klutch-binder-cluster-a', 'klutch-binder-cluster-a', 'klutch-binder')],
    ['with another role', binding('klutch-binder-cluster-a', 'cluster-admin', 'klutch-binder')],
    ['for another account', binding('klutch-binder-cluster-a', 'klutch-binder-cluster-a', 'other')],
  ])('S-1 is a stray when it is one %s', (_, one) => {
    expect(isStray(one)).toBe(true);
  });

  it.each([
    ['of the operator', binding('operator', 'klutch-binder-cluster-a', 'klutch-binder')],
    ['of something with a similar name', binding('klutch-binder-viewer', 'view', 'viewer')],
    ['of the base role alone', binding('klutch-binder', 'klutch-binder', 'klutch-binder')],
  ])('is left alone when it is one %s', (_, one) => {
    expect(isStray(one)).toBe(false);
  });
});

describe('what every app cluster may do in its cluster namespace', () => {
  it('is what konnectors and CLIs of all makes rely on, and no more', () => {
    const allowed = binderRules.flatMap(({ apiGroups, resources, verbs }) =>
      verbs.map((verb) => `${verb} ${resources[0]}.${apiGroups[0]}`),
    );

    expect(allowed.sort()).toEqual(
      [
        ...['create', 'delete', 'patch', 'update', 'get', 'list', 'watch'].flatMap((verb) => [
          `${verb} apiserviceexportrequests.klutch.anynines.com`,
          `${verb} apiservicenamespaces.klutch.anynines.com`,
        ]),
        'get namespaces.',
        ...['get', 'list', 'watch'].flatMap((verb) => [
          `${verb} secrets.`,
          `${verb} clusterbindings.klutch.anynines.com`,
          `${verb} apiserviceexports.klutch.anynines.com`,
        ]),
        ...['get', 'patch', 'update'].flatMap((verb) => [
          `${verb} clusterbindings/status.klutch.anynines.com`,
          `${verb} apiserviceexports/status.klutch.anynines.com`,
        ]),
      ].sort(),
    );
  });
});
