import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import type { Answer } from '../client.ts';
import { inCluster } from '../paths.ts';
import { expectRefusal, forbidden } from '../refusal.ts';
import { conformance } from '../suite.ts';

const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

conformance('impersonation', ({ check, prepare }) => {
  const as = (headers: Record<string, string | readonly string[]>) => ({ headers });
  prepare(async ({ admin }) => {
    const rbac = 'rbac.authorization.k8s.io/v1';
    const rules = [
      { apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: ['conf-target'] },
      { apiGroups: [''], resources: ['groups'], verbs: ['impersonate'], resourceNames: ['conf-group'] },
      {
        apiGroups: ['authentication.k8s.io'],
        resources: ['userextras/scopes'],
        verbs: ['impersonate'],
        resourceNames: ['view'],
      },
      { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'], resourceNames: ['robot'] },
    ];
    await admin.create(inCluster(`${rbac}/clusterroles`)(), { metadata: { name: 'conf-impersonator' }, rules });
    await admin.create(inCluster(`${rbac}/clusterrolebindings`)(), {
      metadata: { name: 'conf-impersonator' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'conf-impersonator' },
      subjects: [{ kind: 'User', name: 'conf-impersonator' }],
    });
  });
  const infoOf = ({ body }: Answer) => (body.status as { userInfo?: object }).userInfo;

  check('speaks as another user with groups, uid and extra', async ({ admin }) => {
    const headers = {
      'impersonate-user': 'jane',
      'impersonate-group': ['a', 'b'],
      'impersonate-uid': 'u-1',
      'impersonate-extra-scopes': ['view', 'edit'],
      'impersonate-extra-acme.com%2fproject': 'x',
    };
    const answer = await admin.post(whoami, {}, as(headers));

    expect([answer.status, infoOf(answer)]).toEqual([
      201,
      {
        username: 'jane',
        uid: 'u-1',
        groups: ['a', 'b', 'system:authenticated'],
        extra: { 'acme.com/project': ['x'], scopes: ['view', 'edit'] },
      },
    ]);
  });

  check('adds the group of all known users, unless groups are given', async ({ admin }) => {
    const alone = await admin.post(whoami, {}, as({ 'impersonate-user': 'jane' }));
    const anonymous = await admin.get('/version', as({ 'impersonate-user': 'system:anonymous' }));

    expect([infoOf(alone), anonymous.status]).toEqual([{ username: 'jane', groups: ['system:authenticated'] }, 200]);
  });

  check('speaks as a service account with its groups', async ({ admin }) => {
    const answer = await admin.post(whoami, {}, as({ 'impersonate-user': 'system:serviceaccount:x:robot' }));

    expect(infoOf(answer)).toEqual({
      username: 'system:serviceaccount:x:robot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:x', 'system:authenticated'],
    });
  });

  check('has the rights of the other user only', async ({ admin }) => {
    expectRefusal(
      await admin.get('/api/v1/secrets', as({ 'impersonate-user': 'jane' })),
      forbidden('secrets', '', 'User "jane" cannot list resource "secrets" in API group "" at the cluster scope'),
    );
  });

  check('is allowed user by user, group by group and extra by extra', async (server) => {
    const user = await server.as({ name: 'conf-impersonator' });
    await eventually(
      async () => (await user.post(whoami, {}, as({ 'impersonate-user': 'conf-target' }))).status === 201,
      { what: 'the role holds' },
    );
    const ask = (headers: Record<string, string>) => user.post(whoami, {}, as(headers));

    const allowed = await ask({
      'impersonate-user': 'conf-target',
      'impersonate-group': 'conf-group',
      'impersonate-extra-scopes': 'view',
    });
    const robot = await ask({ 'impersonate-user': 'system:serviceaccount:anywhere:robot' });

    expect([allowed.status, infoOf(allowed), robot.status]).toEqual([
      201,
      { username: 'conf-target', groups: ['conf-group', 'system:authenticated'], extra: { scopes: ['view'] } },
      201,
    ]);
    expectRefusal(
      await ask({ 'impersonate-user': 'conf-other' }),
      forbidden(
        'users',
        'conf-other',
        'User "conf-impersonator" cannot impersonate resource "users" in API group "" at the cluster scope',
      ),
    );
    expectRefusal(
      await ask({ 'impersonate-user': 'conf-target', 'impersonate-group': 'system:masters' }),
      forbidden(
        'groups',
        'system:masters',
        'User "conf-impersonator" cannot impersonate resource "groups" in API group "" at the cluster scope',
      ),
    );
    expectRefusal(
      await ask({ 'impersonate-user': 'conf-target', 'impersonate-extra-scopes': 'edit' }),
      forbidden(
        'userextras.authentication.k8s.io',
        'edit',
        'User "conf-impersonator" cannot impersonate resource "userextras/scopes" in API group "authentication.k8s.io" at the cluster scope',
      ),
    );
    expectRefusal(
      await ask({ 'impersonate-user': 'conf-target', 'impersonate-uid': 'x' }),
      forbidden(
        'uids.authentication.k8s.io',
        'x',
        'User "conf-impersonator" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
      ),
    );
    expectRefusal(
      await ask({ 'impersonate-user': 'system:serviceaccount:anywhere:other' }),
      forbidden(
        'serviceaccounts',
        'other',
        'User "conf-impersonator" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "anywhere"',
      ),
    );
  });

  check('is refused to those without the right', async (server) => {
    const user = await server.as({ name: 'conf-nobody' });

    expectRefusal(
      await user.get('/version', as({ 'impersonate-user': 'admin' })),
      forbidden(
        'users',
        'admin',
        'User "conf-nobody" cannot impersonate resource "users" in API group "" at the cluster scope',
      ),
    );
  });

  check('of groups without a user is refused', async ({ admin }) => {
    const { status, body, text } = await admin.get('/version', as({ 'impersonate-group': 'a' }));

    expect([status, body.message ?? text]).toEqual([400, 'requested [{Group  a    }] without impersonating a user']);
  });
});
