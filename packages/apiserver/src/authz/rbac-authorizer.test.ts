import { describe, expect, it } from 'vitest';

import type { User } from '../authn/user.ts';
import type { Attributes } from './attributes.ts';
import { createAuthorizer } from './rbac-authorizer.ts';
import type { PolicyRule } from './rbac-objects.ts';
import type { RoleSource } from './role-source.ts';
import { readRecording } from './testing/recording.ts';
import { recordedWorld, staticRoles } from './testing/static-roles.ts';

interface RecordedVerdict {
  readonly user: string;
  readonly groups: readonly string[];
  readonly asks: { readonly verb: string; readonly path?: string; readonly group?: string; readonly resource?: string };
  readonly allowed: boolean;
  readonly reason: string;
}

const RBAC = 'rbac.authorization.k8s.io';
const meta = { apiVersion: `${RBAC}/v1` };
const ann: User = { name: 'ann', groups: ['devs', 'system:authenticated'] };
const getPods: Attributes = { user: ann, verb: 'get', group: '', resource: 'pods' };

const clusterRole = (name: string, ...rules: PolicyRule[]) => ({
  ...meta,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});
const bind = (name: string, role: string, subject: object, namespace?: string) => ({
  ...meta,
  kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
  metadata: { name, namespace },
  subjects: [{ apiGroup: RBAC, kind: 'User', name: 'ann', ...subject }],
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
});
const readPods = clusterRole('read-pods', { verbs: ['get'], apiGroups: [''], resources: ['pods'] });

describe('verdicts are those of kube-apiserver', () => {
  const authorizer = createAuthorizer(staticRoles(recordedWorld()));

  it.each(
    readRecording<RecordedVerdict>(new URL('./recorded/verdicts.jsonl', import.meta.url)).map((recorded) => {
      const title = `${recorded.user} ${recorded.groups.join()} ${JSON.stringify(recorded.asks)}`;
      return [title, recorded] as const;
    }),
  )('%s', (_, { user, groups, asks, allowed, reason }) => {
    const who = { user: { name: user, groups } };
    const attributes =
      asks.path === undefined ? { group: '', resource: '', ...asks, ...who } : { ...asks, path: asks.path, ...who };
    expect(authorizer.authorize(attributes)).toEqual({ allowed, reason });
  });
});

