import { labelSelector } from '../meta/label-selector.ts';
import { atomicStruct, int32, int64, list, must, named, ptr, struct, text, value } from '../types/fields.ts';

/** Where pods run. */

const nodeSelectorRequirement = struct('NodeSelectorRequirement', 'A demand on a node.', {
  key: must(text('The label or field.')),
  operator: must(named('NodeSelectorOperator', 'In, NotIn, Exists, DoesNotExist, Gt or Lt.')),
  values: list(text(), 'What it is compared with.'),
});

const nodeSelectorTerm = atomicStruct('NodeSelectorTerm', 'Nodes that meet all of several demands.', {
  matchExpressions: list(nodeSelectorRequirement, 'Demands on labels.'),
  matchFields: list(nodeSelectorRequirement, 'Demands on fields.'),
});

const nodeSelector = atomicStruct('NodeSelector', 'Nodes that match one of several terms.', {
  nodeSelectorTerms: must(list(nodeSelectorTerm, 'The terms.')),
});

const preferredSchedulingTerm = struct('PreferredSchedulingTerm', 'Nodes that are liked.', {
  weight: must(int32('How much, from 1 to 100.')),
  preference: must(value(nodeSelectorTerm, 'The nodes.')),
});

const nodeAffinity = struct('NodeAffinity', 'Nodes a pod likes.', {
  requiredDuringSchedulingIgnoredDuringExecution: ptr(nodeSelector, 'Nodes it must run on.'),
  preferredDuringSchedulingIgnoredDuringExecution: list(preferredSchedulingTerm, 'Nodes it would rather run on.'),
});

const podAffinityTerm = struct('PodAffinityTerm', 'Pods, and what being near means.', {
  labelSelector: ptr(labelSelector, 'The pods.'),
  namespaces: list(text(), 'Their namespaces.'),
  topologyKey: must(text('Label of nodes that are one place.')),
  namespaceSelector: ptr(labelSelector, 'Their namespaces, by label.'),
  matchLabelKeys: list(text(), 'Labels that must equal those of this pod.'),
  mismatchLabelKeys: list(text(), 'Labels that must differ from those of this pod.'),
});

const weightedPodAffinityTerm = struct('WeightedPodAffinityTerm', 'Pods that are liked or disliked.', {
  weight: must(int32('How much, from 1 to 100.')),
  podAffinityTerm: must(value(podAffinityTerm, 'The pods.')),
});

const podAffinity = struct('PodAffinity', 'Pods a pod likes to be near.', {
  requiredDuringSchedulingIgnoredDuringExecution: list(podAffinityTerm, 'Pods it must be near.'),
  preferredDuringSchedulingIgnoredDuringExecution: list(weightedPodAffinityTerm, 'Pods it would rather be near.'),
});

const podAntiAffinity = struct('PodAntiAffinity', 'Pods a pod likes to be away from.', {
  requiredDuringSchedulingIgnoredDuringExecution: list(podAffinityTerm, 'Pods it must be away from.'),
  preferredDuringSchedulingIgnoredDuringExecution: list(weightedPodAffinityTerm, 'Pods it would rather be away from.'),
});

export const affinity = struct('Affinity', 'Where a pod likes to run.', {
  nodeAffinity: ptr(nodeAffinity, 'By labels of nodes.'),
  podAffinity: ptr(podAffinity, 'Near other pods.'),
  podAntiAffinity: ptr(podAntiAffinity, 'Away from other pods.'),
});

export const topologySpreadConstraint = struct('TopologySpreadConstraint', 'How pods spread over places.', {
  maxSkew: must(int32('Greatest difference between places.')),
  topologyKey: must(text('Label of nodes that are one place.')),
  whenUnsatisfiable: must(named('UnsatisfiableConstraintAction', 'DoNotSchedule or ScheduleAnyway.')),
  labelSelector: ptr(labelSelector, 'The pods that count.'),
  minDomains: ptr(int32('Least number of places.')),
  nodeAffinityPolicy: ptr(named('NodeInclusionPolicy', 'Whether node affinity counts.')),
  nodeTaintsPolicy: ptr(named('NodeInclusionPolicy', 'Whether taints count.')),
  matchLabelKeys: list(text(), 'Labels that must equal those of this pod.'),
});

export const toleration = struct('Toleration', 'A taint of nodes that a pod puts up with.', {
  key: text('The taint; all if empty.'),
  operator: named('TolerationOperator', 'Exists or Equal.'),
  value: text('Value of the taint.'),
  effect: named('TaintEffect', 'Effect of the taint; all if empty.'),
  tolerationSeconds: ptr(int64('How long.')),
});
