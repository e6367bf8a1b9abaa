import type { Amounts, ResourceQuota } from '../kinds/core/resource-quotas.ts';
import { wholeAmount } from '../kinds/types/quantity.ts';
import type { Call } from '../operations/call.ts';
import { forbidden } from '../status/status-error.ts';
import type { Store } from '../storage/types.ts';
import { countObjects, quotaNamesOf } from './counted-objects.ts';

/** Storage name of quotas. */
export const QUOTA_BUCKET = '/resourcequotas';

/**
 * Refuses a new object for which a quota of its namespace has no place left. What is there is counted at this moment, and
 * nothing waits between this and the write, so that no number of clients at once gets past a limit.
 */
export function requireWithinQuota(store: Store, { resource, namespace }: Call, name: string): void {
  if (namespace === undefined || store.count(QUOTA_BUCKET, namespace) === 0) return;
  const names = quotaNamesOf(resource);
  if (names.length === 0) return;
  const used = Object.fromEntries(
    names.map((counted) => [counted, countObjects(store, resource.bucket, namespace, counted)]),
  );
  for (const entry of store.scan(QUOTA_BUCKET, { namespace })) {
    const problem = exceededBy(entry.object(), used);
    if (problem !== undefined) throw forbidden(resource, name, problem);
  }
}

/** What is wrong when one more object comes, in the words of Kubernetes. */
function exceededBy(quota: ResourceQuota, used: Readonly<Record<string, number>>): string | undefined {
  const hard = hardObjects(quota);
  const exceeded = Object.keys(used)
    .sort()
    .filter((name) => hard[name] !== undefined && BigInt(used[name] ?? 0) + 1n > wholeAmount(hard[name]));
  if (exceeded.length === 0) return undefined;
  const list = (amount: (name: string) => string | number | undefined) =>
    exceeded.map((name) => `${name}=${amount(name)}`).join(',');
  const requested = `requested: ${list(() => 1)}`;
  const before = `used: ${list((name) => used[name])}`;
  return `exceeded quota: ${quota.metadata.name}, ${requested}, ${before}, limited: ${list((name) => hard[name])}`;
}

/** The limits that are enforced: those of quotas for a whole namespace. Scopes are about compute resources of pods. */
export function hardObjects({ spec = {} }: ResourceQuota): Amounts {
  const isScoped = (spec.scopes?.length ?? 0) > 0 || spec.scopeSelector !== undefined;
  return isScoped ? {} : (spec.hard ?? {});
}
