import {
  bool,
  dict,
  inlined,
  int32,
  keyed,
  list,
  must,
  named,
  ptr,
  quantity,
  set,
  struct,
  text,
  value,
} from '../types/fields.ts';
import { envFromSource, envVar } from './environment.ts';
import { lifecycle, probe } from './probes.ts';
import { securityContext } from './security-context.ts';

/** Containers of pods. */

const containerPort = struct('ContainerPort', 'A port of a container.', {
  name: text('Name, unique within the pod.'),
  hostPort: int32('Port of the node that leads here.'),
  containerPort: must(int32('Number of the port.')),
  protocol: named('Protocol', 'TCP, UDP or SCTP.', { default: 'TCP' }),
  hostIP: text('Address of the node to bind to.'),
});

const resourceClaim = struct('ResourceClaim', 'A resource claim of the pod.', {
  name: must(text('Its name in the pod.')),
  request: text('The part of it that is meant.'),
});

export const resourceRequirements = struct('ResourceRequirements', 'What is needed and what is allowed.', {
  limits: dict(quantity(), 'The most that may be used.'),
  requests: dict(quantity(), 'The least that must be there.'),
  claims: keyed('name', resourceClaim, 'Resource claims of the pod that are used.', ''),
});

const containerResizePolicy = struct('ContainerResizePolicy', 'What a change of one resource does.', {
  resourceName: must(named('ResourceName', 'The resource.')),
  restartPolicy: must(named('ResourceResizeRestartPolicy', 'NotRequired or RestartContainer.')),
});

const containerRestartRuleOnExitCodes = struct('ContainerRestartRuleOnExitCodes', 'A set of exit codes.', {
  operator: named('ContainerRestartRuleOnExitCodesOperator', 'In or NotIn.'),
  values: set(int32(), 'The codes.'),
});

const containerRestartRule = struct('ContainerRestartRule', 'When a container restarts in spite of its policy.', {
  action: named('ContainerRestartRuleAction', 'What to do.'),
  exitCodes: ptr(containerRestartRuleOnExitCodes, 'The exit codes it is about.'),
});

const volumeMount = struct('VolumeMount', 'A volume in the file system of a container.', {
  name: must(text('The volume.')),
  readOnly: bool('Whether it cannot be written.'),
  recursiveReadOnly: ptr(named('RecursiveReadOnlyMode', 'Whether that goes for mounts within.')),
  mountPath: must(text('Where it appears.')),
  subPath: text('The part of the volume that appears.'),
  mountPropagation: ptr(named('MountPropagationMode', 'Whether mounts are seen on the other side.')),
  subPathExpr: text('As subPath, with variables.'),
});

const volumeDevice = struct('VolumeDevice', 'A block device for a container.', {
  name: must(text('The volume.')),
  devicePath: must(text('Where it appears.')),
});

const containerFields = {
  name: must(text('Name, unique within the pod.')),
  image: text('Image to run.'),
  command: list(text(), 'Entry point; that of the image if absent.'),
  args: list(text(), 'Arguments of the entry point.'),
  workingDir: text('Folder the command starts in.'),
  ports: keyed(['containerPort', 'protocol'], containerPort, 'Ports the container listens on.'),
  envFrom: list(envFromSource, 'Objects whose entries become environment variables.'),
  env: keyed('name', envVar, 'Environment variables.'),
  resources: value(resourceRequirements, 'What the container needs and may use.'),
  resizePolicy: list(containerResizePolicy, 'What happens when resources change.'),
  restartPolicy: ptr(
    named('ContainerRestartPolicy', 'Overrides the policy of the pod; Always makes an init container a sidecar.'),
  ),
  restartPolicyRules: list(containerRestartRule, 'Exceptions to the restart policy.'),
  volumeMounts: keyed('mountPath', volumeMount, 'Volumes in the file system of the container.'),
  volumeDevices: keyed('devicePath', volumeDevice, 'Block devices for the container.'),
  livenessProbe: ptr(probe, 'Restarts the container when it fails.'),
  readinessProbe: ptr(probe, 'Keeps requests away while it fails.'),
  startupProbe: ptr(probe, 'Holds the other probes back until it succeeds.'),
  lifecycle: ptr(lifecycle, 'What to do after start and before stop.'),
  terminationMessagePath: text('File whose content explains an end.'),
  terminationMessagePolicy: named('TerminationMessagePolicy', 'File or FallbackToLogsOnError.'),
  imagePullPolicy: named('PullPolicy', 'Always, IfNotPresent or Never.'),
  securityContext: ptr(securityContext, 'Rights of the container.'),
  stdin: bool('Whether there is a standard input.'),
  stdinOnce: bool('Whether it closes after the first client.'),
  tty: bool('Whether it is a terminal.'),
};

export const container = struct('Container', 'A container of a pod.', containerFields);

export const ephemeralContainer = struct('EphemeralContainer', 'A container added to a running pod, to look into it.', {
  ...inlined('EphemeralContainerCommon', containerFields),
  targetContainerName: text('Container whose processes are visible.'),
});
