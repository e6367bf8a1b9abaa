import { isDeepStrictEqual } from 'node:util';
import type { ApiObject } from '../../objects/api-object.ts';
import type { Strategy } from '../../registry/served-resource.ts';
import { forbidden } from '../../schema/fields/field-error.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { defineKind } from '../define-kind.ts';
import { podColumns } from '../pod/pod-columns.ts';
import { fillInPod } from '../pod/pod-defaults.ts';
import { qualityOfService } from '../pod/quality-of-service.ts';
import type { PodSpec } from '../pod/pod-types.ts';
import { podSpecCauses } from '../pod/validate-pod-spec.ts';
import { workloadWarnings } from '../workloads/workload-warnings.ts';

interface Pod extends ApiObject {
  spec: PodSpec;
  status?: { phase?: string; qosClass?: string; podIP?: string; nominatedNodeName?: string };
}

const CHANGEABLE =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

const strategy: Partial<Strategy> = {
  tracksGeneration: true,
  warnings: workloadWarnings,
  returnsDeleted: true,
  prepareCreate: (object) => {
    const created = object as Pod;
    const { spec } = created;
    const account = spec.serviceAccountName || 'default';
    Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
    created.status = { phase: 'Pending', qosClass: qualityOfService(spec) };
  },
  gracePeriod,
  validateCreate: (object) => podSpecCauses((object as Pod).spec, 'spec'),
  validateUpdate: (object, old) => [
    ...podSpecCauses((object as Pod).spec, 'spec'),
    ...changeCauses((object as Pod).spec, (old as Pod).spec),
  ],
};

/** Whoever runs the containers of a pod gets time to end them; without anybody who does, there is nothing to wait for. */
function gracePeriod(object: ApiObject, asked: number | undefined): number {
  const { spec, status } = object as Pod;
  const hasEnded = status?.phase === 'Failed' || status?.phase === 'Succeeded';
  if (!spec.nodeName || hasEnded) return 0;
  const seconds = asked ?? spec.terminationGracePeriodSeconds ?? 0;
  return seconds < 0 ? 1 : seconds;
}

function changeCauses(spec: PodSpec, old: PodSpec): readonly FieldCause[] {
  const count = (containers: PodSpec['containers']) => containers?.length ?? 0;
  if (count(spec.containers) !== count(old.containers))
    return [forbidden('spec.containers', 'pod updates may not add or remove containers')];
  if (count(spec.initContainers) !== count(old.initContainers)) {
    return [forbidden('spec.initContainers', 'pod updates may not add or remove containers')];
  }
  return isDeepStrictEqual(unchangeable(spec), unchangeable(old))
    ? []
    : [forbidden('spec', `pod updates may not change fields other than ${CHANGEABLE}\n`)];
}

function unchangeable(spec: PodSpec): object {
  const { activeDeadlineSeconds: _, tolerations: _tolerations, schedulingGates: _gates, ...rest } = spec;
  const withoutImage = (containers: PodSpec['containers']) =>
    containers?.map(({ image: _image, ...container }) => container);
  return { ...rest, containers: withoutImage(spec.containers), initContainers: withoutImage(spec.initContainers) };
}

const specField =
  (field: 'nodeName' | 'restartPolicy' | 'schedulerName' | 'serviceAccountName') => (object: ApiObject) =>
    (object as Partial<Pod>).spec?.[field] ?? '';

export const pods = defineKind({
  group: '',
  resource: 'pods',
  columns: podColumns,
  selectableFields: {
    'spec.nodeName': specField('nodeName'),
    'spec.restartPolicy': specField('restartPolicy'),
    'spec.schedulerName': specField('schedulerName'),
    'spec.serviceAccountName': specField('serviceAccountName'),
    'spec.hostNetwork': (object) => String((object as Pod).spec?.hostNetwork ?? false),
    'status.phase': (object) => (object as Pod).status?.phase ?? '',
    'status.podIP': (object) => (object as Pod).status?.podIP ?? '',
    'status.nominatedNodeName': (object) => (object as Pod).status?.nominatedNodeName ?? '',
  },
  strategy,
  fillIn: (object) => {
    const { spec, status } = object as Pod;
    fillInPod(spec);
    if (status?.phase !== undefined) Object.assign(status, { qosClass: qualityOfService(spec) });
  },
});
