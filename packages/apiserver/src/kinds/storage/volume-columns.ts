import type { ApiObject } from '../../objects/api-object.ts';
import type { PrinterColumn } from '../../registry/served-resource.ts';
import {
  ageColumn,
  column,
  createdAtColumn,
  type Fields,
  flagColumn,
  listAt,
  nameColumn,
  textColumn,
  valueAt,
  wide,
} from '../columns.ts';

const ACCESS_MODES: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

function accessModes(object: ApiObject, path: string): string {
  const modes = (valueAt(object, path) ?? []) as string[];
  return ACCESS_MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

function phase(object: ApiObject): string {
  return object.metadata.deletionTimestamp === undefined
    ? String(valueAt(object, 'status.phase') ?? '')
    : 'Terminating';
}

function volumeClaim(object: ApiObject): string {
  const claim = valueAt(object, 'spec.claimRef') as Fields | undefined;
  return claim ? `${String(claim['namespace'])}/${String(claim['name'])}` : '';
}

/** What a claim has is known once it has a volume. */
const whenBound = (show: (object: ApiObject) => string) => (object: ApiObject) =>
  valueAt(object, 'spec.volumeName') ? show(object) : '';

const volumeColumns: readonly PrinterColumn[] = [
  textColumn('StorageClass', 'Class of the volume.', 'spec.storageClassName'),
  textColumn('VolumeAttributesClass', 'Class of the volume’s attributes.', 'spec.volumeAttributesClassName', '<unset>'),
];

const volumeModeColumn = wide(
  textColumn('VolumeMode', 'Whether the volume has a file system.', 'spec.volumeMode', '<unset>'),
);

function defaultClassName(object: ApiObject): string {
  const { annotations = {}, name = '' } = object.metadata;
  const isDefault = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
  return isDefault.some((key) => annotations[key] === 'true') ? `${name} (default)` : name;
}

const joined = (path: string, field: string, otherwise: string) => (object: ApiObject) =>
  valueAt(object, path) === undefined
    ? otherwise
    : listAt(object, path)
        .map((item) => String(item[field] ?? ''))
        .join(',');

/** Columns of volumes and what belongs to them, by resource. */
export const volumeKindColumns: Readonly<Record<string, readonly PrinterColumn[]>> = {
  csidrivers: [
    nameColumn,
    flagColumn('AttachRequired', 'Whether volumes are attached.', 'spec.attachRequired', true),
    flagColumn('PodInfoOnMount', 'Whether it is told about Pods.', 'spec.podInfoOnMount'),
    flagColumn('StorageCapacity', 'Whether it tells how much room there is.', 'spec.storageCapacity'),
    column('TokenRequests', 'Audiences of the tokens it gets.', joined('spec.tokenRequests', 'audience', '<unset>')),
    flagColumn('RequiresRepublish', 'Whether it is told again and again.', 'spec.requiresRepublish'),
    column('Modes', 'Lives of its volumes.', (object) => {
      const modes = (valueAt(object, 'spec.volumeLifecycleModes') ?? []) as string[];
      return modes.join(',') || '<none>';
    }),
    ageColumn,
  ],
  csinodes: [
    nameColumn,
    {
      ...column('Drivers', 'How many drivers there are.', (object) => listAt(object, 'spec.drivers').length),
      type: 'integer',
    },
    ageColumn,
  ],
  csistoragecapacities: [nameColumn, createdAtColumn],
  persistentvolumeclaims: [
    nameColumn,
    column('Status', 'Its phase.', phase),
    textColumn('Volume', 'The volume it has.', 'spec.volumeName'),
    column(
      'Capacity',
      'Size of the volume.',
      whenBound((object) => String(valueAt(object, 'status.capacity.storage') ?? '0')),
    ),
    column(
      'Access Modes',
      'How the volume can be mounted.',
      whenBound((object) => accessModes(object, 'status.accessModes')),
    ),
    ...volumeColumns,
    ageColumn,
    volumeModeColumn,
  ],
  persistentvolumes: [
    nameColumn,
    textColumn('Capacity', 'Its size.', 'spec.capacity.storage', '0'),
    column('Access Modes', 'How it can be mounted.', (object) => accessModes(object, 'spec.accessModes')),
    textColumn('Reclaim Policy', 'What becomes of it without a claim.', 'spec.persistentVolumeReclaimPolicy'),
    column('Status', 'Its phase.', phase),
    column('Claim', 'Who has it.', volumeClaim),
    ...volumeColumns,
    textColumn('Reason', 'Why it has failed.', 'status.reason'),
    ageColumn,
    volumeModeColumn,
  ],
  storageclasses: [
    { ...column('Name', 'Name of the object.', defaultClassName), format: 'name' },
    textColumn('Provisioner', 'Who makes the volumes.', 'provisioner'),
    textColumn('ReclaimPolicy', 'What becomes of volumes without a claim.', 'reclaimPolicy', 'Delete'),
    textColumn('VolumeBindingMode', 'When volumes are made.', 'volumeBindingMode', 'Immediate'),
    { ...flagColumn('AllowVolumeExpansion', 'Whether volumes can grow.', 'allowVolumeExpansion'), type: 'string' },
    ageColumn,
  ],
  volumeattachments: [
    nameColumn,
    { ...textColumn('Attacher', 'Who attaches the volume.', 'spec.attacher'), format: 'name' },
    textColumn('PV', 'The volume.', 'spec.source.persistentVolumeName'),
    textColumn('Node', 'The node.', 'spec.nodeName'),
    flagColumn('Attached', 'Whether the volume is attached.', 'status.attached'),
    ageColumn,
  ],
  volumeattributesclasses: [nameColumn, textColumn('DriverName', 'Who knows the attributes.', 'driverName'), ageColumn],
};
