import type { Container, Handler, PodSpec, Probe, Volume } from './pod-types.ts';

/**
 * Fills in what Kubernetes fills in for every pod and template of pods, in place. What its admission plugins add, such
 * as a token of the service account, is left out: there is nobody to use it.
 */
export function fillInPodSpec(spec: PodSpec): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.schedulerName ||= 'default-scheduler';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  // The field has two names, and both are shown.
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
  for (const container of allContainers(spec)) fillInContainer(container);
  for (const volume of spec.volumes ?? []) fillInVolume(volume);
}

/** Fills in what pods have but templates of pods have not. */
export function fillInPod(spec: PodSpec): void {
  fillInPodSpec(spec);
  spec.enableServiceLinks ??= true;
  for (const { resources, ports } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    if (resources?.limits) resources.requests = { ...resources.limits, ...resources.requests };
    if (!spec.hostNetwork) continue;
    for (const port of ports ?? []) port.hostPort ||= port.containerPort;
  }
}

/** Containers of all sorts. */
function allContainers(spec: PodSpec): readonly Container[] {
  return [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
}

function fillInContainer(container: Container): void {
  container.imagePullPolicy ||= pullPolicyOf(container.image ?? '');
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const { valueFrom } of container.env ?? []) fillInFieldRef(valueFrom);
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) fillInProbe(probe);
  fillInHandler(container.lifecycle?.postStart);
  fillInHandler(container.lifecycle?.preStop);
}

/** Images without a tag are the latest, and those change. */
function pullPolicyOf(image: string): string {
  const [reference = '', digest] = image.split('@');
  const [, tag] = (reference.split('/').at(-1) ?? '').split(':');
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent';
}

function fillInProbe(probe: Probe | undefined): void {
  if (!probe) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  if (probe.grpc) probe.grpc.service ??= '';
  fillInHandler(probe);
}

function fillInHandler(handler: Handler | undefined): void {
  if (!handler?.httpGet) return;
  handler.httpGet.path ||= '/';
  handler.httpGet.scheme ||= 'HTTP';
}

type FieldRef = { fieldRef?: { apiVersion?: string } } | undefined;

function fillInFieldRef(source: FieldRef): void {
  if (source?.fieldRef) source.fieldRef.apiVersion ||= 'v1';
}

interface FileVolume {
  defaultMode?: number;
  items?: FieldRef[];
  sources?: { serviceAccountToken?: { expirationSeconds?: number }; downwardAPI?: { items?: FieldRef[] } }[] | null;
}

const FILE_VOLUMES = ['secret', 'configMap', 'downwardAPI', 'projected'];

function fillInVolume(volume: Volume): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume.emptyDir = {};
  for (const source of FILE_VOLUMES.map((name) => volume[name] as FileVolume | undefined)) {
    if (!source) continue;
    source.defaultMode ??= 0o644;
    for (const item of source.items ?? []) fillInFieldRef(item);
    for (const { serviceAccountToken, downwardAPI } of source.sources ?? []) {
      if (serviceAccountToken) serviceAccountToken.expirationSeconds ??= 3600;
      for (const item of downwardAPI?.items ?? []) fillInFieldRef(item);
    }
  }
  const hostPath = volume.hostPath as { type?: string } | undefined;
  if (hostPath) hostPath.type ??= '';
  const image = volume.image as { reference?: string; pullPolicy?: string } | undefined;
  if (image) image.pullPolicy ||= pullPolicyOf(image.reference ?? '');
}
