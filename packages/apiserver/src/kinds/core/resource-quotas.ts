import type { ApiObject } from '../../objects/api-object.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { dict, list, must, named, ptr, quantity, struct, text, value } from '../types/fields.ts';
import { quotaCauses, quotaStatusCauses, quotaUpdateCauses } from './validate-resource-quota.ts';

/** Amounts by resource name. */
export type Amounts = Readonly<Record<string, string>>;

export interface ResourceQuota extends ApiObject {
  spec?: { hard?: Amounts; scopes?: readonly string[]; scopeSelector?: object };
  status?: { hard?: Amounts; used?: Amounts };
}

const scopeRequirement = struct('ScopedResourceSelectorRequirement', 'One condition on a scope.', {
  scopeName: must(named('ResourceQuotaScope', 'Name of the scope.')),
  operator: must(named('ScopeSelectorOperator', 'In, NotIn, Exists or DoesNotExist.')),
  values: list(text(), 'Values for In and NotIn.', { 'x-kubernetes-list-type': 'atomic' }),
});

const scopeSelector = struct(
  'ScopeSelector',
  'Conditions on scopes, all of which must hold.',
  { matchExpressions: list(scopeRequirement, 'The conditions.', { 'x-kubernetes-list-type': 'atomic' }) },
  { isAtomic: true },
);

const resourceQuotaSpec = struct('ResourceQuotaSpec', 'Limits for a namespace.', {
  hard: dict(quantity(), 'The limits, by resource name.'),
  scopes: list(named('ResourceQuotaScope'), 'Which objects the quota is about. Default: all.', {
    'x-kubernetes-list-type': 'atomic',
  }),
  scopeSelector: ptr(scopeSelector, 'Which objects the quota is about, with conditions on scopes.'),
});

const resourceQuotaStatus = struct('ResourceQuotaStatus', 'Enforced limits and their use.', {
  hard: dict(quantity(), 'The enforced limits, by resource name.'),
  used: dict(quantity(), 'What is in use, by resource name.'),
});

/** `name: used/hard` of each resource of the status, by name. Limits of compute resources have a column of their own. */
function usage({ status }: ResourceQuota, isShown: (resource: string) => boolean): string {
  const names = Object.keys(status?.hard ?? {})
    .filter((name) => isShown(name))
    .sort();
  return names.map((name) => `${name}: ${status?.used?.[name] ?? '0'}/${status?.hard?.[name] ?? '0'}`).join(', ');
}

const isLimit = (resource: string) => resource.startsWith('limits.');

export const resourceQuotas = defineKind({
  group: '',
  type: struct('ResourceQuota', 'Limits on what a namespace holds.', {
    spec: value(resourceQuotaSpec, 'The limits.'),
    status: value(resourceQuotaStatus, 'Enforced limits and their use.'),
  }),
  resource: 'resourcequotas',
  shortNames: ['quota'],
  hasStatus: true,
  columns: [
    nameColumn,
    column('Request', 'Use and limit of objects and of requested compute resources.', (quota) =>
      usage(quota, (resource) => !isLimit(resource)),
    ),
    column('Limit', 'Use and limit of compute resources that containers may reach.', (quota) => usage(quota, isLimit)),
    ageColumn,
  ],
  strategy: {
    returnsDeleted: true,
    validateCreate: (object) => quotaCauses(object),
    validateUpdate: (object, old) => quotaUpdateCauses(object, old),
    validateStatusUpdate: (object) => quotaStatusCauses(object),
  },
});
