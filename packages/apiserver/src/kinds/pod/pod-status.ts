import {
  bool,
  dict,
  int32,
  int64,
  keyed,
  list,
  must,
  named,
  ptr,
  quantity,
  struct,
  text,
  time,
  value,
} from '../types/fields.ts';
import { resourceRequirements } from './container.ts';

/** What is known of pods. */

const containerStateWaiting = struct('ContainerStateWaiting', 'A container that waits.', {
  reason: text('Why, as one word.'),
  message: text('Why, for people.'),
});

const containerStateRunning = struct('ContainerStateRunning', 'A container that runs.', {
  startedAt: time('Since when.'),
});

const containerStateTerminated = struct('ContainerStateTerminated', 'A container that has ended.', {
  exitCode: must(int32('With which code.')),
  signal: int32('By which signal.'),
  reason: text('Why, as one word.'),
  message: text('Why, for people.'),
  startedAt: time('When it started.'),
  finishedAt: time('When it ended.'),
  containerID: text('Its identity.'),
});

const containerState = struct('ContainerState', 'What a container does: one of these.', {
  waiting: ptr(containerStateWaiting, 'It waits.'),
  running: ptr(containerStateRunning, 'It runs.'),
  terminated: ptr(containerStateTerminated, 'It has ended.'),
});

const linuxContainerUser = struct('LinuxContainerUser', 'Who a container runs as on Linux.', {
  uid: must(int64('User id.')),
  gid: must(int64('Group id.')),
  supplementalGroups: list(int64(), 'Further groups.'),
});

const containerUser = struct('ContainerUser', 'Who a container runs as.', {
  linux: ptr(linuxContainerUser, 'On Linux.'),
});

const volumeMountStatus = struct('VolumeMountStatus', 'A volume mounted in a container.', {
  name: must(text('The volume.')),
  mountPath: must(text('Where it appears.')),
  readOnly: bool('Whether it cannot be written.'),
  recursiveReadOnly: ptr(named('RecursiveReadOnlyMode')),
});

const resourceHealth = struct('ResourceHealth', 'Health of a part of a resource.', {
  resourceID: must(named('ResourceID', 'The part.')),
  health: named('ResourceHealthStatus', 'Healthy, Unhealthy or Unknown.'),
});

const resourceStatus = struct('ResourceStatus', 'Health of a resource.', {
  name: must(named('ResourceName', 'The resource.')),
  resources: keyed('resourceID', resourceHealth, 'Health of its parts.', ''),
});

const containerStatus = struct('ContainerStatus', 'State of a container.', {
  name: must(text('The container.')),
  state: value(containerState, 'What it does now.'),
  lastState: value(containerState, 'How it ended last time.'),
  ready: must(bool('Whether it is ready.')),
  restartCount: must(int32('How often it was restarted.')),
  image: must(text('Image it runs.')),
  imageID: must(text('Exact image.')),
  containerID: text('Its identity.'),
  started: ptr(bool('Whether it has started.')),
  allocatedResources: dict(quantity()),
  resources: ptr(resourceRequirements),
  volumeMounts: keyed('mountPath', volumeMountStatus),
  user: ptr(containerUser),
  allocatedResourcesStatus: keyed('name', resourceStatus),
  stopSignal: ptr(named('Signal')),
});

const podCondition = struct('PodCondition', 'One aspect of the state of a pod.', {
  type: must(named('PodConditionType', 'What it is about.')),
  observedGeneration: int64('Generation it was found for.'),
  status: must(named('ConditionStatus', 'True, False or Unknown.')),
  lastProbeTime: time('When it was last looked at.'),
  lastTransitionTime: time('When the status last changed.'),
  reason: text('Why, as one word.'),
  message: text('Why, for people.'),
});

const hostIp = struct('HostIP', 'An address of a node.', {
  ip: must(text('The address.')),
});

const podIp = struct('PodIP', 'An address of a pod.', {
  ip: must(text('The address.')),
});

const podResourceClaimStatus = struct('PodResourceClaimStatus', 'A claim made for a pod.', {
  name: must(text('Name within the pod.')),
  resourceClaimName: ptr(text('The claim.')),
});

const containerExtendedResourceRequest = struct(
  'ContainerExtendedResourceRequest',
  'What a container gets of a claim.',
  {
    containerName: must(text()),
    resourceName: must(text()),
    requestName: must(text()),
  },
);

const podExtendedResourceClaimStatus = struct(
  'PodExtendedResourceClaimStatus',
  'A claim made for extended resources of a pod.',
  {
    requestMappings: must(list(containerExtendedResourceRequest, 'What each container gets of it.')),
    resourceClaimName: must(text('The claim.')),
  },
);

export const podStatus = struct('PodStatus', 'What is known of a pod.', {
  observedGeneration: int64('Generation this was found for.'),
  phase: named('PodPhase', 'Pending, Running, Succeeded, Failed or Unknown.'),
  conditions: keyed('type', podCondition, 'Aspects of its state.'),
  message: text('Why it is in this state, for people.'),
  reason: text('Why, as one word.'),
  nominatedNodeName: text('Node it may get.'),
  hostIP: text('Address of the node.'),
  hostIPs: list(hostIp, 'Addresses of the node.', {
    'x-kubernetes-list-type': 'atomic',
    'x-kubernetes-patch-merge-key': 'ip',
    'x-kubernetes-patch-strategy': 'merge',
  }),
  podIP: text('Address of the pod.'),
  podIPs: keyed('ip', podIp, 'Addresses of the pod.'),
  startTime: ptr(time('When it was taken on.')),
  initContainerStatuses: list(containerStatus, 'State of the init containers.'),
  containerStatuses: list(containerStatus, 'State of the containers.'),
  qosClass: named('PodQOSClass', 'Guaranteed, Burstable or BestEffort.'),
  ephemeralContainerStatuses: list(containerStatus, 'State of ephemeral containers.'),
  resize: named('PodResizeStatus'),
  resourceClaimStatuses: keyed('name', podResourceClaimStatus, undefined, 'merge,retainKeys'),
  extendedResourceClaimStatus: ptr(podExtendedResourceClaimStatus),
  allocatedResources: dict(quantity()),
  resources: ptr(resourceRequirements),
});
