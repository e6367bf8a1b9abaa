import type { ApiObject } from '../../objects/api-object.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { quotaCauses, quotaStatusCauses, quotaUpdateCauses } from './validate-resource-quota.ts';

/** Amounts by resource name. */
export type Amounts = Readonly<Record<string, string>>;

export interface ResourceQuota extends ApiObject {
  spec?: { hard?: Amounts; scopes?: readonly string[]; scopeSelector?: object };
  status?: { hard?: Amounts; used?: Amounts };
}

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
  resource: 'resourcequotas',
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
