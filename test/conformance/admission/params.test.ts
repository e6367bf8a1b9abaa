import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { install, specOf } from '../definition.ts';
import { inCluster, inNamespace } from '../paths.ts';
import { expectRefusal } from '../refusal.ts';
import { conformance } from '../suite.ts';
import { deniedBy, enforce, type Rules, valid } from './policies.ts';

const namespace = 'conf-policy-params';
const elsewhere = 'conf-policy-params-elsewhere';
const group = 'policy-params.conf.example';
const configMaps = inNamespace('v1/configmaps', namespace);

const withConfigMap = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
const withLimit = { paramKind: { apiVersion: `${group}/v1`, kind: 'Limit' } };
const belowMax = valid('int(object.data.size) <= int(params.data.max)', {
  messageExpression: "'more than ' + params.data.max + ' of ' + params.kind + ' ' + params.metadata.name",
});
const allow = { parameterNotFoundAction: 'Allow' };
const deny = { parameterNotFoundAction: 'Deny' };

const rules: Rules = {
  'conf-params-name': {
    policy: { ...withConfigMap, ...belowMax },
    binding: { paramRef: { name: 'limit', namespace: elsewhere, ...deny } },
  },
  'conf-params-request': {
    policy: { ...withConfigMap, ...belowMax },
    binding: { paramRef: { name: 'limit', ...deny } },
  },
  'conf-params-selector': {
    policy: { ...withConfigMap, ...belowMax },
    binding: { paramRef: { selector: { matchLabels: { limit: 'yes' } }, namespace: elsewhere, ...deny } },
  },
  'conf-params-none-denied': {
    policy: { ...withConfigMap, ...belowMax },
    binding: { paramRef: { name: 'missing', namespace: elsewhere, ...deny } },
  },
  'conf-params-none-allowed': {
    policy: { ...withConfigMap, ...belowMax },
    binding: { paramRef: { selector: { matchLabels: { limit: 'no' } }, namespace: elsewhere, ...allow } },
  },
  'conf-params-none-ignored': {
    policy: { ...withConfigMap, ...belowMax, failurePolicy: 'Ignore' },
    binding: { paramRef: { name: 'missing', namespace: elsewhere, ...deny } },
  },
  'conf-params-unused': { policy: { ...withConfigMap, ...valid('params == null', { message: 'there are params' }) } },
  'conf-params-condition': {
    policy: {
      ...withConfigMap,
      ...valid('false', { message: 'looked' }),
      matchConditions: [{ name: 'big', expression: 'int(object.data.size) > int(params.data.max)' }],
    },
    binding: { paramRef: { name: 'limit', namespace: elsewhere, ...deny } },
  },
  'conf-params-custom': {
    policy: {
      ...withLimit,
      ...valid('int(object.data.size) <= params.spec.max', {
        messageExpression: "'more than ' + string(params.spec.max)",
      }),
    },
    binding: { paramRef: { name: 'custom', ...deny } },
  },
  'conf-params-unknown': {
    policy: { paramKind: { apiVersion: `${group}/v1`, kind: 'Nothing' }, ...valid('true') },
    binding: { paramRef: { name: 'custom', ...allow } },
  },
  'conf-params-scope': {
    policy: { ...withLimit, ...valid('true') },
    binding: { paramRef: { name: 'custom', namespace: elsewhere, ...allow } },
  },
  'conf-params-cluster': {
    policy: {
      ...withConfigMap,
      ...valid('true'),
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['rbac.authorization.k8s.io'],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['clusterroles'],
            resourceNames: ['conf-params-cluster'],
          },
        ],
      },
    },
    binding: { paramRef: { name: 'limit', ...allow } },
  },
};

