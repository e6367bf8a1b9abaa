import type { ApiObject } from '../../objects/api-object.ts';
import type { PrinterColumn } from '../../registry/served-resource.ts';
import { ageColumn, column, listAt, nameColumn, textColumn, valueAt, wide } from '../columns.ts';

const ROLE_PREFIX = 'node-role.kubernetes.io/';

const nodeAddress = (wanted: string) => (object: ApiObject) =>
  String(listAt(object, 'status.addresses').find(({ type }) => type === wanted)?.['address'] ?? '<none>');

const nodeFact = (name: string, description: string, field: string) =>
  wide(column(name, description, (object) => String(valueAt(object, `status.nodeInfo.${field}`) || '<unknown>')));

export const nodeColumns: readonly PrinterColumn[] = [
  nameColumn,
  column('Status', 'Whether it is ready.', nodeStatus),
  column('Roles', 'What it is for.', nodeRoles),
  ageColumn,
  textColumn('Version', 'Version of its kubelet.', 'status.nodeInfo.kubeletVersion'),
  wide(column('Internal-IP', 'Address within the cluster.', nodeAddress('InternalIP'))),
  wide(column('External-IP', 'Address outside of the cluster.', nodeAddress('ExternalIP'))),
  nodeFact('OS-Image', 'Its operating system.', 'osImage'),
  nodeFact('Kernel-Version', 'Its kernel.', 'kernelVersion'),
  nodeFact('Container-Runtime', 'What runs its containers.', 'containerRuntimeVersion'),
];

function nodeStatus(object: ApiObject): string {
  const ready = listAt(object, 'status.conditions').find(({ type }) => type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return valueAt(object, 'spec.unschedulable') === true ? `${state},SchedulingDisabled` : state;
}

function nodeRoles({ metadata: { labels = {} } }: ApiObject): string {
  const roles = Object.entries(labels).map(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === 'kubernetes.io/role' ? value : '';
  });
  const named = new Set(roles.filter((role) => role !== ''));
  return [...named].sort().join(',') || '<none>';
}
