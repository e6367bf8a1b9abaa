import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { inCluster } from '../paths.ts';
import { conformance } from '../suite.ts';
import { bindings, idle, policies } from './policies.ts';

/** Nothing is written there: the policies are about nothing. */
const namespace = 'conf-policy-authors';

conformance('who may write policies', ({ check, prepare }) => {
  const author = { name: 'conf-policy-author' };
  const rbac = 'rbac.authorization.k8s.io';
  prepare(async ({ admin, as }) => {
    const rules = [
      { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
    ];
    await admin.create(inCluster(`${rbac}/v1/clusterroles`)(), { metadata: author, rules });
    await admin.create(inCluster(`${rbac}/v1/clusterrolebindings`)(), {
      metadata: author,
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: author.name },
      subjects: [{ kind: 'User', name: author.name }],
    });
    await admin.create(
      policies(),
      idle(namespace, 'conf-author-secrets', { paramKind: { apiVersion: 'v1', kind: 'Secret' } }),
    );
    await admin.create(
      policies(),
      idle(namespace, 'conf-author-maps', { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
    );
    const client = await as(author);
    await eventually(async () => (await client.get(policies())).status === 200, { what: 'the role holds' });
  });

  const userText =
    /user &\{conf-policy-author {2}\[system:authenticated\] map\[authentication\.kubernetes\.io\/credential-id:\[X509SHA256=[0-9a-f]+\]\]\}/;
  const withUser = (text: string) =>
    expect.stringMatching(new RegExp(`^${escaped(text).replace('USER', userText.source)}$`)) as string;

  check('may use parameters that they may read', async ({ as }) => {
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const { status } = await (await as(author)).post(policies(), idle(namespace, 'conf-author-own', { paramKind }));
    expect(status).toBe(201);
  });

  check('may not use parameters that they may not read', async ({ as }) => {
    const paramKind = { apiVersion: 'v1', kind: 'Secret' };
    const answer = await (await as(author)).post(policies(), idle(namespace, 'conf-author-others', { paramKind }));
    const message = withUser(
      'Forbidden: USER must have "get" permission on all objects of the referenced paramKind (kind=Secret, apiVersion=v1)',
    );
    expect(answer.body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { causes: [{ reason: 'FieldValueForbidden', field: 'spec.paramKind', message }] },
    });
  });

  const refs: readonly (readonly [title: string, policyName: string, ref: object, message: string | undefined])[] = [
    ['that they may read', 'conf-author-maps', { name: 'a', namespace: 'b' }, undefined],
    [
      'that they may not read',
      'conf-author-secrets',
      { name: 'a', namespace: 'b' },
      'Forbidden: USER does not have "get" permission on the object referenced by paramRef',
    ],
    [
      'that they may not list',
      'conf-author-maps',
      { selector: {} },
      'Forbidden: USER does not have "list" permission on the object referenced by paramRef',
    ],
    [
      'of policies that are not there',
      'conf-author-nothing',
      { name: 'a' },
      'Forbidden: unable to get policy conf-author-nothing to determine minimum required permissions and USER does not have "get" permission for all groups, versions and resources',
    ],
  ];
  for (const [title, policyName, ref, message] of refs) {
    check(`bind parameters ${title}`, async ({ as }) => {
      const paramRef = { ...ref, parameterNotFoundAction: 'Allow' };
      const spec = { policyName, validationActions: ['Deny'], paramRef };
      const { status, body } = await (await as(author)).post(`${bindings()}?dryRun=All`, {
        metadata: { name: 'conf-author' },
        spec,
      });
      if (message === undefined) {
        expect(status).toBe(201);
        return;
      }
      const cause = { reason: 'FieldValueForbidden', field: 'spec.paramRef', message: withUser(message) };
      expect(body).toMatchObject({ code: 422, reason: 'Invalid', details: { causes: [cause] } });
    });
  }
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
