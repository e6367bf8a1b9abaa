import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../objects/api-object.ts';
import { builtInResources } from '../built-in-resources.ts';

const workloads = [
  'Pod',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
  'Job',
  'CronJob',
];

const served = (kind: string) => builtInResources.find((one) => one.kind === kind);

const objectOf = (kind: string, spec: object): ApiObject => ({ apiVersion: 'v1', kind, metadata: { name: 'x' }, spec });

describe('workloads', () => {
  it.each(workloads)('%s is stored with a warning that nothing runs it', (kind) => {
    expect(served(kind)?.strategy.warnings?.(objectOf(kind, {}))).toEqual([
      `this API server runs no containers: the ${kind} is stored, but no Pod will ever start`,
    ]);
  });

  it.each(workloads)('%s changes without a word', (kind) => {
    const object = objectOf(kind, {});

    expect(served(kind)?.strategy.warnings?.(object, object)).toEqual([]);
  });

  it('are the only kinds that warn', () => {
    const warning = builtInResources.filter(({ strategy }) => strategy.warnings).map(({ kind }) => kind);

    expect(warning.filter((kind) => kind !== 'CustomResourceDefinition').sort()).toEqual([...workloads].sort());
  });

  it('have the defaults of Pods in their templates', () => {
    const template = () => ({ spec: { containers: [{ name: 'c', image: 'i:1' }] } });
    const set = objectOf('StatefulSet', { template: template() });
    const cron = objectOf('CronJob', { jobTemplate: { spec: { template: template() } } });
    served('StatefulSet')?.schema?.applyDefaults(set);
    served('CronJob')?.schema?.applyDefaults(cron);
    const spec = { dnsPolicy: 'ClusterFirst', containers: [{ imagePullPolicy: 'IfNotPresent' }] };

    expect(set['spec']).toMatchObject({ replicas: 1, template: { spec } });
    expect(cron['spec']).toMatchObject({ jobTemplate: { spec: { template: { spec } } } });
  });
});
