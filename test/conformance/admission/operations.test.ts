import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { install } from '../definition.ts';
import { inCluster, inNamespace, pathOf } from '../paths.ts';
import { conflict, expectRefusal, forbidden, invalid, notFound } from '../refusal.ts';
import { conformance } from '../suite.ts';
import { deniedBy, enforce, on } from './policies.ts';

const namespace = 'conf-policy-operations';
const ending = 'conf-policy-ending';
const policy = 'conf-policy-operations';
const group = 'policy-operations.conf.example';
const configMaps = inNamespace('v1/configmaps', namespace);
const deployments = inNamespace('apps/v1/deployments', namespace);
const ornaments = inNamespace(`${group}/v1/ornaments`, namespace);
const accounts = inNamespace('v1/serviceaccounts', namespace);
const leases = inNamespace('coordination.k8s.io/v1/leases', namespace);
const namespaces = inCluster('v1/namespaces');

const optional = (field: string) => `(has(${field}) ? string(${field}) : '-')`;
const kindOf = (object: string) => `(${object} == null ? 'nothing' : ${object}.apiVersion + ' ' + ${object}.kind)`;

/** What a policy sees of a request, in one line. */
const description = [
  'request.operation',
  `request.resource.group + '/' + request.resource.version + '/' + request.resource.resource`,
  optional('request.subResource'),
  `request.kind.group + '/' + request.kind.version + '/' + request.kind.kind`,
  optional('request.name'),
  optional('request.namespace'),
  `(request.dryRun ? 'dry' : 'real')`,
  `${kindOf('oldObject')} + ' > ' + ${kindOf('object')}`,
  `request.options.apiVersion + ' ' + request.options.kind`,
].join(" + ', ' + ");

const replicas = { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } } } };
const pod = { containers: [{ name: 'a', image: 'a' }] };
const deployment = {
  metadata: { name: 'old' },
  spec: { ...replicas, template: { ...replicas.template, spec: pod } },
};

