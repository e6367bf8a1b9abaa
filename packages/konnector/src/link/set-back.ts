import {
  type APIServiceBinding,
  annotations,
  APIServiceBindingReason,
  ConditionType,
  findCondition,
} from '@klutch/api';

/**
 * Whether the absence of an object in the app cluster can be believed.
 *
 * An app cluster that was restored from a backup, or rebuilt under its old identity, lacks objects that nobody deleted.
 * Three traces betray it, because they lie outside of what a restore brings back:
 * - the lease of the konnector is renewed every few seconds, and heartbeats to the control plane are sent by whoever
 *   holds it. Both times come from the same clock. A lease that was last renewed long before a heartbeat that the
 *   control plane has got, or no lease at all although heartbeats arrived, can only be one of an earlier state;
 * - versions of lists only grow, as long as nobody replaces the storage of the API server;
 * - a lease that this process renewed itself never becomes older.
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

/** Whether a lease that was last written at `written` and is now found with `found` went back in time. */
export function leaseWentBack(written: Date | undefined, found: Date | undefined): boolean {
  return written !== undefined && found !== undefined && written.getTime() - found.getTime() > toleranceMs;
}

/** Whether the status of a binding remembers that the app cluster was set back. */
export function remembersSetBack(bindings: readonly APIServiceBinding[]): boolean {
  return bindings.some(({ status }) => {
    const synced = findCondition(status?.conditions, ConditionType.InstancesSynced);
    return synced?.status === 'False' && synced.reason === APIServiceBindingReason.AppClusterSetBack;
  });
}

/** Whether somebody has decided, for every binding, about the objects that are missing. */
export function isReleased(bindings: readonly APIServiceBinding[]): boolean {
  return (
    bindings.length > 0 &&
    bindings.every(({ metadata }) => decisions.has(metadata.annotations?.[annotations.orphans] ?? ''))
  );
}

const decisions: ReadonlySet<string> = new Set(['Delete', 'Restore']);

/** Remembers, for one link, whether its app cluster was set back. */
export interface SetBackMemory {
  /** The answer for `Link.setBack`. */
  current(): string | undefined;
  /** Takes note of a reason. */
  note(why: string): void;
}

export interface SetBackMemoryOptions {
  readonly bindings: () => readonly APIServiceBinding[];
  /** How often the app cluster was seen to go back in time since this process leads. */
  readonly timesWentBack: () => number;
}

export function createSetBackMemory({ bindings, timesWentBack }: SetBackMemoryOptions): SetBackMemory {
  let reason = remembersSetBack(bindings()) ? 'that was found before the konnector was restarted' : undefined;
  let known = 0;
  return {
    note: (why) => {
      reason ??= why;
    },
    current: () => {
      if (timesWentBack() > known) {
        known = timesWentBack();
        reason ??= 'the API server of this app cluster went back to an older state while it was watched';
      }
      if (reason === undefined) return undefined;
      if (isReleased(bindings())) reason = undefined;
      return reason && explain(reason);
    },
  };
}

function explain(reason: string): string {
  return `The app cluster is in an earlier state than the control plane has seen: ${reason}. It was probably restored from a backup, so objects that are missing here are kept on the control plane. Set the annotation ${annotations.orphans} of every binding to Restore, which brings them back, or to Delete.`;
}
