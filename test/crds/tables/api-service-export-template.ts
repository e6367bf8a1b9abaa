import {
  type AnyninesAPIServiceExportTemplate,
  anyninesAPIServiceExportTemplateCrd,
  type APIServiceExportTemplate,
  apiServiceExportTemplateCrd,
} from '@klutch/api';
import { accepted, creating, refused, requiredRows, type Row, updating, yields } from '../row.ts';
import type { Table } from '../table.ts';
import { groupResourceRows, groupRows, resourceRows } from './group-resource.ts';
import { permissionClaimRows } from './permission-claims.ts';

const selector = 'spec.APIServiceSelector';
const api = { group: 'example.org', resource: 'widgets' };

const plain = {
  apiVersion: 'example-backend.klutch.anynines.com/v1alpha1',
  kind: 'APIServiceExportTemplate',
  metadata: { name: 'widgets' },
  spec: { APIServiceSelector: api },
} as const satisfies APIServiceExportTemplate;

const anyninesPlain = {
  ...plain,
  apiVersion: 'bind.anynines.com/v1alpha1',
} as const satisfies AnyninesAPIServiceExportTemplate;

/** What both groups have in common. */
const commonRows: readonly Row[] = [
  ...permissionClaimRows('spec.permissionClaims'),
  updating('accepts another API', {}, { [`${selector}.resource`]: 'gadgets' }, accepted),
  creating('accepts an empty status', { status: {} }, accepted),
];

const rows: readonly Row[] = [
  creating('requires spec', { spec: undefined }, refused('spec', 'Required')),
  ...requiredRows('spec', ['APIServiceSelector']),
  ...groupResourceRows(selector),
  creating('keeps a version', { [`${selector}.version`]: 'v1' }, yields({ [`${selector}.version`]: 'v1' })),
  creating('refuses an empty version', { [`${selector}.version`]: '' }, refused(`${selector}.version`, 'at least 1')),
  ...commonRows,
];

/** The group of the anynines distribution. */
const anyninesRows: readonly Row[] = [
  creating('accepts an object without spec', { spec: undefined }, accepted),
  creating('accepts an object without selector', { [selector]: undefined }, accepted),
  creating('accepts a selector without resource', { [`${selector}.resource`]: undefined }, accepted),
  ...groupRows(selector),
  ...resourceRows(selector),
  creating('keeps versions', { [`${selector}.versions`]: ['v1'] }, yields({ [`${selector}.versions`]: ['v1'] })),
  ...commonRows,
];

export const apiServiceExportTemplate: Table = { crd: apiServiceExportTemplateCrd, plain, rows };

export const anyninesAPIServiceExportTemplate: Table = {
  crd: anyninesAPIServiceExportTemplateCrd,
  plain: anyninesPlain,
  rows: anyninesRows,
};