conformance('requests that policies see', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace, as }) => {
    await createNamespace(namespace);
    await createNamespace(ending);
    await install(admin, {
      group,
      kind: 'Ornament',
      version: {
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
      },
    });
    await admin.create(configMaps(), { metadata: { name: 'old', labels: { all: 'yes' } }, data: { a: '1' } });
    await admin.create(configMaps(), { metadata: { name: 'held', finalizers: ['conf.example/held'] } });
    await admin.delete(configMaps('held'));
    await admin.create(deployments(), deployment);
    await admin.create(ornaments(), { ...ornament('old'), spec: { size: 1 } });
    await admin.create(leases(), { metadata: { name: 'old' } });
    await admin.create(inNamespace('v1/configmaps', ending)(), {
      metadata: { name: 'held', finalizers: ['conf.example/held'] },
    });
    await admin.delete(namespaces(ending));
    await grantNothing(await as({ name: 'conf-policy-nobody' }));
    const isThere = async () => (await admin.get(accounts('default'))).status === 200;
    await eventually(isThere, { what: 'the default service account exists' });
    await enforce(admin, namespace, {
      [policy]: {
        policy: {
          matchConstraints: {
            namespaceSelector: {
              matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: [namespace, ending] }],
            },
            // Selectors of namespaces let all objects of the cluster through, and other files have some.
            resourceRules: [
              on(['*/*'], { apiGroups: ['*'], apiVersions: ['*'], scope: 'Namespaced' }),
              on(['namespaces/*']),
            ],
          },
          // Controllers go on working.
          matchConditions: [{ name: 'people', expression: "!request.userInfo.username.startsWith('system:')" }],
          validations: [{ expression: 'false', messageExpression: description }],
        },
      },
    });
  });

  const described: readonly (readonly [
    title: string,
    send: (admin: Client) => Promise<Answer>,
    resource: string,
    name: string,
    seen: string,
  ])[] = [
    [
      'creation',
      (admin) => admin.post(configMaps(), { metadata: { name: 'new' } }),
      'configmaps',
      'new',
      `CREATE, /v1/configmaps, -, /v1/ConfigMap, new, ${namespace}, real, nothing > v1 ConfigMap, meta.k8s.io/v1 CreateOptions`,
    ],
    [
      'creation of what is there',
      (admin) => admin.post(configMaps(), { metadata: { name: 'old' } }),
      'configmaps',
      'old',
      `CREATE, /v1/configmaps, -, /v1/ConfigMap, old, ${namespace}, real, nothing > v1 ConfigMap, meta.k8s.io/v1 CreateOptions`,
    ],
    [
      'dry run',
      (admin) => admin.post(`${configMaps()}?dryRun=All`, { metadata: { name: 'new' } }),
      'configmaps',
      'new',
      `CREATE, /v1/configmaps, -, /v1/ConfigMap, new, ${namespace}, dry, nothing > v1 ConfigMap, meta.k8s.io/v1 CreateOptions`,
    ],
    [
      'replacement',
      (admin) => admin.put(configMaps('old'), { metadata: { name: 'old' }, data: { a: '2' } }),
      'configmaps',
      'old',
      `UPDATE, /v1/configmaps, -, /v1/ConfigMap, old, ${namespace}, real, v1 ConfigMap > v1 ConfigMap, meta.k8s.io/v1 UpdateOptions`,
    ],
    [
      'merge patch',
      (admin) => admin.patch('merge', configMaps('old'), { data: { a: '2' } }),
      'configmaps',
      'old',
      `UPDATE, /v1/configmaps, -, /v1/ConfigMap, old, ${namespace}, real, v1 ConfigMap > v1 ConfigMap, meta.k8s.io/v1 UpdateOptions`,
    ],
    [
      'patch that changes nothing',
      (admin) => admin.patch('strategic', configMaps('old'), { data: { a: '1' } }),
      'configmaps',
      'old',
      `UPDATE, /v1/configmaps, -, /v1/ConfigMap, old, ${namespace}, real, v1 ConfigMap > v1 ConfigMap, meta.k8s.io/v1 UpdateOptions`,
    ],
    [
      'JSON patch',
      (admin) => admin.patch('json', configMaps('old'), [{ op: 'replace', path: '/data/a', value: '2' }]),
      'configmaps',
      'old',
      `UPDATE, /v1/configmaps, -, /v1/ConfigMap, old, ${namespace}, real, v1 ConfigMap > v1 ConfigMap, meta.k8s.io/v1 UpdateOptions`,
    ],
    [
      'apply',
      (admin) =>
        admin.apply(configMaps('old'), 'me', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels: { b: 'c' } } }),
      'configmaps',
      'old',
      `UPDATE, /v1/configmaps, -, /v1/ConfigMap, old, ${namespace}, real, v1 ConfigMap > v1 ConfigMap, meta.k8s.io/v1 UpdateOptions`,
    ],
    [
      'apply that creates',
      (admin) =>
        admin.apply(configMaps('new'), 'me', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } }),
      'configmaps',
      'new',
      `CREATE, /v1/configmaps, -, /v1/ConfigMap, new, ${namespace}, real, nothing > v1 ConfigMap, meta.k8s.io/v1 CreateOptions`,
    ],
    [
      'replacement that creates',
      (admin) => admin.put(leases('new'), { metadata: { name: 'new' } }),
      'leases.coordination.k8s.io',
      'new',
      `CREATE, coordination.k8s.io/v1/leases, -, coordination.k8s.io/v1/Lease, new, ${namespace}, real, nothing > coordination.k8s.io/v1 Lease, meta.k8s.io/v1 CreateOptions`,
    ],
    [
      'write to the status',
      (admin) => admin.patch('merge', `${deployments('old')}/status`, { status: { replicas: 1 } }),
      'deployments.apps',
      'old',
      `UPDATE, apps/v1/deployments, status, apps/v1/Deployment, old, ${namespace}, real, apps/v1 Deployment > apps/v1 Deployment, meta.k8s.io/v1 UpdateOptions`,
    ],
    [
      'write to the scale',
      (admin) => admin.patch('merge', `${deployments('old')}/scale`, { spec: { replicas: 2 } }),
      'deployments.apps',
      'old',
      `UPDATE, apps/v1/deployments, scale, autoscaling/v1/Scale, old, ${namespace}, real, autoscaling/v1 Scale > autoscaling/v1 Scale, meta.k8s.io/v1 UpdateOptions`,
    ],
    [
      'creation of a custom resource',
      (admin) => admin.post(ornaments(), ornament('new')),
      `ornaments.${group}`,
      'new',
      `CREATE, ${group}/v1/ornaments, -, ${group}/v1/Ornament, new, ${namespace}, real, nothing > ${group}/v1 Ornament, meta.k8s.io/v1 CreateOptions`,
    ],
    [
      'write to the status of a custom resource',
      (admin) => admin.patch('merge', `${ornaments('old')}/status`, { status: { size: 1 } }),
      `ornaments.${group}`,
      'old',
      `UPDATE, ${group}/v1/ornaments, status, ${group}/v1/Ornament, old, ${namespace}, real, ${group}/v1 Ornament > ${group}/v1 Ornament, meta.k8s.io/v1 UpdateOptions`,
    ],
    [
      'write to the scale of a custom resource',
      (admin) => admin.patch('merge', `${ornaments('old')}/scale`, { spec: { replicas: 2 } }),
      `ornaments.${group}`,
      'old',
      `UPDATE, ${group}/v1/ornaments, scale, autoscaling/v1/Scale, old, ${namespace}, real, autoscaling/v1 Scale > autoscaling/v1 Scale, meta.k8s.io/v1 UpdateOptions`,
    ],
    [
      'deletion',
      (admin) => admin.delete(configMaps('old')),
      'configmaps',
      'old',
      `DELETE, /v1/configmaps, -, /v1/ConfigMap, old, ${namespace}, real, v1 ConfigMap > nothing, meta.k8s.io/v1 DeleteOptions`,
    ],
    [
      'deletion with options',
      (admin) => admin.delete(configMaps('old'), { propagationPolicy: 'Orphan', dryRun: ['All'] }),
      'configmaps',
      'old',
      `DELETE, /v1/configmaps, -, /v1/ConfigMap, old, ${namespace}, dry, v1 ConfigMap > nothing, meta.k8s.io/v1 DeleteOptions`,
    ],
    [
      'deletion of what is being deleted',
      (admin) => admin.delete(configMaps('held')),
      'configmaps',
      'held',
      `DELETE, /v1/configmaps, -, /v1/ConfigMap, held, ${namespace}, real, v1 ConfigMap > nothing, meta.k8s.io/v1 DeleteOptions`,
    ],
    [
      'removal of the last finalizer',
      (admin) => admin.patch('merge', configMaps('held'), { metadata: { finalizers: null } }),
      'configmaps',
      'held',
      `UPDATE, /v1/configmaps, -, /v1/ConfigMap, held, ${namespace}, real, v1 ConfigMap > v1 ConfigMap, meta.k8s.io/v1 UpdateOptions`,
    ],
    [
      'deletion of a collection, which names no object',
      (admin) => admin.delete(`${configMaps()}?labelSelector=all`),
      'configmaps',
      'Unknown',
      `DELETE, /v1/configmaps, -, /v1/ConfigMap, -, ${namespace}, real, v1 ConfigMap > nothing, meta.k8s.io/v1 DeleteOptions`,
    ],
    [
      'request for a token',
      (admin) => admin.post(`${accounts('default')}/token`, { spec: { expirationSeconds: 600 } }),
      'serviceaccounts',
      'default',
      `CREATE, /v1/serviceaccounts, token, authentication.k8s.io/v1/TokenRequest, default, ${namespace}, real, nothing > authentication.k8s.io/v1 TokenRequest, meta.k8s.io/v1 CreateOptions`,
    ],
    [
      'change of a namespace, which is its own namespace',
      (admin) => admin.patch('merge', namespaces(namespace), { metadata: { labels: { a: 'b' } } }),
      'namespaces',
      namespace,
      `UPDATE, /v1/namespaces, -, /v1/Namespace, ${namespace}, ${namespace}, real, v1 Namespace > v1 Namespace, meta.k8s.io/v1 UpdateOptions`,
    ],
    [
      'write to the status of a namespace',
      (admin) => admin.patch('merge', `${namespaces(namespace)}/status`, { metadata: { labels: { a: 'b' } } }),
      'namespaces',
      namespace,
      `UPDATE, /v1/namespaces, status, /v1/Namespace, ${namespace}, ${namespace}, real, v1 Namespace > v1 Namespace, meta.k8s.io/v1 UpdateOptions`,
    ],
    [
      'finalization of a namespace',
      (admin) => admin.put(`${namespaces(namespace)}/finalize`, { metadata: { name: namespace }, spec: {} }),
      'namespaces',
      namespace,
      `UPDATE, /v1/namespaces, finalize, /v1/Namespace, ${namespace}, ${namespace}, real, v1 Namespace > v1 Namespace, meta.k8s.io/v1 UpdateOptions`,
    ],
    [
      'deletion of a namespace',
      (admin) => admin.delete(namespaces(namespace)),
      'namespaces',
      namespace,
      `DELETE, /v1/namespaces, -, /v1/Namespace, ${namespace}, ${namespace}, real, v1 Namespace > nothing, meta.k8s.io/v1 DeleteOptions`,
    ],
  ];
  for (const [title, send, resource, name, seen] of described) {
    check(title, async ({ admin }) => expectRefusal(await send(admin), deniedBy(policy, resource, name, seen)));
  }

  check('have the name that was generated', async ({ admin }) => {
    const { status, body } = await admin.post(configMaps(), { metadata: { generateName: 'made-' } });
    expect([status, body.message]).toEqual([
      422,
      expect.stringMatching(/^configmaps "made-\w{5}" .*ConfigMap, made-\w{5},/),
    ]);
  });

  check('do not include the second deletion of a namespace', async ({ admin }) => {
    const { status, body } = await admin.delete(namespaces(ending));
    expect([status, body.kind]).toEqual([200, 'Namespace']);
  });

  check('do not include reviews', async ({ admin }) => {
    const review = { spec: { user: 'a', resourceAttributes: { namespace, verb: 'get', resource: 'pods' } } };
    const path = inNamespace('authorization.k8s.io/v1/localsubjectaccessreviews', namespace)();
    const answer = await admin.post(path, { metadata: { namespace }, ...review });
    expect(answer.status).toBe(201);
  });

  check('do not include reading', async ({ admin }) => {
    expect((await admin.get(configMaps('old'))).status).toBe(200);
  });

  check('are valid, allowed and up to date by then', async ({ admin, as }) => {
    const refusedKey = await admin.post(configMaps(), { metadata: { name: 'new' }, data: { 'a b': '' } });
    expect(refusedKey.body.message).toMatch(/^ConfigMap "new" is invalid: data\[a b\]:/);
    expectRefusal(await admin.patch('merge', configMaps('none'), {}), notFound('configmaps', 'none'));
    expectRefusal(
      await admin.put(configMaps('old'), { metadata: { name: 'old', resourceVersion: '1' } }),
      conflict(
        'configmaps',
        'old',
        'the object has been modified; please apply your changes to the latest version and try again',
      ),
    );
    const wrongUid = await admin.delete(configMaps('old'), { preconditions: { uid: 'x' } });
    expect(wrongUid.status).toBe(409);
    const tooShort = await admin.post(`${accounts('default')}/token`, { spec: { expirationSeconds: 1 } });
    expectRefusal(
      tooShort,
      invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, '', [
        [
          'spec.expirationSeconds',
          'FieldValueInvalid',
          'Invalid value: 1: may not specify a duration less than 10 minutes',
        ],
      ]),
    );
    expectRefusal(
      await (await as({ name: 'conf-policy-nobody' })).post(configMaps(), { metadata: { name: 'new' } }),
      forbidden(
        'configmaps',
        '',
        `User "conf-policy-nobody" cannot create resource "configmaps" in API group "" in the namespace "${namespace}"`,
      ),
    );
  });
});

const ornament = (name: string) => ({ apiVersion: `${group}/v1`, kind: 'Ornament', metadata: { name } });

/** Makes sure that a user is known and may nothing. */
async function grantNothing(user: Client): Promise<void> {
  const { status } = await user.get(pathOf('v1/configmaps', { namespace }));
  if (status !== 403) throw new Error(`the user may read config maps: ${status}`);
}
