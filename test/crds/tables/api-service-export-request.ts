import { type APIServiceExportRequest, apiServiceExportRequestCrd } from '@klutch/api';
import { accepted, creating, refused, reporting, requiredRows, type Row, updating, yields } from '../row.ts';
import type { Table } from '../table.ts';
import { conditionRows } from './conditions.ts';
import { groupResourceRows } from './group-resource.ts';
import { permissionClaimRows } from './permission-claims.ts';

const plain = {
  apiVersion: 'klutch.anynines.com/v1alpha1',
  kind: 'APIServiceExportRequest',
  metadata: { name: 'widgets.example.org' },
  spec: { resources: [{ group: 'example.org', resource: 'widgets' }] },
} as const satisfies APIServiceExportRequest;

const parameters = { size: 'large', nested: { any: [1] } };

const apis = (count: number) => Array.from({ length: count }, (_, index) => ({ resource: `things${index}` }));

const rows: readonly Row[] = [
  creating('requires spec', { spec: undefined }, refused('spec', 'Required')),
  ...requiredRows('spec', ['resources']),
  creating('refuses to ask for nothing', { 'spec.resources': [] }, refused('spec.resources', 'at least 1')),
  creating('accepts a hundred APIs', { 'spec.resources': apis(100) }, accepted),
  creating(
    'refuses more than a hundred APIs',
    { 'spec.resources': apis(101) },
    refused('spec.resources', 'at most 100'),
  ),
  creating(
    'refuses more than a hundred versions',
    { 'spec.resources[0].versions': Array.from({ length: 101 }, () => 'v1') },
    refused('spec.resources[0].versions', 'at most 100'),
  ),
  ...groupResourceRows('spec.resources[0]'),
  ...permissionClaimRows('spec.resources[0].permissionClaims'),
  creating(
    'keeps versions and parameters',
    { 'spec.resources[0].versions': ['v1'], 'spec.parameters': parameters },
    yields({ 'spec.resources[0].versions': ['v1'], 'spec.parameters': parameters }),
  ),
  updating(
    'keeps its resources',
    {},
    { 'spec.resources[0].resource': 'gadgets' },
    refused('spec.resources', 'immutable'),
  ),
  updating(
    'keeps its parameters',
    { 'spec.parameters': parameters },
    { 'spec.parameters.size': 'small' },
    refused('spec.parameters', 'immutable'),
  ),
  updating('accepts a label', { 'spec.parameters': parameters }, { 'metadata.labels': { a: 'b' } }, accepted),
  creating('begins in phase Pending', {}, yields({ status: { phase: 'Pending' } })),
  reporting('stays in phase Pending when nothing is reported', {}, yields({ 'status.phase': 'Pending' })),
  ...['Pending', 'Failed', 'Succeeded'].map((phase) =>
    reporting(`accepts phase ${phase}`, { phase }, yields({ 'status.phase': phase })),
  ),
  reporting('refuses another phase', { phase: 'Whatever' }, refused('status.phase', 'supported values')),
  reporting(
    'keeps why it failed',
    { phase: 'Failed', terminalMessage: 'No such CRD.' },
    yields({ 'status.terminalMessage': 'No such CRD.' }),
  ),
  ...conditionRows,
];

export const apiServiceExportRequest: Table = { crd: apiServiceExportRequestCrd, plain, rows };
