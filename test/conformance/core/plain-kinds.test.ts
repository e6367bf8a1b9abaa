import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { install } from '../definition.ts';
import { masked, storedMeta } from '../mask.ts';
import { inCluster, inNamespace } from '../paths.ts';
import { expectRefusal, invalid } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-plain-kinds';

conformance('other core kinds', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  check('events are stored as they are', async ({ admin }) => {
    const events = inNamespace('v1/events', namespace);
    const sent = {
      metadata: { name: 'e' },
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', namespace },
      reason: 'Tested',
      message: 'a test',
      type: 'Normal',
      count: 1,
      source: { component: 'conformance' },
      firstTimestamp: '2024-01-02T03:04:05Z',
      lastTimestamp: '2024-01-02T03:04:05Z',
    };
    const { status, body } = await admin.post(events(), sent);

    expect([status, masked(body)]).toEqual([
      201,
      {
        kind: 'Event',
        apiVersion: 'v1',
        metadata: storedMeta('e', namespace),
        involvedObject: { kind: 'ConfigMap', namespace, name: 'x', apiVersion: 'v1' },
        reason: 'Tested',
        message: 'a test',
        source: { component: 'conformance' },
        firstTimestamp: '2024-01-02T03:04:05Z',
        lastTimestamp: '2024-01-02T03:04:05Z',
        count: 1,
        type: 'Normal',
        eventTime: null,
        reportingComponent: '',
        reportingInstance: '',
      },
    ]);
  });

  check('events are the same in both groups', async ({ admin }) => {
    await admin.create(inNamespace('v1/events', namespace)(), {
      metadata: { name: 'shared' },
      involvedObject: { kind: 'ConfigMap', name: 'x', namespace },
      reason: 'Tested',
      message: 'm',
    });
    const { status, body } = await admin.get(inNamespace('events.k8s.io/v1/events', namespace)('shared'));

    expect([status, body.apiVersion, body.regarding, body.note, body.reason]).toEqual([
      200,
      'events.k8s.io/v1',
      { kind: 'ConfigMap', namespace, name: 'x' },
      'm',
      'Tested',
    ]);
  });

  check('events must be about something in their namespace', async ({ admin }) => {
    expectRefusal(
      await admin.post(inNamespace('v1/events', namespace)(), {
        metadata: { name: 'far' },
        involvedObject: { kind: 'ConfigMap', name: 'x', namespace: 'elsewhere' },
      }),
      invalid({ kind: 'Event' }, 'far', [
        ['involvedObject.namespace', 'FieldValueInvalid', 'Invalid value: "elsewhere": does not match event.namespace'],
      ]),
    );
  });

  check('events of the new group are complete', async ({ admin }) => {
    const events = inNamespace('events.k8s.io/v1/events', namespace);
    const whole = {
      metadata: { name: 'new' },
      eventTime: '2024-01-02T03:04:05.678901Z',
      reportingController: 'x.io/c',
      reportingInstance: 'i',
      action: 'Test',
      reason: 'Tested',
      type: 'Normal',
      note: 'n',
      regarding: { kind: 'ConfigMap', name: 'x', namespace },
    };
    const { status, body } = await admin.post(events(), whole);

    expect([status, body.eventTime]).toEqual([201, '2024-01-02T03:04:05.678901Z']);
    expectRefusal(
      await admin.post(events(), {
        ...whole,
        metadata: { name: 'bare' },
        eventTime: null,
        action: '',
        reason: '',
        type: 'Loud',
      }),
      invalid({ kind: 'Event' }, 'bare', [
        ['eventTime', 'FieldValueRequired', 'Required value'],
        ['type', 'FieldValueInvalid', 'Invalid value: "": has invalid value: Loud'],
      ]),
    );
  });

  check('leases keep their holder and times', async ({ admin }) => {
    const leases = inNamespace('coordination.k8s.io/v1/leases', namespace);
    const spec = {
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      renewTime: '2024-01-02T03:04:05.678901Z',
      acquireTime: '2024-01-02T03:04:05.000000Z',
      leaseTransitions: 1,
    };
    const { status, body } = await admin.post(leases(), { metadata: { name: 'l' }, spec });

    expect([status, body.spec]).toEqual([
      201,
      {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        acquireTime: '2024-01-02T03:04:05.000000Z',
        renewTime: '2024-01-02T03:04:05.678901Z',
        leaseTransitions: 1,
      },
    ]);
  });

  check('leases refuse a duration of nothing', async ({ admin }) => {
    const leases = inNamespace('coordination.k8s.io/v1/leases', namespace);

    expectRefusal(
      await admin.post(leases(), {
        metadata: { name: 'bad' },
        spec: { leaseDurationSeconds: 0, leaseTransitions: -1 },
      }),
      invalid({ group: 'coordination.k8s.io', kind: 'Lease' }, 'bad', [
        ['spec.leaseDurationSeconds', 'FieldValueInvalid', 'Invalid value: 0: must be greater than 0'],
        ['spec.leaseTransitions', 'FieldValueInvalid', 'Invalid value: -1: must be greater than or equal to 0'],
      ]),
    );
  });

  check('deployments are plain data', async ({ admin }) => {
    const deployments = inNamespace('apps/v1/deployments', namespace);
    const labels = { app: 'web' };
    const spec = {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } },
    };
    const { status, body } = await admin.post(deployments(), { metadata: { name: 'web' }, spec });

    expect([status, body.metadata.generation]).toEqual([201, 1]);
    expect(body.spec).toMatchObject(spec);
    const { body: scale } = await admin.get(`${deployments('web')}/scale`);
    expect(masked(scale)).toEqual({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: storedMeta('web', namespace),
      spec: { replicas: 2 },
      status: { replicas: 0, selector: 'app=web' },
    });
  });

  check('deployments refuse what Kubernetes refuses first', async ({ admin }) => {
    const deployments = inNamespace('apps/v1/deployments', namespace);
    const { status, body } = await admin.post(deployments(), { metadata: { name: 'bad' }, spec: {} });
    const mismatch = await admin.post(deployments(), {
      metadata: { name: 'bad' },
      spec: {
        selector: { matchLabels: { a: '1' } },
        template: { metadata: { labels: { a: '2' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    });

    expect([status, body.reason, mismatch.status, mismatch.body.message]).toEqual([
      422,
      'Invalid',
      422,
      'Deployment.apps "bad" is invalid: spec.template.metadata.labels: Invalid value: {"a":"2"}: `selector` does not match template `labels`',
    ]);
  });

  check('pods are plain data', async ({ admin }) => {
    const pods = inNamespace('v1/pods', namespace);
    await eventually(
      async () => (await admin.get(inNamespace('v1/serviceaccounts', namespace)('default'))).status === 200,
      { what: 'the default account' },
    );
    const { status, body } = await admin.post(pods(), {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i:1' }] },
    });
    const reported = await admin.patch('merge', `${pods('p')}/status`, {
      status: { phase: 'Running', podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }] },
    });

    expect([
      status,
      (body.status as { phase: string }).phase,
      (body.spec as { serviceAccountName: string }).serviceAccountName,
    ]).toEqual([201, 'Pending', 'default']);
    expect([reported.status, (reported.body.status as { phase: string }).phase]).toEqual([200, 'Running']);
  });

  check('service accounts have no more than metadata', async ({ admin }) => {
    const { status, body } = await admin.post(inNamespace('v1/serviceaccounts', namespace)(), {
      metadata: { name: 'robot' },
    });

    expect([status, masked(body)]).toEqual([
      201,
      { kind: 'ServiceAccount', apiVersion: 'v1', metadata: storedMeta('robot', namespace) },
    ]);
  });

  check('API services stand for every group and version, also of custom kinds', async ({ admin }) => {
    const services = inCluster('apiregistration.k8s.io/v1/apiservices');
    await install(admin, { group: 'plain.conf.example', kind: 'Served' });
    const custom = await eventually(
      async () => {
        const answer = await admin.get(services('v1.plain.conf.example'));
        return answer.status === 200 && answer;
      },
      { what: 'the custom group has its service' },
    );
    const core = await admin.get(services('v1.'));

    expect([core.body.spec, masked(core.body.status)]).toEqual([
      { version: 'v1', groupPriorityMinimum: 18_000, versionPriority: 1 },
      {
        conditions: [
          {
            type: 'Available',
            status: 'True',
            lastTransitionTime: '<time>',
            reason: 'Local',
            message: 'Local APIServices are always available',
          },
        ],
      },
    ]);
    expect([custom.body.metadata.labels, custom.body.spec]).toEqual([
      { 'kube-aggregator.kubernetes.io/automanaged': 'true' },
      { group: 'plain.conf.example', version: 'v1', groupPriorityMinimum: 1_000, versionPriority: 100 },
    ]);
  });
});
