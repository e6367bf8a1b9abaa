import { dnsSubdomainProblems } from '../../metadata/name-rules.ts';
import { duplicate, forbidden, invalid, required } from '../../schema/fields/field-error.ts';
import { child, index } from '../../schema/fields/field-path.ts';
import type { FieldCause } from '../../status/status-error.ts';
import type { PodSpec, Volume } from './pod-types.ts';
import { choiceCauses, containersCauses, labelCauses } from './validate-container.ts';

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** What clients get wrong most often about pods. What only a kubelet could tell is not looked at. */
export function podSpecCauses(spec: PodSpec, field: string): readonly FieldCause[] {
  const volumes = spec.volumes ?? [];
  const names = new Set(volumes.map(({ name }) => name ?? ''));
  const containers = spec.containers ?? [];
  return [
    ...volumesCauses(volumes, child(field, 'volumes')),
    ...(containers.length === 0
      ? [required(child(field, 'containers'))]
      : containersCauses(containers, names, child(field, 'containers'))),
    ...containersCauses(spec.initContainers ?? [], names, child(field, 'initContainers')),
    ...choiceCauses(child(field, 'restartPolicy'), spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...choiceCauses(child(field, 'dnsPolicy'), spec.dnsPolicy, DNS_POLICIES),
    ...subdomainCauses(spec.serviceAccountName, child(field, 'serviceAccountName')),
    ...subdomainCauses(spec.nodeName, child(field, 'nodeName')),
    ...deadlineCauses(spec.activeDeadlineSeconds, child(field, 'activeDeadlineSeconds')),
  ];
}

function volumesCauses(volumes: readonly Volume[], field: string): readonly FieldCause[] {
  const names = new Set<string>();
  return volumes.flatMap((volume, at) => {
    const { name = '' } = volume;
    const path = index(field, at);
    const isTaken = names.has(name);
    names.add(name);
    const [, ...others] = Object.keys(volume).filter((key) => key !== 'name');
    return [
      ...others.map((source) => forbidden(child(path, source), 'may not specify more than 1 volume type')),
      ...labelCauses(name, child(path, 'name')),
      ...(isTaken ? [duplicate(child(path, 'name'), name)] : []),
    ];
  });
}

function subdomainCauses(name: string | undefined, field: string): readonly FieldCause[] {
  return name ? dnsSubdomainProblems(name).map((problem) => invalid(field, name, problem)) : [];
}

const MAX_INT32 = 2 ** 31 - 1;

function deadlineCauses(seconds: number | undefined, field: string): readonly FieldCause[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= MAX_INT32)) return [];
  return [invalid(field, seconds, `must be between 1 and ${MAX_INT32}, inclusive`)];
}
