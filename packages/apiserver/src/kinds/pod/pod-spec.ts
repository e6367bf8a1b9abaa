import { objectMeta } from '../meta/object-meta.ts';
import { localObjectReference } from '../meta/references.ts';
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
  value,
} from '../types/fields.ts';
import { affinity, toleration, topologySpreadConstraint } from './affinity.ts';
import { container, ephemeralContainer, resourceRequirements } from './container.ts';
import { podSecurityContext } from './security-context.ts';
import { volume } from './volume.ts';

/** What pods are to be. */

const podOs = struct('PodOS', 'An operating system.', {
  name: must(named('OSName', 'linux or windows.')),
});

const podDnsConfigOption = struct('PodDNSConfigOption', 'An option of the resolver.', {
  name: text('Its name.'),
  value: ptr(text('Its value.')),
});

const podDnsConfig = struct('PodDNSConfig', 'DNS settings.', {
  nameservers: list(text(), 'Addresses of name servers.'),
  searches: list(text(), 'Domains to search in.'),
  options: list(podDnsConfigOption, 'Options of the resolver.'),
});

const hostAlias = struct('HostAlias', 'An entry of the hosts file.', {
  ip: must(text('Address.')),
  hostnames: list(text(), 'Names for it.'),
});

const podReadinessGate = struct('PodReadinessGate', 'A condition that readiness needs.', {
  conditionType: must(named('PodConditionType', 'Type of the condition.')),
});

const podSchedulingGate = struct('PodSchedulingGate', 'Something that must happen first.', {
  name: must(text('Its name.')),
});

const podResourceClaim = struct('PodResourceClaim', 'A resource claim for the containers.', {
  name: must(text('Name within the pod.')),
  resourceClaimName: ptr(text('A claim that exists.')),
  resourceClaimTemplateName: ptr(text('A template to make the claim from.')),
});

const workloadReference = struct('WorkloadReference', 'A workload.', {
  name: must(text('Its name.')),
  podGroup: must(text('Group of pods in it.')),
  podGroupReplicaKey: text('Which of the groups.'),
});

export const podSpec = struct('PodSpec', 'What a pod is to be.', {
  volumes: keyed('name', volume, 'Volumes that containers can mount.', 'merge,retainKeys'),
  initContainers: keyed('name', container, 'Containers that run, one after the other, before the others.'),
  containers: must(keyed('name', container, 'The containers; at least one.')),
  ephemeralContainers: keyed('name', ephemeralContainer, 'Containers added to look into a running pod.'),
  restartPolicy: named('RestartPolicy', 'Always, OnFailure or Never.'),
  terminationGracePeriodSeconds: ptr(int64('Time to end in peace.')),
  activeDeadlineSeconds: ptr(int64('Longest life.')),
  dnsPolicy: named('DNSPolicy', 'How names are resolved.'),
  nodeSelector: dict(text(), 'Labels a node must have.', { 'x-kubernetes-map-type': 'atomic' }),
  serviceAccountName: text('Service account of the pod.'),
  serviceAccount: text('Old name of serviceAccountName.'),
  automountServiceAccountToken: ptr(bool('Whether a token is mounted.')),
  nodeName: text('Node the pod is on.'),
  hostNetwork: bool('Whether it uses the network of the node.'),
  hostPID: bool('Whether it sees processes of the node.'),
  hostIPC: bool('Whether it shares memory with the node.'),
  shareProcessNamespace: ptr(bool('Whether containers see processes of each other.')),
  securityContext: ptr(podSecurityContext, 'Rights of all containers.'),
  imagePullSecrets: keyed('name', localObjectReference, 'Secrets for pulling images.'),
  hostname: text('Host name of the pod.'),
  subdomain: text('Its subdomain.'),
  affinity: ptr(affinity, 'Where it likes to run.'),
  schedulerName: text('Who places it.'),
  tolerations: list(toleration, 'Taints it puts up with.'),
  hostAliases: keyed('ip', hostAlias, 'Entries for the hosts file.'),
  priorityClassName: text('Name of its priority.'),
  priority: ptr(int32('Its priority.')),
  dnsConfig: ptr(podDnsConfig, 'Further DNS settings.'),
  readinessGates: list(podReadinessGate, 'Conditions that readiness also needs.'),
  runtimeClassName: ptr(text('How containers are run.')),
  enableServiceLinks: ptr(bool('Whether variables tell about services.')),
  preemptionPolicy: ptr(named('PreemptionPolicy', 'PreemptLowerPriority or Never.')),
  overhead: dict(quantity(), 'What running the pod costs by itself.'),
  topologySpreadConstraints: keyed(
    ['topologyKey', 'whenUnsatisfiable'],
    topologySpreadConstraint,
    'How pods like this one spread.',
  ),
  setHostnameAsFQDN: ptr(bool('Whether the host name is the full one.')),
  os: ptr(podOs, 'Operating system it is made for.'),
  hostUsers: ptr(bool('Whether user ids are those of the node.')),
  schedulingGates: keyed('name', podSchedulingGate, 'What must happen before it is placed.'),
  resourceClaims: keyed('name', podResourceClaim, 'Resource claims for the containers.', 'merge,retainKeys'),
  resources: ptr(resourceRequirements, 'What all containers together need.'),
  hostnameOverride: ptr(text('Host name in place of the usual one.')),
  workloadRef: ptr(workloadReference, 'The workload it belongs to.'),
});

export const podTemplateSpec = struct('PodTemplateSpec', 'What pods are made from.', {
  metadata: value(objectMeta, 'Labels and annotations of the pods.'),
  spec: value(podSpec, 'What the pods are to be.'),
});
