import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { masked } from '../mask.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal, refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-reviews';
const reviews = (kind: string) => `/apis/authorization.k8s.io/v1/${kind}`;

/** Refusals of reviews name no kind. */
const invalidReview = (field: string, message: string) =>
  refusal(422, 'Invalid', `.authorization.k8s.io "" is invalid: ${field}: ${message}`, {
    group: 'authorization.k8s.io',
    causes: [{ reason: 'FieldValueInvalid', message, field }],
  });

conformance('access reviews', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    const rbac = 'rbac.authorization.k8s.io/v1';
    await admin.create(inNamespace(`${rbac}/roles`, namespace)(), {
      metadata: { name: 'reader' },
      rules: [
        { apiGroups: [''], resources: ['secrets'], resourceNames: ['one'], verbs: ['get'] },
        { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
      ],
    });
    await admin.create(inNamespace(`${rbac}/rolebindings`, namespace)(), {
      metadata: { name: 'readers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [
        { kind: 'User', name: 'conf-reviewer' },
        { kind: 'Group', name: 'conf-reviewers' },
      ],
    });
    await eventually(
      async () => {
        const { body } = await admin.post(reviews('subjectaccessreviews'), {
          spec: {
            user: 'conf-reviewer',
            resourceAttributes: { namespace, verb: 'get', resource: 'secrets', name: 'one' },
          },
        });
        return body.status.allowed === true;
      },
      { what: 'the role holds' },
    );
  });

  check('tell oneself what one may do, and why', async ({ as }) => {
    const user = await as({ name: 'conf-reviewer' });
    const allowed = await user.post(reviews('selfsubjectaccessreviews'), {
      spec: { resourceAttributes: { namespace, verb: 'get', resource: 'secrets', name: 'one' } },
    });
    const denied = await user.post(reviews('selfsubjectaccessreviews'), {
      spec: { resourceAttributes: { namespace, verb: 'delete', resource: 'secrets' } },
    });

    expect([allowed.status, allowed.body.kind, allowed.body.status]).toEqual([
      201,
      'SelfSubjectAccessReview',
      {
        allowed: true,
        reason: 'RBAC: allowed by RoleBinding "readers/conf-reviews" of Role "reader" to User "conf-reviewer"',
      },
    ]);
    expect([denied.status, denied.body.status]).toEqual([201, { allowed: false }]);
  });

  check('know paths, subresources and names', async ({ admin }) => {
    const ask = async (spec: object) =>
      (await admin.post(reviews('subjectaccessreviews'), { spec })).body.status.allowed;
    const attributes = (more: object) => ({
      user: 'conf-reviewer',
      resourceAttributes: { namespace, verb: 'get', ...more },
    });

    expect(await ask(attributes({ resource: 'pods', subresource: 'log' }))).toBe(true);
    expect(await ask(attributes({ resource: 'pods' }))).toBe(false);
    expect(await ask(attributes({ resource: 'secrets', name: 'two' }))).toBe(false);
    expect(
      await ask({
        user: 'x',
        groups: ['conf-reviewers'],
        resourceAttributes: { namespace, verb: 'get', resource: 'secrets', name: 'one' },
      }),
    ).toBe(true);
    expect(await ask({ user: 'x', nonResourceAttributes: { path: '/version', verb: 'get' } })).toBe(false);
    expect(
      await ask({
        user: 'x',
        groups: ['system:authenticated'],
        nonResourceAttributes: { path: '/version', verb: 'get' },
      }),
    ).toBe(true);
  });

  check('are refused when they ask nothing or twice', async ({ admin }) => {
    expectRefusal(
      await admin.post(reviews('selfsubjectaccessreviews'), { spec: {} }),
      invalidReview(
        'spec.resourceAttributes',
        'Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    );
    expectRefusal(
      await admin.post(reviews('selfsubjectaccessreviews'), {
        spec: {
          resourceAttributes: { verb: 'get', resource: 'pods' },
          nonResourceAttributes: { path: '/', verb: 'get' },
        },
      }),
      invalidReview(
        'spec.nonResourceAttributes',
        'Invalid value: {"Path":"/","Verb":"get"}: cannot be specified in combination with resourceAttributes',
      ),
    );
    expectRefusal(
      await admin.post(reviews('subjectaccessreviews'), {
        spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
      }),
      invalidReview('spec.user', 'Invalid value: "": at least one of user or group must be specified'),
    );
  });

  check('of a namespace must be about that', async ({ admin }) => {
    const path = `/apis/authorization.k8s.io/v1/namespaces/${namespace}/localsubjectaccessreviews`;
    const { status, body } = await admin.post(path, {
      metadata: { namespace },
      spec: { user: 'conf-reviewer', resourceAttributes: { namespace, verb: 'get', resource: 'secrets', name: 'one' } },
    });

    expect([status, body.status.allowed]).toEqual([201, true]);
  });

  check('list the rules that hold for oneself', async ({ as }) => {
    const user = await as({ name: 'conf-reviewer' });
    const { status, body } = await user.post(reviews('selfsubjectrulesreviews'), { spec: { namespace } });
    const { resourceRules, nonResourceRules, incomplete } = body.status as {
      resourceRules: object[];
      nonResourceRules: { nonResourceURLs: string[] }[];
      incomplete: boolean;
    };

    expect([status, incomplete]).toEqual([201, false]);
    expect(resourceRules).toHaveLength(4);
    expect(resourceRules).toEqual(
      expect.arrayContaining([
        {
          verbs: ['create'],
          apiGroups: ['authorization.k8s.io'],
          resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
        },
        { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
        { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['one'] },
        { verbs: ['get'], apiGroups: [''], resources: ['pods/log'] },
      ]),
    );
    expect([...new Set(nonResourceRules.flatMap(({ nonResourceURLs }) => nonResourceURLs))].toSorted()).toEqual([
      '/api',
      '/api/*',
      '/apis',
      '/apis/*',
      '/healthz',
      '/livez',
      '/openapi',
      '/openapi/*',
      '/readyz',
      '/version',
      '/version/',
    ]);
  });

  check('list no rules without a namespace', async ({ admin }) => {
    expectRefusal(
      await admin.post(reviews('selfsubjectrulesreviews'), { spec: {} }),
      badRequest('no namespace on request'),
    );
  });

  check('tell oneself who one is', async ({ as }) => {
    const user = await as({ name: 'conf-reviewer', groups: ['a', 'b'] });
    const { status, body } = await user.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {});

    expect([status, body.kind, masked(body.status)]).toEqual([
      201,
      'SelfSubjectReview',
      {
        userInfo: {
          username: 'conf-reviewer',
          groups: ['a', 'b', 'system:authenticated'],
          extra: {
            'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)],
          },
        },
      },
    ]);
  });

  check('are not stored, and have no metadata', async ({ admin }) => {
    const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };

    const { status, body } = await admin.post(reviews('selfsubjectaccessreviews'), { spec });
    const named = await admin.post(reviews('selfsubjectaccessreviews'), { metadata: { name: 'x' }, spec });

    expect([status, masked(body.metadata), body.spec]).toEqual([
      201,
      {},
      { resourceAttributes: { verb: 'get', resource: 'pods' } },
    ]);
    const fields = '{"f:spec":{"f:resourceAttributes":{".":{},"f:resource":{},"f:verb":{}}}}';
    const owner = `"apiVersion":"authorization.k8s.io/v1","time":"<time>","fieldsType":"FieldsV1","fieldsV1":${fields}`;
    const metadata = `{"name":"x","managedFields":[{"manager":"conformance","operation":"Update",${owner}}]}`;
    expect([named.status, named.body.message.replace(/"time":"[^"]+"/, '"time":"<time>"')]).toEqual([
      422,
      `.authorization.k8s.io "" is invalid: metadata: Invalid value: ${metadata}: must be empty`,
    ]);
  });
});
