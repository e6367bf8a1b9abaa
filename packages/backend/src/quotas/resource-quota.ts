import type { KubeObject, ResourceType } from '@klutch/kube';

/** Amounts by resource name. */
export type Amounts = Readonly<Record<string, string>>;

/** `v1` ResourceQuota, as far as numbers of objects are concerned. */
export interface ResourceQuota extends KubeObject {
  readonly spec?: { readonly hard?: Amounts };
  readonly status?: { readonly hard?: Amounts; readonly used?: Amounts };
}

export const ResourceQuotas: ResourceType<ResourceQuota> = {
  group: '',
  version: 'v1',
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
};

/** The quota in each namespace of a tenant. */
export const tenantQuota = 'klutch-tenant';

/** The quota in the backend's own namespace that shows which types the control plane counts. */
export const probeQuota = 'klutch-countable-types';

/** Under which name quotas count objects of a type. */
export function countName({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return `count/${group === '' ? resource : `${resource}.${group}`}`;
}

/** Whether two amounts are the same. The server writes whole numbers in their shortest form: `1000` comes back as `1k`. */
export function sameAmount(a: string | undefined, b: string | undefined): boolean {
  return a === b || (wholeNumber(a) !== undefined && wholeNumber(a) === wholeNumber(b));
}

function wholeNumber(text = ''): number | undefined {
  const [, digits, suffix = ''] = /^(\d+)([kMGT]?)$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * 1000 ** ['', 'k', 'M', 'G', 'T'].indexOf(suffix);
}
