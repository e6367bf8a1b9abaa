import {
  type APIServiceBinding,
  annotations,
  APIServiceBindingReason,
  ConditionType,
  findCondition,
} from '@klutch/api';
import { compareVersions } from '@klutch/kube';

/**
 * Whether the absence of an object in the app cluster can be believed.
 *
 * An app cluster that was restored from a backup, or rebuilt under its old identity, lacks objects that nobody deleted.
 * Four traces betray it, because they lie outside of what a restore brings back:
 * - the lease of the konnector is renewed every few seconds, and heartbeats to the control plane are sent by whoever
 *   holds it. Both times come from the same clock. A lease that was last renewed long before a heartbeat that the
 *   control plane has got, or no lease at all although heartbeats arrived, can only be one of an earlier state;
 * - the same holds for whatever the konnector made on the control plane, by the clock there;
 * - versions of lists only grow, as long as nobody replaces the storage of the API server;
 * - a lease that this process has seen never becomes older.
 *
 * The first is looked at before this process sends its first heartbeat, with the lease as it was before it was taken.
 * Once found, it holds until the annotation `orphans` on every binding says what to do; the condition on the bindings
 * carries it over a restart.
 */
export interface Traces {
  /** When the lease was last renewed before this process took it; undefined: there was no lease. */
  readonly leaseRenewed: Date | undefined;
  /** Last heartbeat that the control plane has got from somebody else; undefined: none. */
  readonly lastHeartbeat: Date | undefined;
}

/** Longer than any konnector that holds the lease goes without renewing it, with room for two clocks that differ. */
const toleranceMs = 5 * 60_000;

/** Why an app cluster with these traces was set back, in a sentence; undefined when it was not. */
export function setBackByLease({ leaseRenewed, lastHeartbeat }: Traces): string | undefined {
  if (!lastHeartbeat) return undefined;
  if (!leaseRenewed) {
    return 'this app cluster has no lease of a konnector, although the control plane has heard from one here';
  }
  if (lastHeartbeat.getTime() - leaseRenewed.getTime() <= toleranceMs) return undefined;
  return 'the lease of the konnector in this app cluster is older than the last heartbeat that the control plane got';
}

/**
 * Why an app cluster was set back that lacks the original of something made at `created`; undefined when that proves
 * nothing. Whoever makes something on the control plane holds the lease and goes on to renew it: what is newer than the
 * last renewal was made from a later state of this cluster, or from a twin of it. A creation time has whole seconds: what
 * may be newer counts as newer. Of two clocks that differ, one errs on the side of keeping too much.
 */
export function setBackByOrphan(leaseRenewed: Date | undefined, created: string | undefined): string | undefined {
  const endOfSecond = Date.parse(created ?? '') + 999;
  if (leaseRenewed === undefined || !(endOfSecond > leaseRenewed.getTime())) return undefined;
  return 'the control plane has objects from here that are newer than the last sign of a konnector in this app cluster';
}

/** A lease at some moment. */
export interface SeenLease {
  readonly renewed: Date | undefined;
  readonly version: string | undefined;
}

/** Whether a lease that was `before`, and is `now`, went back in time: versions of an object only grow. */
export function leaseWentBack(before: SeenLease, now: SeenLease): boolean {
  if (compareVersions(now.version, before.version) === 'older') return true;
  if (!before.renewed || !now.renewed) return false;
  return before.renewed.getTime() - now.renewed.getTime() > toleranceMs;
}

/** What tells whether the control plane was restored from a backup while no konnector looked. */
export interface ControlPlaneTraces extends Traces {
  /** As the bindings were before this process changed them. */
  readonly bindings: readonly APIServiceBinding[];
  /** Longest time between two heartbeats. */
  readonly heartbeatMs: number;
}

/**
 * Why a control plane with these traces was set back, in a sentence; undefined when it was not. The konnector that held
 * the lease says that its heartbeats arrived, and the control plane does not have them.
 */
