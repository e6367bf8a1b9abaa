import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../objects/api-object.ts';
import { pods } from './pods.ts';

const { strategy, schema } = pods;

function pod(spec: object = {}): ApiObject {
  const object: ApiObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n' },
    spec: { containers: [{ name: 'a', image: 'i' }], ...spec },
  };
  schema?.applyDefaults(object);
  strategy.prepareCreate?.(object);
  return object;
}

const reasons = (object: ApiObject, old: ApiObject) =>
  strategy.validateUpdate?.(object, old).map(({ field, reason }) => `${field} ${reason}`);

describe('a pod', () => {
  it('waits for somebody to run it', () => {
    expect(pod()['status']).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  it('runs as the default account of its namespace unless it names another one', () => {
    expect(pod()['spec']).toMatchObject({ serviceAccountName: 'default', serviceAccount: 'default' });
    expect(pod({ serviceAccount: 'robot' })['spec']).toMatchObject({
      serviceAccountName: 'robot',
      serviceAccount: 'robot',
    });
  });

  it.each([
    ['that runs nowhere', {}, undefined, undefined, 0],
    ['on a node', { nodeName: 'n' }, undefined, undefined, 30],
    ['with a time of its own', { nodeName: 'n', terminationGracePeriodSeconds: 5 }, undefined, undefined, 5],
    ['whose client names another time', { nodeName: 'n' }, undefined, 7, 7],
    ['whose client is in a hurry', { nodeName: 'n' }, undefined, 0, 0],
    ['with a time before now', { nodeName: 'n' }, undefined, -3, 1],
    ['that has failed', { nodeName: 'n' }, 'Failed', 7, 0],
    ['that has done its work', { nodeName: 'n' }, 'Succeeded', undefined, 0],
  ])('%s stays for a while after its deletion', (_, spec, phase, asked, seconds) => {
    const object = { ...pod(spec), ...(phase === undefined ? {} : { status: { phase } }) };

    expect(strategy.gracePeriod?.(object, asked)).toBe(seconds);
  });

  it('asks for what it may use', () => {
    const { spec } = pod({
      containers: [
        { name: 'a', image: 'i', resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } } },
      ],
    });

    expect(spec).toMatchObject({ containers: [{ resources: { requests: { cpu: '500m', memory: '1Gi' } } }] });
  });

  it('uses the ports of its node when it is on its network', () => {
    const { spec } = pod({
      hostNetwork: true,
      containers: [{ name: 'a', image: 'i', ports: [{ containerPort: 80 }] }],
    });

    expect(spec).toMatchObject({ containers: [{ ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }] }] });
  });

  it('may get other images, deadlines and tolerations', () => {
    const changed = pod({
      containers: [{ name: 'a', image: 'j', imagePullPolicy: 'Always' }],
      activeDeadlineSeconds: 5,
      tolerations: [{ key: 'a' }],
    });

    expect(reasons(changed, pod())).toEqual([]);
  });

  it('may not change in any other way', () => {
    expect(reasons(pod({ containers: [{ name: 'a', image: 'i', command: ['x'] }] }), pod())).toEqual([
      'spec FieldValueForbidden',
    ]);
    expect(reasons(pod({ nodeSelector: { a: 'b' } }), pod())).toEqual(['spec FieldValueForbidden']);
  });

  it('may neither gain nor lose containers', () => {
    const two = pod({
      containers: [
        { name: 'a', image: 'i' },
        { name: 'b', image: 'i' },
      ],
    });

    expect(reasons(two, pod())).toEqual(['spec.containers FieldValueForbidden']);
    expect(reasons(pod({ initContainers: [{ name: 'i', image: 'i' }] }), pod())).toEqual([
      'spec.initContainers FieldValueForbidden',
    ]);
  });

  it.each([
    ['spec.nodeName', { nodeName: 'n1' }, 'n1'],
    ['spec.restartPolicy', {}, 'Always'],
    ['spec.hostNetwork', {}, 'false'],
    ['spec.hostNetwork', { hostNetwork: true }, 'true'],
    ['status.phase', {}, 'Pending'],
    ['status.podIP', {}, ''],
  ])('is found by %s of %j: %s', (field, spec, value) => {
    expect(pods.selectableFields[field]?.(pod(spec))).toBe(value);
  });
});
