import { type APIServiceExport, apiServiceExportCrd } from '@klutch/api';
import { accepted, creating, refused, reporting, requiredRows, type Row, updating, yields } from '../row.ts';
import type { Table } from '../table.ts';
import { conditionRows } from './conditions.ts';
import { permissionClaimRows } from './permission-claims.ts';

const plain = {
  apiVersion: 'klutch.anynines.com/v1alpha1',
  kind: 'APIServiceExport',
  metadata: { name: 'widgets.example.org' },
  spec: {
    group: 'example.org',
    names: { kind: 'Widget', plural: 'widgets' },
    scope: 'Namespaced',
    informerScope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
} as const satisfies APIServiceExport;

const version = 'spec.versions[0]';
const clusterScoped = { 'spec.scope': 'Cluster', 'spec.informerScope': 'Cluster' };
const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '.status.s' };
const column = { name: 'Size', type: 'integer', jsonPath: '.spec.size' };

const names = {
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  listKind: 'WidgetList',
  shortNames: ['w'],
  categories: ['all'],
};

/** What holds for each version. */
const versionRows: readonly Row[] = [
  creating('refuses an empty list of versions', { 'spec.versions': [] }, refused('spec.versions', 'at least 1')),
  creating(
    'refuses two versions of one name',
    { 'spec.versions[1]': plain.spec.versions[0] },
    refused('spec.versions[1]', 'Duplicate'),
  ),
  ...requiredRows(version, ['name', 'storage', 'schema', 'schema.openAPIV3Schema']),
  ...['v1', 'v10', 'v1alpha1', 'v2beta12'].map((name) =>
    creating(`accepts version ${name}`, { [`${version}.name`]: name }, accepted),
  ),
  ...['1', 'v0', 'v1alpha', 'v1alpha0', 'V1', 'v1-alpha1'].map((name) =>
    creating(`refuses version "${name}"`, { [`${version}.name`]: name }, refused(`${version}.name`, 'should match')),
  ),
  creating('refuses an empty version', { [`${version}.name`]: '' }, refused(`${version}.name`, 'at least 1')),
  creating(
    'takes a version for served unless it says otherwise',
    { [`${version}.served`]: undefined },
    yields({ [`${version}.served`]: true }),
  ),
  creating(
    'keeps a schema as it is',
    { [`${version}.schema.openAPIV3Schema`]: { type: 'object', 'x-any': { thing: [1, { goes: true }] } } },
    yields({ [`${version}.schema.openAPIV3Schema`]: { type: 'object', 'x-any': { thing: [1, { goes: true }] } } }),
  ),
  creating(
    'keeps every other field of a version',
    {
      [`${version}.deprecated`]: true,
      [`${version}.deprecationWarning`]: 'Use v2.',
      [`${version}.subresources`]: { status: {}, scale },
      [`${version}.additionalPrinterColumns`]: [{ ...column, description: 'd', format: 'int32', priority: 1 }],
    },
    yields({
      [`${version}.deprecated`]: true,
      [`${version}.subresources`]: { status: {}, scale },
      [`${version}.additionalPrinterColumns[0].priority`]: 1,
    }),
  ),
  ...['specReplicasPath', 'statusReplicasPath'].map((field) =>
    creating(
      `requires ${field} of scale`,
      { [`${version}.subresources`]: { scale: { ...scale, [field]: undefined } } },
      refused(`${version}.subresources.scale.${field}`, 'Required'),
    ),
  ),
  ...['name', 'type', 'jsonPath'].map((field) =>
    creating(
      `requires the ${field} of a printer column`,
      { [`${version}.additionalPrinterColumns`]: [{ ...column, [field]: undefined }] },
      refused(`${version}.additionalPrinterColumns[0].${field}`, 'Required'),
    ),
  ),
  creating(
    'refuses two printer columns of one name',
    { [`${version}.additionalPrinterColumns`]: [column, column] },
    refused(`${version}.additionalPrinterColumns[1]`, 'Duplicate'),
  ),
  creating(
    'refuses a priority that is no whole number',
    { [`${version}.additionalPrinterColumns`]: [{ ...column, priority: 1.5 }] },
    refused(`${version}.additionalPrinterColumns[0].priority`, 'integer'),
  ),
];

/** What holds between the scopes. */
const scopeRows: readonly Row[] = [
  creating('accepts informerScope Cluster for a namespaced API', { 'spec.informerScope': 'Cluster' }, accepted),
  ...['Prefixed', 'Namespaced', 'None'].map((isolation) =>
    creating(
      `accepts a cluster-scoped API with isolation ${isolation}`,
      { ...clusterScoped, 'spec.clusterScopedIsolation': isolation },
      accepted,
    ),
  ),
  creating(
    'refuses another isolation',
    { ...clusterScoped, 'spec.clusterScopedIsolation': 'Whatever' },
    refused('spec.clusterScopedIsolation', 'supported values'),
  ),
  creating(
    'refuses a cluster-scoped API without isolation',
    clusterScoped,
    refused('spec', 'needs clusterScopedIsolation'),
  ),
  creating(
    'refuses a cluster-scoped API with informerScope Namespaced',
    { 'spec.scope': 'Cluster', 'spec.clusterScopedIsolation': 'Prefixed' },
    refused('spec', 'needs informerScope Cluster'),
  ),
  creating(
    'refuses a namespaced API with isolation',
    { 'spec.clusterScopedIsolation': 'Prefixed' },
    refused('spec', 'only for cluster-scoped'),
  ),
  creating('refuses another scope', { 'spec.scope': 'Whatever' }, refused('spec.scope', 'supported values')),
  creating(
    'refuses another informerScope',
    { 'spec.informerScope': 'Whatever' },
    refused('spec.informerScope', 'supported values'),
  ),
  updating('keeps informerScope', {}, { 'spec.informerScope': 'Cluster' }, refused('spec.informerScope', 'immutable')),
];

const rows: readonly Row[] = [
  creating('requires spec', { spec: undefined }, refused('spec', 'Required')),
  ...requiredRows('spec', ['group', 'names', 'scope', 'versions', 'informerScope']),
  ...requiredRows('spec.names', ['kind', 'plural']),
  creating('keeps every name', { 'spec.names': names }, yields({ 'spec.names': names })),
  creating(
    'refuses a name that is not <plural>.<group>',
    { 'metadata.name': 'other' },
    refused('<nil>', 'metadata.name'),
  ),
  updating(
    'keeps plural and group, which are its name',
    {},
    { 'spec.group': 'other.org' },
    refused('<nil>', 'metadata.name'),
  ),
  updating(
    'accepts a new version',
    {},
    { 'spec.versions[1]': { ...plain.spec.versions[0], name: 'v2', storage: false } },
    accepted,
  ),
  ...scopeRows,
  ...versionRows,
  ...permissionClaimRows('spec.permissionClaims'),
  reporting(
    'keeps what the app cluster says',
    { acceptedNames: names, storedVersions: ['v1'] },
    yields({ 'status.acceptedNames': names, 'status.storedVersions': ['v1'] }),
  ),
  ...(['kind', 'plural'] as const).map((field) =>
    reporting(
      `requires ${field} of accepted names`,
      { acceptedNames: { ...names, [field]: undefined } },
      refused(`status.acceptedNames.${field}`, 'Required'),
    ),
  ),
  ...conditionRows,
];

export const apiServiceExport: Table = { crd: apiServiceExportCrd, plain, rows };