export function controlPlaneSetBackByLease(traces: ControlPlaneTraces): string | undefined {
  const { leaseRenewed, lastHeartbeat, bindings, heartbeatMs } = traces;
  const hadArrived = bindings.some(({ status }) => {
    return findCondition(status?.conditions, ConditionType.Heartbeating)?.status === 'True';
  });
  if (!hadArrived || !leaseRenewed) return undefined;
  const known = lastHeartbeat?.getTime() ?? Number.NEGATIVE_INFINITY;
  if (leaseRenewed.getTime() - known <= heartbeatMs + toleranceMs) return undefined;
  return 'it does not have the last heartbeats that it got from here';
}

/** Whether the status of a binding remembers that the control plane was set back. */
export function remembersControlPlaneSetBack(bindings: readonly APIServiceBinding[]): boolean {
  return bindings.some(({ status }) => {
    const synced = findCondition(status?.conditions, ConditionType.ClaimsSynced);
    return synced?.status === 'False' && synced.reason === APIServiceBindingReason.ControlPlaneSetBack;
  });
}

/** Whether the status of a binding remembers that the app cluster was set back. */
export function remembersSetBack(bindings: readonly APIServiceBinding[]): boolean {
  return bindings.some(({ status }) => {
    const synced = findCondition(status?.conditions, ConditionType.InstancesSynced);
    return synced?.status === 'False' && synced.reason === APIServiceBindingReason.AppClusterSetBack;
  });
}

/** Whether every binding says one of these about the objects that are missing. */
function isDecided(bindings: readonly APIServiceBinding[], ...decisions: readonly string[]): boolean {
  return (
    bindings.length > 0 &&
    bindings.every(({ metadata }) => decisions.includes(metadata.annotations?.[annotations.orphans] ?? ''))
  );
}

/** Remembers, for one link, whether one of its clusters was set back. */
export interface SetBackMemory {
  /** The answer for `Link.setBack` or `Link.controlPlaneSetBack`. */
  current(): string | undefined;
  /** Takes note of a reason. */
  note(why: string): void;
}

export interface SetBackMemoryOptions {
  readonly bindings: () => readonly APIServiceBinding[];
  /** How often the cluster was seen to go back in time since this process leads. */
  readonly timesWentBack: () => number;
}

/** Remembers whether the app cluster was set back. */
export function createSetBackMemory(options: SetBackMemoryOptions): SetBackMemory {
  return createMemory(options, {
    remembers: remembersSetBack,
    wentBack: 'the API server of this app cluster went back to an older state while it was watched',
    isReleased: (bindings) => isDecided(bindings, 'Delete', 'Restore'),
    explain: (reason) =>
      `The app cluster is in an earlier state than the control plane has seen: ${reason}. It was probably restored from a backup, so objects that are missing here are kept on the control plane. Set the annotation ${annotations.orphans} of every binding to Restore, which brings them back, or to Delete.`,
  });
}

/** Remembers whether the control plane was set back. What it lost nobody here can bring back, so only `Delete` ends it. */
export function createControlPlaneSetBackMemory(options: SetBackMemoryOptions): SetBackMemory {
  return createMemory(options, {
    remembers: remembersControlPlaneSetBack,
    wentBack: 'its API server is in an older state than it was seen in before',
    isReleased: (bindings) => isDecided(bindings, 'Delete'),
    explain: (reason) =>
      `The control plane is in an earlier state than this konnector has seen: ${reason}. It was probably restored from a backup, so copies of objects that it no longer has are kept. They are brought up to date as soon as the provider has the originals again. If they may go, delete them, or set the annotation ${annotations.orphans} of every binding to Delete.`,
  });
}

/** What differs between the two clusters of a link. */
interface Wording {
  readonly remembers: (bindings: readonly APIServiceBinding[]) => boolean;
  readonly wentBack: string;
  readonly isReleased: (bindings: readonly APIServiceBinding[]) => boolean;
  readonly explain: (reason: string) => string;
}

function createMemory({ bindings, timesWentBack }: SetBackMemoryOptions, wording: Wording): SetBackMemory {
  let reason = wording.remembers(bindings()) ? 'that was found before the konnector was restarted' : undefined;
  let known = 0;
  return {
    note: (why) => {
      reason ??= why;
    },
    current: () => {
      if (timesWentBack() > known) {
        known = timesWentBack();
        reason ??= wording.wentBack;
      }
      if (reason === undefined) return undefined;
      if (wording.isReleased(bindings())) reason = undefined;
      return reason && wording.explain(reason);
    },
  };
}
