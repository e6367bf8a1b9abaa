import type { Amounts, ResourceQuota } from '../../kinds/core/resource-quotas.ts';
import { hardObjects } from '../../quota/require-within-quota.ts';

/**
 * Pure: the status that a quota should have; undefined when it has it.
 * @param countOf how many objects count under a name; undefined where nobody counts them
 */
export function decideQuotaStatus(
  quota: ResourceQuota,
  countOf: (name: string) => number | undefined,
): { readonly hard: Amounts; readonly used: Amounts } | undefined {
  const hard = quota.spec?.hard ?? {};
  const before = quota.status?.used ?? {};
  const counted = hardObjects(quota);
  const used: Record<string, string> = {};
  for (const name of Object.keys(hard).sort()) {
    // A type that is not served at the moment keeps the number it had.
    const count = counted[name] === undefined ? undefined : (countOf(name) ?? before[name]);
    if (count !== undefined) used[name] = String(count);
  }
  const isSame = sameAmounts(quota.status?.hard ?? {}, hard) && sameAmounts(before, used);
  const isNew = quota.status?.hard === undefined && Object.keys(hard).length > 0;
  return isSame && !isNew ? undefined : { hard, used };
}

function sameAmounts(a: Amounts, b: Amounts): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
