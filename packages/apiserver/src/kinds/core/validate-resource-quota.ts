import { goJson } from '@klutch/cel';
import { qualifiedNameProblems } from '../../metadata/name-rules.ts';
import { invalid } from '../../schema/fields/field-error.ts';
import { key as keyPath } from '../../schema/fields/field-path.ts';
import type { FieldCause } from '../../status/status-error.ts';
import type { Amounts, ResourceQuota } from './resource-quotas.ts';

/** Names of old that stand for numbers of objects. */
const objectNames = [
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
];
const computeNames = ['cpu', 'memory', 'ephemeral-storage'];
const quotaNames: ReadonlySet<string> = new Set([
  ...objectNames,
  ...computeNames,
  ...computeNames.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'requests.storage',
]);
const wholeNames: ReadonlySet<string> = new Set(objectNames);
const hugePages = /^(requests\.)?hugepages-/;

/** Pure: what is wrong with a new quota. */
export function quotaCauses({ spec = {} }: ResourceQuota): readonly FieldCause[] {
  return amountCauses(spec.hard, 'spec.hard');
}

/** Pure: what is wrong with a changed quota. */
export function quotaUpdateCauses(quota: ResourceQuota, old: ResourceQuota): readonly FieldCause[] {
  const scopes = quota.spec?.scopes;
  const changed = goJson([...(scopes ?? [])].sort()) !== goJson([...(old.spec?.scopes ?? [])].sort());
  return [...quotaCauses(quota), ...(changed ? [invalid('spec.scopes', scopes ?? null, 'field is immutable')] : [])];
}

/** Pure: what is wrong with the status of a quota. */
export function quotaStatusCauses({ status = {} }: ResourceQuota): readonly FieldCause[] {
  return [...amountCauses(status.hard, 'status.hard'), ...amountCauses(status.used, 'status.used')];
}

function amountCauses(amounts: Amounts = {}, field: string): readonly FieldCause[] {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    const path = keyPath(field, name);
    return [...nameProblems(name).map((problem) => invalid(path, name, problem)), ...valueCauses(name, amount, path)];
  });
}

function nameProblems(name: string): readonly string[] {
  const problems = qualifiedNameProblems(name);
  const isBare = !name.includes('/');
  const isKnown = !isBare || quotaNames.has(name) || hugePages.test(name);
  const isStandard = isKnown || name === 'storage';
  return [
    ...problems,
    ...(problems.length > 0 || isStandard ? [] : ['must be a standard resource type or fully qualified']),
    ...(isKnown ? [] : ['must be a standard resource for quota']),
  ];
}

/** Quantities are in their shortest form here, which shows their sign and whether they are whole. */
function valueCauses(name: string, amount: string, path: string): readonly FieldCause[] {
  const isNegative = amount.startsWith('-');
  const mustBeWhole = wholeNames.has(name) || (name.includes('/') && !name.startsWith('requests.'));
  const isWhole = !/[num.]/.test(amount);
  return [
    ...(isNegative ? [invalid(path, amount, 'must be greater than or equal to 0')] : []),
    ...(mustBeWhole && !isWhole ? [invalid(path, amount, 'must be an integer')] : []),
  ];
}
