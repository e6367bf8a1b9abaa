import { readFile } from 'node:fs/promises';
import { eventually } from '@klutch/kit';
import { describe, expect, it } from 'vitest';
import { enforce, labelled } from './admission/policies.ts';
import { crds, definition } from './definition.ts';
import { differences } from './differences.ts';
import { inCluster, inNamespace } from './paths.ts';
import { conformance } from './suite.ts';

const namespace = 'conf-differences';
const containers = [{ name: 'c', image: 'i:1' }];

/** What Kubernetes does and the embedded server does not, on purpose: here each check fails on the latter. */
conformance('intended differences', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  check('workloads are created without a warning', async ({ admin }) => {
    const labels = { app: 'web' };
    const { warnings } = await admin.post(inNamespace('apps/v1/deployments', namespace)(), {
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    });

    expect(warnings).toEqual([]);
  });

  check('jobs without containers are refused', async ({ admin }) => {
    const { status } = await admin.post(inNamespace('batch/v1/jobs', namespace)(), {
      metadata: { name: 'empty' },
      spec: { template: { spec: { restartPolicy: 'Never' } } },
    });

    expect(status).toBe(422);
  });

  check('pods get a token, tolerations and a priority', async ({ admin }) => {
    await eventually(
      async () => (await admin.get(inNamespace('v1/serviceaccounts', namespace)('default'))).status === 200,
      { what: 'the default account' },
    );
    const { body } = await admin.post(inNamespace('v1/pods', namespace)(), {
      metadata: { name: 'p' },
      spec: { containers },
    });

    expect(body.spec).toMatchObject({
      priority: 0,
      tolerations: [{ key: 'node.kubernetes.io/not-ready' }, { key: 'node.kubernetes.io/unreachable' }],
      volumes: [{ projected: {} }],
    });
  });

  check('quotas limit compute resources', async ({ admin, createNamespace }) => {
    const limited = `${namespace}-quota`;
    await createNamespace(limited);
    await admin.create(inNamespace('v1/resourcequotas', limited)(), {
      metadata: { name: 'compute' },
      spec: { hard: { 'requests.cpu': '1' } },
    });
    await eventually(
      async () => (await admin.get(inNamespace('v1/serviceaccounts', limited)('default'))).status === 200,
      { what: 'the default account' },
    );
    await eventually(
      async () => {
        const { body } = await admin.get(inNamespace('v1/resourcequotas', limited)('compute'));
        return (body.status as { hard?: object }).hard !== undefined;
      },
      { what: 'the quota holds' },
    );
    const sent = { metadata: { name: 'p' }, spec: { containers } };

    expect((await admin.post(inNamespace('v1/pods', limited)(), sent)).status).toBe(403);
  });

  check('definitions may name a conversion webhook', async ({ admin }) => {
    const webhook = { clientConfig: { url: 'https://127.0.0.1:9/convert' }, conversionReviewVersions: ['v1'] };
    const conversion = { strategy: 'Webhook', webhook };
    const sent = definition({ group: 'differences.conf.example', kind: 'Converted', spec: { conversion } });

    expect((await admin.post(`${crds()}?dryRun=All`, sent)).status).toBe(201);
  });

  check('admission webhooks can be listed', async ({ admin }) => {
    const path = inCluster('admissionregistration.k8s.io/v1/validatingwebhookconfigurations');

    expect((await admin.get(path())).status).toBe(200);
  });

  check('expressions of policies that cost too much are refused', async ({ admin }) => {
    const name = 'conf-differences-cost';
    const matchConstraints = labelled(namespace, name);
    const expression = 'lists.range(1000).all(a, lists.range(500).all(b, a + b + a + b + a + b + a + b >= 0))';
    await enforce(admin, namespace, { [name]: { policy: { matchConstraints, validations: [{ expression }] } } });
    const { status } = await admin.post(inNamespace('v1/configmaps', namespace)(), {
      metadata: { name, labels: { policy: name } },
    });

    expect(status).toBe(422);
  });

  check('a group may be served by somebody else', async ({ admin }) => {
    const spec = { group: 'aggregated.conf.example', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 15 };
    const service = { namespace, name: 'elsewhere' };
    const { status } = await admin.post('/apis/apiregistration.k8s.io/v1/apiservices?dryRun=All', {
      metadata: { name: 'v1.aggregated.conf.example' },
      spec: { ...spec, service, insecureSkipTLSVerify: true },
    });

    expect(status).toBe(201);
  });

  check('answers come as protobuf', async ({ admin }) => {
    const accept = 'application/vnd.kubernetes.protobuf';
    const { status, headers } = await admin.get(`/api/v1/namespaces/${namespace}`, { accept });

    expect([status, headers['content-type']]).toEqual([200, accept]);
  });

  check('fields of built-in kinds are described', async ({ admin }) => {
    const { body } = await admin.get('/openapi/v3/api/v1');

    expect(body).toHaveProperty([
      'components',
      'schemas',
      'io.k8s.api.core.v1.ConfigMap',
      'properties',
      'data',
      'description',
    ]);
  });

  check('certificates can be requested', async ({ admin }) => {
    const path = inCluster('certificates.k8s.io/v1/certificatesigningrequests');

    expect((await admin.get(path())).status).toBe(200);
  });

  check('autoscalers have a first version', async ({ admin }) => {
    const path = inNamespace('autoscaling/v1/horizontalpodautoscalers', namespace);

    expect((await admin.get(path())).status).toBe(200);
  });

  check('bodies may be nested a thousand levels deep', async ({ admin }) => {
    const nested = `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`;
    const { status } = await admin.post(
      `/api/v1/namespaces/${namespace}/configmaps?dryRun=All&fieldValidation=Ignore`,
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"deep"},"unknown":${nested}}`,
    );

    expect(status).toBe(201);
  });

  check('the server has metrics', async ({ admin }) => {
    expect((await admin.get('/metrics')).status).toBe(200);
  });
});

describe('the table of intended differences', () => {
  it('in the README of the embedded server says what the checks say', async () => {
    const readme = await readFile(new URL('../../packages/apiserver/README.md', import.meta.url), 'utf8');
    const rows = readme.split('\n').filter((line) => line.startsWith('| '));

    expect(rows).toEqual([
      '| what | what a client gets |',
      ...differences.map(({ what, gets }) => `| ${what} | ${gets} |`),
    ]);
  });
});
