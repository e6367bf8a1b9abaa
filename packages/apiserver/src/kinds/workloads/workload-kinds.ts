import type { ApiObject } from '../../objects/api-object.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { defineKind, type KindDefinition } from '../define-kind.ts';
import { fillInPodSpec } from '../pod/pod-defaults.ts';
import type { PodSpec } from '../pod/pod-types.ts';
import { workloadColumns } from './workload-columns.ts';
import { workloadWarnings } from './workload-warnings.ts';

interface WorkloadSpec {
  replicas?: number;
  template?: Template;
  jobTemplate?: { spec: { template?: Template } };
}

interface Template {
  spec?: PodSpec;
}

function fillIn(object: ApiObject): void {
  const { template, jobTemplate } = specOf(object);
  for (const { spec } of [template, jobTemplate?.spec.template].filter((one) => one !== undefined)) {
    if (spec) fillInPodSpec(spec);
  }
}

function fillInReplicas(object: ApiObject): void {
  specOf(object).replicas ??= 1;
  fillIn(object);
}

function specOf(object: ApiObject): WorkloadSpec {
  return object['spec'] as WorkloadSpec;
}

function workload(group: string, resource: string, defaults: KindDefinition['fillIn']): ServedResource {
  const strategy = { tracksGeneration: true, warnings: workloadWarnings };
  return defineKind({ group, resource, columns: workloadColumns[resource], strategy, fillIn: defaults });
}

/** Kinds that make Pods elsewhere, besides Deployments. Their templates have the defaults of Pods. */
export const workloadKinds: readonly ServedResource[] = [
  workload('', 'replicationcontrollers', fillInReplicas),
  workload('apps', 'daemonsets', fillIn),
  workload('apps', 'replicasets', fillInReplicas),
  workload('apps', 'statefulsets', fillInReplicas),
  workload('batch', 'cronjobs', fillIn),
  workload('batch', 'jobs', fillIn),
];
