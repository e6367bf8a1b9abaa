import { goQuote } from '@klutch/cel';
import { dnsLabelProblems } from '../../metadata/name-rules.ts';
import { duplicate, invalid, notSupported, required } from '../../schema/fields/field-error.ts';
import { child, index } from '../../schema/fields/field-path.ts';
import type { FieldCause } from '../../status/status-error.ts';
import type { Container } from './pod-types.ts';

/** Protocols of ports, in the order in which they are listed. */
export const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** What is wrong with a list of containers. @param volumes names of the volumes that can be mounted */
export function containersCauses(
  containers: readonly Container[],
  volumes: ReadonlySet<string>,
  field: string,
): readonly FieldCause[] {
  const names = new Set<string>();
  return containers.flatMap((container, at) => {
    const { name = '' } = container;
    const isTaken = names.has(name);
    names.add(name);
    const path = index(field, at);
    return [...containerCauses(container, volumes, path), ...(isTaken ? [duplicate(child(path, 'name'), name)] : [])];
  });
}

function containerCauses(container: Container, volumes: ReadonlySet<string>, field: string): readonly FieldCause[] {
  const { name, image, terminationMessagePolicy, imagePullPolicy } = container;
  return [
    ...labelCauses(name, child(field, 'name')),
    ...(image ? [] : [required(child(field, 'image'))]),
    ...choiceCauses(child(field, 'terminationMessagePolicy'), terminationMessagePolicy, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...portCauses(container.ports ?? [], child(field, 'ports')),
    ...(container.env ?? []).flatMap((variable, at) => variableCauses(variable.name, index(child(field, 'env'), at))),
    ...mountCauses(container.volumeMounts ?? [], volumes, child(field, 'volumeMounts')),
    ...choiceCauses(child(field, 'imagePullPolicy'), imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
  ];
}

/** A name that has to be there and to be a DNS label. */
export function labelCauses(name: string | undefined, field: string): readonly FieldCause[] {
  return name ? dnsLabelProblems(name).map((problem) => invalid(field, name, problem)) : [required(field)];
}

/** A value that has to be there and to be one of a few. */
export function choiceCauses(
  field: string,
  value: string | undefined,
  choices: readonly string[],
): readonly FieldCause[] {
  if (!value) return [required(field)];
  return choices.includes(value) ? [] : [notSupported(field, value, choices)];
}

/** What is wrong with the number of a port. */
export function portNumberCauses(field: string, port: number): readonly FieldCause[] {
  return port >= 1 && port <= 65535 ? [] : [invalid(field, port, 'must be between 1 and 65535, inclusive')];
}

function portCauses(ports: NonNullable<Container['ports']>, field: string): readonly FieldCause[] {
  const names = new Set<string>();
  return ports.flatMap(({ name, containerPort, hostPort, protocol }, at) => {
    const path = index(field, at);
    const isTaken = name !== undefined && names.has(name);
    if (name) names.add(name);
    return [
      ...(name ? portNameProblems(name).map((problem) => invalid(child(path, 'name'), name, problem)) : []),
      ...(isTaken ? [duplicate(child(path, 'name'), name)] : []),
      ...(containerPort
        ? portNumberCauses(child(path, 'containerPort'), containerPort)
        : [required(child(path, 'containerPort'))]),
      ...(hostPort ? portNumberCauses(child(path, 'hostPort'), hostPort) : []),
      ...choiceCauses(child(path, 'protocol'), protocol, PROTOCOLS),
    ];
  });
}

/** What is wrong with the name of a port. */
export function portNameProblems(name: string): readonly string[] {
  return [
    ...(name.length > 15 ? ['must be no more than 15 characters'] : []),
    ...(/^[-a-z0-9]+$/.test(name) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
    ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(/^-|-$/.test(name) ? ['must not begin or end with a hyphen'] : []),
  ];
}

const VARIABLE_PROBLEM =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

function variableCauses(name: string | undefined, field: string): readonly FieldCause[] {
  if (!name) return [required(child(field, 'name'))];
  if (/^[ -<>-~]+$/.test(name)) return [];
  return [invalid(child(field, 'name'), name, VARIABLE_PROBLEM)];
}

function mountCauses(
  mounts: NonNullable<Container['volumeMounts']>,
  volumes: ReadonlySet<string>,
  field: string,
): readonly FieldCause[] {
  const paths = new Set<string>();
  return mounts.flatMap(({ name = '', mountPath = '' }, at) => {
    const path = index(field, at);
    const isTaken = paths.has(mountPath);
    paths.add(mountPath);
    return [
      ...(name === '' ? [required(child(path, 'name'))] : []),
      ...(volumes.has(name) ? [] : [unknownVolume(child(path, 'name'), name)]),
      ...(mountPath === '' ? [required(child(path, 'mountPath'))] : []),
      ...(isTaken ? [invalid(child(path, 'mountPath'), mountPath, 'must be unique')] : []),
    ];
  });
}

function unknownVolume(field: string, name: string): FieldCause {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${goQuote(name)}` };
}