describe('an authorizer', () => {
  it('follows every change of roles and bindings', () => {
    const roles = staticRoles([]);
    const authorizer = createAuthorizer(roles);
    const isAllowed = () => authorizer.authorize(getPods).allowed;
    expect(isAllowed()).toBe(false);

    roles.replace([readPods, bind('b', 'read-pods', {})]);
    expect(isAllowed()).toBe(true);

    roles.replace([clusterRole('read-pods'), bind('b', 'read-pods', {})]);
    expect(isAllowed()).toBe(false);

    roles.replace([readPods, bind('b', 'read-pods', { name: 'bob' })]);
    expect(isAllowed()).toBe(false);
  });

  it('keeps apart users whose names and groups would read the same side by side', () => {
    const roles = staticRoles([readPods, bind('b', 'read-pods', { kind: 'Group', name: 'b' })]);
    const authorizer = createAuthorizer(roles);
    const ask = (user: User) => authorizer.authorize({ ...getPods, user }).allowed;
    expect(ask({ name: 'a', groups: ['b'] })).toBe(true);
    expect(ask({ name: 'ab', groups: [] })).toBe(false);
    expect(ask({ name: 'a b', groups: [] })).toBe(false);
    expect(ask({ name: 'a\nb', groups: [] })).toBe(false);
  });

  it('names the first binding, and in it the first subject, that allows', () => {
    const both = {
      ...bind('a', 'read-pods', {}),
      subjects: [
        { kind: 'Group', apiGroup: RBAC, name: 'nobody' },
        { kind: 'Group', apiGroup: RBAC, name: 'devs' },
        { kind: 'User', apiGroup: RBAC, name: 'ann' },
      ],
    };
    const authorizer = createAuthorizer(staticRoles([readPods, both, bind('b', 'read-pods', {})]));
    expect(authorizer.authorize(getPods).reason).toBe(
      'RBAC: allowed by ClusterRoleBinding "a" of ClusterRole "read-pods" to Group "devs"',
    );
  });

  it('lets bindings of a namespace count there only', () => {
    const authorizer = createAuthorizer(staticRoles([readPods, bind('b', 'read-pods', {}, 'a')]));
    expect(authorizer.authorize({ ...getPods, namespace: 'a' }).allowed).toBe(true);
    expect(authorizer.authorize({ ...getPods, namespace: 'b' }).allowed).toBe(false);
    expect(authorizer.authorize(getPods).allowed).toBe(false);
  });

  it('ignores service accounts without a namespace in bindings of the cluster', () => {
    const subject = { kind: 'ServiceAccount', apiGroup: '', name: 'x' };
    const authorizer = createAuthorizer(staticRoles([readPods, bind('b', 'read-pods', subject)]));
    expect(authorizer.authorize({ ...getPods, user: { name: 'system:serviceaccount::x', groups: [] } }).allowed).toBe(
      false,
    );
  });

  it('says which roles of bindings are missing, each once', () => {
    const objects = [bind('a', 'x', {}), bind('b', 'y', {}), bind('c', 'y', {}), bind('d', 'y', {}, 'n')];
    const authorizer = createAuthorizer(staticRoles(objects));
    expect(authorizer.authorize({ ...getPods, namespace: 'n' }).reason).toBe(
      `RBAC: [clusterrole.${RBAC} "x" not found, clusterrole.${RBAC} "y" not found]`,
    );
    expect(authorizer.rulesFor(ann, 'n').missing).toHaveLength(4);
  });

  it('does not treat a missing role as a reason against what other roles allow', () => {
    const authorizer = createAuthorizer(staticRoles([readPods, bind('a', 'gone', {}), bind('b', 'read-pods', {})]));
    expect(authorizer.authorize(getPods).allowed).toBe(true);
  });

  it('lists the rules of a user, those of the cluster first', () => {
    const inNamespace = clusterRole('write', { verbs: ['create'], apiGroups: [''], resources: ['pods'] });
    const objects = [readPods, inNamespace, bind('z', 'read-pods', {}), bind('a', 'write', {}, 'n')];
    const authorizer = createAuthorizer(staticRoles(objects));
    expect(authorizer.rulesFor(ann, 'n').rules).toEqual([...readPods.rules, ...inNamespace.rules]);
    expect(authorizer.rulesFor(ann, '').rules).toEqual(readPods.rules);
  });

  it('answers about members of system:masters without any role', () => {
    const authorizer = createAuthorizer(staticRoles([]));
    const root = { name: 'root', groups: ['system:masters'] };
    expect(authorizer.authorize({ ...getPods, user: root })).toEqual({ allowed: true, reason: '' });
    expect(authorizer.rulesFor(root, '').rules).toEqual([]);
  });

  it('looks for bindings once per user and namespace, not once per request', () => {
    const { source, lookups } = counting(
      staticRoles([readPods, bind('b', 'read-pods', {}), bind('c', 'read-pods', {}, 'n')]),
    );
    const authorizer = createAuthorizer(source);
    for (let index = 0; index < 100; index++) {
      authorizer.authorize(getPods);
      authorizer.authorize({ ...getPods, verb: 'delete', namespace: 'n' });
    }
    expect(lookups()).toBe(2);
  });

  it('forgets users when there are too many', () => {
    const { source, lookups } = counting(staticRoles([readPods, bind('b', 'read-pods', {})]));
    const authorizer = createAuthorizer(source);
    const ask = (name: string) => authorizer.authorize({ ...getPods, user: { name, groups: [] } }).allowed;
    for (let index = 0; index < 5_000; index++) ask(`user-${index}`);
    expect(ask('user-0')).toBe(false);
    expect(ask('ann')).toBe(true);
    expect(lookups()).toBe(5_002);
  });
});

/** Counts how often bindings are asked for. */
function counting(roles: RoleSource): { source: RoleSource; lookups: () => number } {
  let lookups = 0;
  const counted = <Answer>(answer: Answer): Answer => {
    lookups++;
    return answer;
  };
  return {
    lookups: () => lookups,
    source: {
      ...roles,
      clusterRoleBindings: () => counted(roles.clusterRoleBindings()),
      roleBindings: (namespace) => counted(roles.roleBindings(namespace)),
    },
  };
}
