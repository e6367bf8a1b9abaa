import { labelSelector } from '../meta/label-selector.ts';
import { podTemplateSpec } from '../pod/pod-spec.ts';
import {
  bool,
  int32,
  int64,
  intOrString,
  keyed,
  must,
  named,
  ptr,
  struct,
  text,
  time,
  value,
} from '../types/fields.ts';

const deploymentCondition = struct('DeploymentCondition', 'One aspect of the state of a deployment.', {
  type: must(named('DeploymentConditionType', 'What it is about.')),
  status: must(named('ConditionStatus', 'True, False or Unknown.')),
  lastUpdateTime: time('When it was last written.'),
  lastTransitionTime: time('When the status last changed.'),
  reason: text('Why, as one word.'),
  message: text('Why, for people.'),
});

const rollingUpdateDeployment = struct('RollingUpdateDeployment', 'Settings of a rolling update.', {
  maxUnavailable: ptr(intOrString('How many pods may be missing.')),
  maxSurge: ptr(intOrString('How many pods may be too many.')),
});

const deploymentStrategy = struct('DeploymentStrategy', 'How old pods give way to new ones.', {
  type: named('DeploymentStrategyType', 'RollingUpdate or Recreate.'),
  rollingUpdate: ptr(rollingUpdateDeployment, 'Settings of a rolling update.'),
});

const deploymentSpec = struct('DeploymentSpec', 'What a deployment is to be.', {
  replicas: ptr(int32('How many pods.')),
  selector: must(ptr(labelSelector, 'The pods that belong to it; cannot be changed.')),
  template: must(value(podTemplateSpec, 'What the pods are made from.')),
  strategy: value(deploymentStrategy, 'How old pods give way to new ones.', {
    'x-kubernetes-patch-strategy': 'retainKeys',
  }),
  minReadySeconds: int32('How long a pod must be ready to count.'),
  revisionHistoryLimit: ptr(int32('How many old versions are kept.')),
  paused: bool('Whether changes wait.'),
  progressDeadlineSeconds: ptr(int32('How long a change may take.')),
});

const deploymentStatus = struct('DeploymentStatus', 'What is known of a deployment.', {
  observedGeneration: int64('Generation this was found for.'),
  replicas: int32('Pods there are.'),
  updatedReplicas: int32('Pods made from the current template.'),
  readyReplicas: int32('Pods that are ready.'),
  availableReplicas: int32('Pods that have been ready long enough.'),
  unavailableReplicas: int32('Pods that are missing.'),
  terminatingReplicas: ptr(int32('Pods on their way out.')),
  conditions: keyed('type', deploymentCondition, 'Aspects of its state.'),
  collisionCount: ptr(int32('Clashes of names met so far.')),
});

export const deployment = struct(
  'Deployment',
  'A number of pods made from a template. This server keeps deployments as data and makes no pods.',
  { spec: value(deploymentSpec, 'What is wanted.'), status: value(deploymentStatus, 'What is there.') },
);
