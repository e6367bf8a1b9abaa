import type { ApiObject } from '../objects/api-object.ts';
import type { PrinterColumn } from '../registry/served-resource.ts';
import { autoscalerColumns } from './autoscaling/autoscaler-columns.ts';
import {
  ageColumn,
  column,
  createdAtColumn,
  firstOf,
  flagColumn,
  listAt,
  nameColumn,
  numberColumn,
  textColumn,
} from './columns.ts';
import { nodeColumns } from './core/node-columns.ts';
import { ingressClassColumns, ingressColumns } from './networking/ingress-columns.ts';
import { volumeKindColumns } from './storage/volume-columns.ts';
import { containerColumns, labelsAt } from './workloads/workload-columns.ts';

/** Columns of kinds that are only stored, by resource. */
export const storedColumns: Readonly<Record<string, readonly PrinterColumn[]>> = {
  ...volumeKindColumns,
  horizontalpodautoscalers: autoscalerColumns,
  ingressclasses: ingressClassColumns,
  ingresses: ingressColumns,
  nodes: nodeColumns,
  controllerrevisions: [
    nameColumn,
    column('Controller', 'What it is a revision of.', controllerOf),
    { ...numberColumn('Revision', 'Its number.', 'revision'), type: 'string' },
    ageColumn,
  ],
  endpointslices: [
    nameColumn,
    textColumn('AddressType', 'What its addresses are.', 'addressType'),
    column('Ports', 'Ports of the endpoints.', (object) => {
      const ports = listAt(object, 'ports').map(({ port, name }) => String(port ?? name ?? '*'));
      return firstOf(ports, 3) || '<unset>';
    }),
    column('Endpoints', 'Addresses of the endpoints.', (object) => {
      const addresses = listAt(object, 'endpoints').flatMap((endpoint) => (endpoint['addresses'] ?? []) as string[]);
      return firstOf(addresses, 3) || '<unset>';
    }),
    ageColumn,
  ],
  limitranges: [nameColumn, createdAtColumn],
  poddisruptionbudgets: [
    nameColumn,
    textColumn('Min Available', 'Pods that must be there.', 'spec.minAvailable', 'N/A'),
    textColumn('Max Unavailable', 'Pods that may be missing.', 'spec.maxUnavailable', 'N/A'),
    numberColumn('Allowed Disruptions', 'Pods that may be evicted now.', 'status.disruptionsAllowed'),
    ageColumn,
  ],
  podtemplates: [
    nameColumn,
    ...containerColumns('template'),
    column('Pod Labels', 'Labels of the Pods.', labelsAt('template.metadata.labels')),
  ],
  priorityclasses: [
    nameColumn,
    numberColumn('Value', 'The priority.', 'value'),
    flagColumn('Global-Default', 'Whether Pods have it that name none.', 'globalDefault'),
    ageColumn,
    textColumn('PreemptionPolicy', 'Whether others make room for it.', 'preemptionPolicy'),
  ],
  runtimeclasses: [nameColumn, textColumn('Handler', 'What runs the containers.', 'handler'), ageColumn],
};

function controllerOf({ metadata: { ownerReferences = [] } }: ApiObject): string {
  const owner = ownerReferences.find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const [group, version] = owner.apiVersion.split('/');
  const kind = owner.kind.toLowerCase();
  return `${version === undefined ? kind : `${kind}.${group}`}/${owner.name}`;
}
