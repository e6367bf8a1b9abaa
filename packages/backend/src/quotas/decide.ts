import { type Amounts, type ResourceQuota, sameAmount } from './resource-quota.ts';

/** A namespace of a tenant, as far as its quota is concerned. */
export interface ObservedNamespace {
  /** The limits it should have. */
  readonly limits: Amounts;
  /** Names that the control plane is known to count. */
  readonly countable: ReadonlySet<string>;
  readonly quota?: ResourceQuota;
}

export interface QuotaDecision {
  /** `spec.hard` to write, with null for names to remove; undefined when it is as it should be. */
  readonly hard?: Readonly<Record<string, string | null>>;
  /** Names in force that the control plane does not count, although it did once. */
  readonly lost: readonly string[];
}

/**
 * What the quota of a namespace must become. A name is added only when the control plane counts it, and taken out when it
 * does not: kube-apiserver refuses every creation of a type that a quota names and nobody counts ("status unknown").
 */
export function decideQuota({ limits, countable, quota }: ObservedNamespace): QuotaDecision {
  const before = quota?.spec?.hard ?? {};
  const lost = uncounted(quota);
  const names = Object.keys(limits).filter((name) => !lost.has(name) && (countable.has(name) || name in before));
  const desired = Object.fromEntries(names.map((name) => [name, limits[name] ?? '']));
  const extra = Object.keys(before).filter((name) => !(name in desired));
  const isSame = extra.length === 0 && names.every((name) => sameAmount(before[name], desired[name]));
  if (isSame) return { lost: [...lost] };
  return { hard: { ...desired, ...Object.fromEntries(extra.map((name) => [name, null])) }, lost: [...lost] };
}

/** The names of a quota in force of which nobody says how much is used. */
function uncounted(quota: ResourceQuota | undefined): ReadonlySet<string> {
  const { hard = {}, used = {} } = quota?.status ?? {};
  return new Set(Object.keys(hard).filter((name) => used[name] === undefined));
}
