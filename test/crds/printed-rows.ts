import { expect } from 'vitest';
import type { Table } from './table.ts';
import { apiServiceBinding } from './tables/api-service-binding.ts';
import { apiServiceExportRequest } from './tables/api-service-export-request.ts';
import { anyninesAPIServiceExportTemplate, apiServiceExportTemplate } from './tables/api-service-export-template.ts';
import { apiServiceExport } from './tables/api-service-export.ts';
import { apiServiceNamespace } from './tables/api-service-namespace.ts';
import { appClusterBinding } from './tables/app-cluster-binding.ts';
import { clusterBinding } from './tables/cluster-binding.ts';

const ready = (message: string) => ({
  conditions: [{ type: 'Ready', status: 'False', message, lastTransitionTime: '2026-01-31T12:00:00Z' }],
});
const established = [{ type: 'Established', status: 'True', lastTransitionTime: '2026-01-31T12:00:00Z' }];
const heartbeat = { konnectorVersion: 'v2.0.0', lastHeartbeatTime: new Date().toISOString() };

/** What is shown, the kind, its status, the headings, and the cells below them (with those of wide output). */
export type PrintedRow = readonly [string, Table, object, readonly string[], readonly unknown[]];

export const printedRows: readonly PrintedRow[] = [
  [
    'a binding',
    apiServiceBinding,
    { ...ready('Not yet.'), providerPrettyName: 'Acme' },
    ['Name', 'Provider', 'Ready', 'Message', 'Age'],
    ['widgets.example.org', 'Acme', 'False', 'Not yet.', expect.any(String)],
  ],
  [
    'an export',
    apiServiceExport,
    { conditions: established },
    ['Name', 'Age'],
    ['widgets.example.org', 'True', expect.any(String)],
  ],
  [
    'a request',
    apiServiceExportRequest,
    ready(''),
    ['Name', 'Ready', 'Age'],
    ['widgets.example.org', 'False', expect.any(String)],
  ],
  [
    'a namespace',
    apiServiceNamespace,
    { namespace: 'cluster-x-team-a' },
    ['Name', 'Namespace', 'Age'],
    ['team-a', 'cluster-x-team-a', expect.any(String)],
  ],
  [
    'a connection',
    clusterBinding,
    { ...ready(''), ...heartbeat },
    ['Name', 'Konnector Version', 'Last Heartbeat', 'Ready', 'Age'],
    ['cluster', 'v2.0.0', expect.stringMatching(/^\d+[sm]/), 'False', expect.any(String)],
  ],
  ['an app cluster', appClusterBinding, ready(''), ['Name', 'Ready', 'Age'], ['prod', 'False', expect.any(String)]],
  [
    'a template',
    apiServiceExportTemplate,
    {},
    ['Name', 'Group', 'Resource', 'Age'],
    ['widgets', 'example.org', 'widgets', expect.any(String)],
  ],
  [
    'a template of anynines',
    anyninesAPIServiceExportTemplate,
    {},
    ['Name', 'Group', 'Resource', 'Age'],
    ['widgets', 'example.org', 'widgets', expect.any(String)],
  ],
];
