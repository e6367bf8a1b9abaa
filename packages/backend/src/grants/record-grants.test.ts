import { annotations } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '../audit/audit.ts';
import type { Rule } from '../objects/rbac.ts';
import { recordGrants } from './record-grants.ts';

const widgets: Rule = { apiGroups: ['example.org'], resources: ['widgets'], verbs: ['get', 'create'] };
const secrets: Rule = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };

function recorded(before: readonly Rule[], after: readonly Rule[]): readonly AuditRecord[] {
  const entries: AuditRecord[] = [];
  const metadata = { name: 'cluster-1', annotations: { [annotations.tenantName]: 'team-a' } };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata };
  recordGrants({ record: (entry) => void entries.push(entry) }, namespace, { before, after });
  return entries;
}

const common = { who: 'klutch-backend', tenant: 'team-a', clusterNamespace: 'cluster-1', result: 'success' };

describe('the record of granted rights', () => {
  it.each<[string, readonly Rule[], readonly Rule[], readonly object[]]>([
    ['nothing when nothing changes', [widgets], [widgets], []],
    [
      'what was granted at first',
      [],
      [widgets, secrets],
      [{ ...common, action: 'Grant', what: ['widgets.example.org: get create', 'secrets: get'] }],
    ],
    [
      'a verb more',
      [secrets],
      [{ ...secrets, verbs: ['get', 'patch'] }],
      [{ ...common, action: 'Grant', what: ['secrets: patch'] }],
    ],
    ['what was withdrawn', [widgets, secrets], [widgets], [{ ...common, action: 'Withdraw', what: ['secrets: get'] }]],
  ])('holds %s', (_, before, after, expected) => {
    expect(recorded(before, after)).toEqual(expected);
  });
});
