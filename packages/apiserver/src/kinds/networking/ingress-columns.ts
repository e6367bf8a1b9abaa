import type { ApiObject } from '../../objects/api-object.ts';
import type { PrinterColumn } from '../../registry/served-resource.ts';
import { ageColumn, column, type Fields, listAt, nameColumn, textColumn, valueAt } from '../columns.ts';

export const ingressColumns: readonly PrinterColumn[] = [
  nameColumn,
  textColumn('Class', 'Who serves it.', 'spec.ingressClassName', '<none>'),
  column('Hosts', 'Hosts that it is for.', ingressHosts),
  column('Address', 'Where it is served.', ingressAddress),
  column('Ports', 'Ports where it is served.', (object) => (listAt(object, 'spec.tls').length > 0 ? '80, 443' : '80')),
  ageColumn,
];

export const ingressClassColumns: readonly PrinterColumn[] = [
  nameColumn,
  textColumn('Controller', 'Who serves it.', 'spec.controller'),
  column('Parameters', 'Settings of the controller.', ingressParameters),
  ageColumn,
];

function ingressHosts(object: ApiObject): string {
  const rules = listAt(object, 'spec.rules');
  const named = rules.flatMap(({ host }, index) => (host ? [{ host: String(host), index }] : []));
  if (named.length === 0) return '*';
  const shown = named.slice(0, 3);
  const hosts = shown.map(({ host }) => host).join(',');
  const isCut = shown.length === 3 && rules.length > (shown[2]?.index ?? 0) + 1;
  return isCut ? `${hosts} + ${rules.length - 3} more...` : hosts;
}

function ingressAddress(object: ApiObject): string {
  const addresses = listAt(object, 'status.loadBalancer.ingress').map(({ ip, hostname }) =>
    String(ip ?? hostname ?? ''),
  );
  return [...new Set(addresses.filter((address) => address !== ''))].sort().join(',');
}

function ingressParameters(object: ApiObject): string {
  const parameters = valueAt(object, 'spec.parameters') as Fields | undefined;
  if (!parameters) return '<none>';
  const { apiGroup, kind, name } = parameters;
  return `${String(kind)}${apiGroup === undefined ? '' : `.${String(apiGroup)}`}/${String(name)}`;
}
