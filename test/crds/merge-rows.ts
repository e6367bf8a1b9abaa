import type { PlaneAccess } from '@klutch/kit';
import { createNamespace } from '@klutch/kit/vitest';
import { changed } from './changed.ts';
import type { Table } from './table.ts';
import { apiServiceExport } from './tables/api-service-export.ts';
import { appClusterBinding } from './tables/app-cluster-binding.ts';
import { clusterBinding } from './tables/cluster-binding.ts';

/** A field that two managers apply one after the other, and what it must be afterwards. */
export interface MergeRow {
  readonly title: string;
  readonly table: Table;
  readonly path: string;
  readonly first: unknown;
  readonly second: unknown;
  readonly merged: unknown;
}

const schema = { openAPIV3Schema: { type: 'object' } };
const v1 = { name: 'v1', served: true, storage: true, schema };
const v2 = { name: 'v2', served: true, storage: false, schema };
const column = (name: string) => ({ name, type: 'string', jsonPath: `.spec.${name}` });
const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: '2026-01-31T12:00:00Z' });
const overrides = 'spec.konnector.overrides';

export const mergeRows: readonly MergeRow[] = [
  replaces('the short names of an export', apiServiceExport, 'spec.names.shortNames', ['a'], ['b']),
  replaces('the categories of an export', apiServiceExport, 'spec.names.categories', ['a'], ['b']),
  joins('the versions of an export', apiServiceExport, 'spec.versions', [v1], [v2]),
  replaces(
    'the schema of a version',
    apiServiceExport,
    'spec.versions[0].schema.openAPIV3Schema',
    { type: 'object', description: 'Before.' },
    { type: 'object', properties: {} },
  ),
  joins(
    'the printer columns of a version',
    apiServiceExport,
    'spec.versions[0].additionalPrinterColumns',
    [column('a')],
    [column('b')],
  ),
  replaces('conditions', clusterBinding, 'status.conditions', [condition('A')], [condition('B')]),
  replaces('the command of an override', appClusterBinding, `${overrides}.command`, ['a'], ['b']),
  replaces('the arguments of an override', appClusterBinding, `${overrides}.args`, ['a'], ['b']),
  replaces('the sources of variables', appClusterBinding, `${overrides}.envFrom`, [{ prefix: 'A' }], [{ prefix: 'B' }]),
  joins('variables', appClusterBinding, `${overrides}.env`, [{ name: 'A' }], [{ name: 'B' }]),
  joins(
    'ports',
    appClusterBinding,
    `${overrides}.ports`,
    [{ containerPort: 1, protocol: 'TCP' }],
    [{ containerPort: 1, protocol: 'UDP' }],
  ),
  joins('mounts', appClusterBinding, `${overrides}.volumeMounts`, [{ mountPath: '/a' }], [{ mountPath: '/b' }]),
  joins('devices', appClusterBinding, `${overrides}.volumeDevices`, [{ devicePath: '/a' }], [{ devicePath: '/b' }]),
];

/** Applies both values, each as a manager of its own, and returns the object as it is then. */
export async function applyBoth(plane: PlaneAccess, { table, path, first, second }: MergeRow): Promise<unknown> {
  const { group, names } = table.crd.spec;
  const namespace = await createNamespace(plane, 'merge');
  const object = `/apis/${group}/v1alpha1/namespaces/${namespace}/${names.plural}/${table.plain.metadata.name}`;
  const apply = async (target: string, manager: string, value: unknown) => {
    const { status, body } = await plane.admin.request('PATCH', `${target}?fieldManager=${manager}&force=true`, {
      body: changed(table.plain, { [path]: value }),
      contentType: 'application/apply-patch+yaml',
    });
    if (status >= 300) throw new Error(`${manager} is refused: ${JSON.stringify(body)}`);
    return body;
  };
  const target = path.startsWith('status.') ? `${object}/status` : object;
  await apply(object, 'first', first);
  await apply(target, 'first', first);
  return apply(target, 'second', second);
}

function replaces(what: string, table: Table, path: string, first: unknown, second: unknown): MergeRow {
  return { title: `replaces ${what} as a whole`, table, path, first, second, merged: second };
}

function joins(
  what: string,
  table: Table,
  path: string,
  first: readonly unknown[],
  second: readonly unknown[],
): MergeRow {
  return { title: `joins ${what} entry by entry`, table, path, first, second, merged: [...first, ...second] };
}