conformance('parameters of policies', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    await createNamespace(elsewhere);
    await install(admin, { group, kind: 'Limit', scope: 'Cluster', schema: specOf({ max: { type: 'integer' } }) });
    await admin.create(inCluster(`${group}/v1/limits`)(), {
      apiVersion: `${group}/v1`,
      kind: 'Limit',
      metadata: { name: 'custom' },
      spec: { max: 5 },
    });
    const limit = (name: string, max: string, labels = {}) => ({ metadata: { name, labels }, data: { max } });
    await admin.create(configMaps(), limit('limit', '3'));
    const others = inNamespace('v1/configmaps', elsewhere);
    await admin.create(others(), limit('limit', '7'));
    await admin.create(others(), limit('wide', '20', { limit: 'yes' }));
    await admin.create(others(), limit('narrow', '10', { limit: 'yes' }));
    await enforce(admin, namespace, rules);
    // kube-apiserver finds kinds that are new some seconds later.
    await eventually(async () => (await send(admin, 'conf-params-custom', 6)).body.message.endsWith('more than 5'), {
      what: 'the custom parameter is known',
    });
  });

  const denied = (policy: string, message: string) => deniedBy(policy, 'configmaps', policy, message);

  check('have a name and a namespace', async ({ admin }) => {
    const policy = 'conf-params-name';
    expectRefusal(await send(admin, policy, 8), denied(policy, 'more than 7 of ConfigMap limit'));
    expect((await send(admin, policy, 7)).status).toBe(201);
  });

  check('come from the namespace of the request', async ({ admin }) => {
    const policy = 'conf-params-request';
    expectRefusal(await send(admin, policy, 4), denied(policy, 'more than 3 of ConfigMap limit'));
    expect((await send(admin, policy, 3)).status).toBe(201);
  });

  check('are all that a selector finds', async ({ admin }) => {
    const policy = 'conf-params-selector';
    expectRefusal(await send(admin, policy, 15), denied(policy, 'more than 10 of ConfigMap narrow'));
    expect((await send(admin, policy, 10)).status).toBe(201);
  });

  check('must be there if the binding says so', async ({ admin }) => {
    const policy = 'conf-params-none-denied';
    const message =
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction';
    expectRefusal(await send(admin, policy, 1), denied(policy, message));
  });

  check('need not be there if the binding says so', async ({ admin }) => {
    expect((await send(admin, 'conf-params-none-allowed', 99)).status).toBe(201);
  });

  check('need not be there when failures are ignored', async ({ admin }) => {
    expect((await send(admin, 'conf-params-none-ignored', 99)).status).toBe(201);
  });

  check('are null when the binding names none', async ({ admin }) => {
    expect((await send(admin, 'conf-params-unused', 1)).status).toBe(201);
  });

  check('are seen by conditions', async ({ admin }) => {
    const policy = 'conf-params-condition';
    expectRefusal(await send(admin, policy, 8), denied(policy, 'looked'));
    expect((await send(admin, policy, 7)).status).toBe(201);
  });

  check('may be custom resources', async ({ admin }) => {
    const policy = 'conf-params-custom';
    expectRefusal(await send(admin, policy, 6), denied(policy, 'more than 5'));
    expect((await send(admin, policy, 5)).status).toBe(201);
  });

  check('must be of a kind that is served', async ({ admin }) => {
    const policy = 'conf-params-unknown';
    const kind = `'${group}/v1, Kind=Nothing'`;
    const said = `ValidatingAdmissionPolicy '${policy}' denied request: failed to configure policy: failed to find resource referenced by paramKind: ${kind}`;
    const { body } = await send(admin, policy, 1);
    expect([body.reason, body.message]).toEqual(['Invalid', `configmaps "${policy}" is forbidden: ${said}`]);
  });

  check('of the cluster have no namespace', async ({ admin }) => {
    const policy = 'conf-params-scope';
    const message =
      'failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`';
    expectRefusal(await send(admin, policy, 1), denied(policy, message));
  });

  check('of the namespace of the request are nowhere for objects of the cluster', async ({ admin }) => {
    const policy = 'conf-params-cluster';
    const answer = await admin.post(inCluster('rbac.authorization.k8s.io/v1/clusterroles')(), {
      metadata: { name: policy },
    });
    expectRefusal(
      answer,
      deniedBy(
        policy,
        'clusterroles.rbac.authorization.k8s.io',
        policy,
        'failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
      ),
    );
  });

  check('may change', async ({ admin }) => {
    const policy = 'conf-params-custom';
    const limits = inCluster(`${group}/v1/limits`);
    await admin.patch('merge', limits('custom'), { spec: { max: 50 } });
    await eventually(async () => (await send(admin, policy, 50)).status === 201, { what: 'the new limit holds' });
  });
});

/** Asks for a config map of a size that a policy is about. Nothing is kept. */
function send(admin: Client, policy: string, size: number): Promise<Answer> {
  const sent = { metadata: { name: policy, labels: { policy } }, data: { size: String(size) } };
  return admin.post(`${configMaps()}?dryRun=All`, sent);
}
