import type { ApiObject } from '../../objects/api-object.ts';
import { invalid, required } from '../../schema/fields/field-error.ts';
import { child, index } from '../../schema/fields/field-path.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { isIP } from 'node:net';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { choiceCauses, labelCauses, portNumberCauses, PROTOCOLS } from '../pod/validate-container.ts';

interface Endpoints extends ApiObject {
  subsets?: Subset[];
}

interface Subset {
  addresses?: Address[];
  notReadyAddresses?: Address[];
  ports?: { name?: string; port?: number; protocol?: string }[];
}

interface Address {
  ip?: string;
}

function causes({ subsets = [] }: Endpoints): readonly FieldCause[] {
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }, at) => {
    const path = index('subsets', at);
    const isEmpty = addresses.length + notReadyAddresses.length === 0;
    return [
      ...(isEmpty ? [required(path, 'must specify `addresses` or `notReadyAddresses`')] : []),
      ...addressCauses(addresses, child(path, 'addresses')),
      ...addressCauses(notReadyAddresses, child(path, 'notReadyAddresses')),
      ...portCauses(ports, child(path, 'ports')),
    ];
  });
}

function addressCauses(addresses: readonly Address[], field: string): readonly FieldCause[] {
  return addresses.flatMap(({ ip = '' }, at) => {
    const path = child(index(field, at), 'ip');
    if (isIP(ip) !== 0) return [];
    const problem = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
    return [invalid(path, ip, problem), invalid(path, ip, 'must be a valid IP address')];
  });
}

function portCauses(ports: NonNullable<Subset['ports']>, field: string): readonly FieldCause[] {
  return ports.flatMap(({ name, port = 0, protocol }, at) => {
    const path = index(field, at);
    return [
      ...(name || ports.length > 1 ? labelCauses(name, child(path, 'name')) : []),
      ...portNumberCauses(child(path, 'port'), port),
      ...choiceCauses(child(path, 'protocol'), protocol, PROTOCOLS),
    ];
  });
}

const SHOWN = 3;

function addressText({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap(({ addresses = [], ports = [] }) => {
    const hosts = addresses.map(({ ip = '' }) => ip);
    if (ports.length === 0) return hosts;
    return ports.flatMap(({ port }) => hosts.map((ip) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)));
  });
  const shown = all.slice(0, SHOWN).join(',');
  return all.length > SHOWN ? `${shown} + ${all.length - SHOWN} more...` : shown;
}

export const endpoints = defineKind({
  group: '',
  resource: 'endpoints',
  columns: [nameColumn, column('Endpoints', 'Addresses and ports.', addressText), ageColumn],
  deprecationWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  strategy: {
    createOnUpdate: true,
    validateCreate: (object) => causes(object),
    validateUpdate: (object) => causes(object),
  },
  fillIn: (object) => {
    for (const { ports = [] } of (object as Endpoints).subsets ?? []) {
      for (const port of ports) port.protocol ||= 'TCP';
    }
  },
});
