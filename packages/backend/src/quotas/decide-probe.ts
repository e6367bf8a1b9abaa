import type { Amounts, ResourceQuota } from './resource-quota.ts';

/** The probe, and what it is for. */
export interface ObservedProbe {
  /** Names that tenants' quotas should have. */
  readonly names: readonly string[];
  readonly probe?: ResourceQuota;
  /** Milliseconds since a name was first asked for that is not counted yet. */
  readonly waitedMs: number;
  /** Milliseconds since the probe was last written; undefined when it was not. */
  readonly writtenMs?: number;
}

export interface ProbeDecision {
  /** Names that the control plane counts. */
  readonly countable: ReadonlySet<string>;
  /** `spec.hard` to write, with null for names to remove; undefined when there is nothing to write. */
  readonly hard?: Readonly<Record<string, string | null>>;
  /** Milliseconds after which to look again, while names are not counted yet. */
  readonly againMs?: number;
  /** Whether no controller works on quotas at all. */
  readonly isUnattended: boolean;
}

/**
 * Which types the control plane counts, and what to write to find out about the others. kube-controller-manager learns of
 * new CRDs every 30 seconds, and then looks at a quota only when its limits change or minutes later; so limits of names
 * that are not counted change by one with each write.
 */
export function decideProbe({ names, probe, waitedMs, writtenMs }: ObservedProbe): ProbeDecision {
  const { hard: before = {} } = probe?.spec ?? {};
  const used = probe?.status?.used ?? {};
  const countable = new Set(names.filter((name) => used[name] !== undefined));
  const pending = names.filter((name) => !countable.has(name));
  const isAttended = probe?.status?.hard !== undefined;
  const isUnattended = probe !== undefined && !isAttended && waitedMs >= unattendedMs;
  const everyMs = waitedMs < eagerMs ? soonMs : lateMs;
  const isDue = writtenMs === undefined || writtenMs >= everyMs;
  const extra = Object.keys(before).filter((name) => !names.includes(name));
  const isMissing = extra.length > 0 || names.some((name) => !(name in before));
  const againMs = pending.length === 0 ? undefined : Math.max(soonMs, everyMs - (isDue ? 0 : (writtenMs ?? 0)));
  const verdict = { countable, isUnattended, ...(againMs === undefined ? {} : { againMs }) };
  if (!isMissing && (pending.length === 0 || !isDue)) return verdict;
  const desired = Object.fromEntries(names.map((name) => [name, limitOf(name, before, pending)]));
  return { ...verdict, hard: { ...desired, ...Object.fromEntries(extra.map((name) => [name, null])) } };
}

function limitOf(name: string, before: Amounts, pending: readonly string[]): string {
  const current = before[name];
  if (current === undefined) return limits[0];
  if (!pending.includes(name)) return current;
  return current === limits[0] ? limits[1] : limits[0];
}

/** More than a namespace ever holds. Both are in the form in which the server returns them. */
const limits = ['99999998', '99999999'] as const;
/** A controller that runs answers within seconds. */
const unattendedMs = 60_000;
const soonMs = 10_000;
/** Types that a template names and nobody installs may never be counted. */
const eagerMs = 180_000;
const lateMs = 300_000;
