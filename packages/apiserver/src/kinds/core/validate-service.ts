import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from '../../metadata/name-rules.ts';
import { duplicate, forbidden, invalid, required } from '../../schema/fields/field-error.ts';
import { child, index } from '../../schema/fields/field-path.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { choiceCauses, portNameProblems, portNumberCauses, PROTOCOLS } from '../pod/validate-container.ts';
import { duplicateStruct } from '../struct-error.ts';
import type { Service, ServicePort, ServiceSpec } from './services.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const NAME = '[a-z]([-a-z0-9]*[a-z0-9])?';

/** Services are host names, and those begin with a letter. */
export function serviceNameProblems(name: string): readonly string[] {
  const rule = `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${NAME}')`;
  return [
    ...(name.length > 63 ? ['must be no more than 63 bytes'] : []),
    ...(new RegExp(`^${NAME}$`).test(name) ? [] : [rule]),
  ];
}

/** What is wrong with a service. Addresses, which this server does not give out, are not looked at. */
export function serviceCauses({ spec = {} }: Service): readonly FieldCause[] {
  const ports = spec.ports ?? [];
  const isHeadless = spec.clusterIP === 'None';
  const needsPorts = !isHeadless && spec.type !== 'ExternalName';
  return [
    ...(ports.length === 0 && needsPorts ? [required('spec.ports')] : []),
    ...(spec.type === 'ExternalName' ? externalNameCauses(spec.externalName ?? '') : []),
    ...portsCauses(ports),
    ...selectorCauses(spec.selector ?? {}),
    ...choiceCauses('spec.sessionAffinity', spec.sessionAffinity, ['ClientIP', 'None']),
    ...choiceCauses('spec.type', spec.type, TYPES),
    ...nodePortCauses(spec),
    ...repeatedPorts(ports),
  ];
}

function externalNameCauses(name: string): readonly FieldCause[] {
  const cname = name.replace(/\.$/, '');
  if (cname === '') return [required('spec.externalName')];
  return dnsSubdomainProblems(cname).map((problem) => invalid('spec.externalName', cname, problem));
}

function portsCauses(ports: readonly ServicePort[]): readonly FieldCause[] {
  const names = new Set<string>();
  return ports.flatMap(({ name, port = 0, protocol, targetPort }, at) => {
    const path = index('spec.ports', at);
    const isTaken = name !== undefined && names.has(name);
    if (name) names.add(name);
    return [
      ...(!name && ports.length > 1 ? [required(child(path, 'name'))] : []),
      ...(name ? dnsLabelProblems(name).map((problem) => invalid(child(path, 'name'), name, problem)) : []),
      ...(isTaken ? [duplicate(child(path, 'name'), name)] : []),
      ...portNumberCauses(child(path, 'port'), port),
      ...choiceCauses(child(path, 'protocol'), protocol, PROTOCOLS),
      ...targetCauses(targetPort ?? 0, child(path, 'targetPort')),
    ];
  });
}

function targetCauses(target: string | number, field: string): readonly FieldCause[] {
  if (typeof target === 'number') return portNumberCauses(field, target);
  return portNameProblems(target).map((problem) => invalid(field, target, problem));
}

function selectorCauses(selector: Readonly<Record<string, string>>): readonly FieldCause[] {
  return Object.entries(selector).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalid('spec.selector', key, problem)),
    ...labelValueProblems(value).map((problem) => invalid('spec.selector', value, problem)),
  ]);
}

function nodePortCauses({ type, ports = [] }: ServiceSpec): readonly FieldCause[] {
  if (type !== 'ClusterIP') return [];
  return ports.flatMap(({ nodePort }, at) =>
    nodePort
      ? [forbidden(child(index('spec.ports', at), 'nodePort'), "may not be used when `type` is 'ClusterIP'")]
      : [],
  );
}

function repeatedPorts(ports: readonly ServicePort[]): readonly FieldCause[] {
  const seen = new Set<string>();
  return ports.flatMap(({ protocol = '', port = 0 }, at) => {
    const key = `${protocol} ${port}`;
    const isTaken = seen.has(key);
    seen.add(key);
    // Kubernetes shows its inner form of a port here.
    const shown = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
    return isTaken ? [duplicateStruct(index('spec.ports', at), shown)] : [];
  });
}
