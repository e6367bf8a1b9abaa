import type { ApiObject } from '../../objects/api-object.ts';
import { labelSelectorFrom, type LabelSelectorObject } from '../../select/index.ts';
import { ageColumn, column, nameColumn, type Shown, wide, wideColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { fillInPodSpec } from '../pod/pod-defaults.ts';
import type { PodSpec } from '../pod/pod-types.ts';
import { containerColumns } from '../workloads/workload-columns.ts';
import { workloadWarnings } from '../workloads/workload-warnings.ts';
import { deploymentCauses, deploymentUpdateCauses } from './validate-deployment.ts';

interface DeploymentFields {
  spec: DeploymentSpec;
  status?: Partial<Record<StatusCount, number>>;
}

export type Deployment = ApiObject & DeploymentFields;

type StatusCount =
  | 'observedGeneration'
  | 'replicas'
  | 'updatedReplicas'
  | 'readyReplicas'
  | 'availableReplicas'
  | 'unavailableReplicas';

export interface DeploymentSpec {
  replicas?: number;
  selector?: LabelSelectorObject | null;
  template: { metadata: { labels?: Record<string, string> }; spec: PodSpec };
  strategy: {
    type?: string;
    rollingUpdate?: { maxUnavailable?: string | number; maxSurge?: string | number };
  };
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  progressDeadlineSeconds?: number;
}

function fillIn({ spec }: Deployment): void {
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  const { strategy } = spec;
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate = { maxUnavailable: '25%', maxSurge: '25%', ...strategy.rollingUpdate };
  }
  fillInPodSpec(spec.template.spec);
}

export const deployments = defineKind({
  group: 'apps',
  resource: 'deployments',
  columns: [
    nameColumn,
    column(
      'Ready',
      'Pods that are ready, of those wanted.',
      ({ spec, status }: Shown<DeploymentFields>) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ),
    column(
      'Up-to-date',
      'Pods made from the current template.',
      ({ status }: Shown<DeploymentFields>) => status?.updatedReplicas ?? 0,
    ),
    column(
      'Available',
      'Pods that have been ready long enough.',
      ({ status }: Shown<DeploymentFields>) => status?.availableReplicas ?? 0,
    ),
    ageColumn,
    ...containerColumns('spec.template').map(wide),
    wideColumn('Selector', 'Pods that belong to it.', ({ spec }: Shown<DeploymentFields>) =>
      labelSelectorFrom(spec?.selector ?? undefined).toString(),
    ),
  ],
  strategy: {
    tracksGeneration: true,
    warnings: workloadWarnings,
    validateCreate: (object) => deploymentCauses(object as Deployment),
    validateUpdate: (object, old) => deploymentUpdateCauses(object as Deployment, old as Deployment),
  },
  fillIn: (object) => fillIn(object as Deployment),
});
