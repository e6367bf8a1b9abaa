import {
  annotations,
  APIServiceBindingReason,
  type ConditionState,
  ConditionType,
  falseCondition,
  trueCondition,
} from '@klutch/api';
import type { Decision, Held } from './decision.ts';

/** What the objects of an API have in common to tell, for the binding. */
export interface Troubles {
  note(key: string, decision: Pick<Decision, 'held' | 'waiting'>): void;
  /** The place of an app namespace belongs to another app cluster; undefined: it does not. */
  noteNamespace(appNamespace: string, cluster: string | undefined): void;
  /** Keys with some trouble. */
  keys(): readonly string[];
  /** Copies that stay without an original. */
  readonly held: number;
  /** Pure given what was noted. `unavailable`: why the type cannot be read on one side. */
  condition(unavailable: string | undefined): ConditionState;
}

export function createTroubles(): Troubles {
  const held = new Map<string, Held>();
  const waiting = new Map<string, string>();
  /** App clusters by the app namespaces whose places they have. */
  const owners = new Map<string, string>();

  function keysHeld(...reasons: readonly Held[]): readonly string[] {
    return [...held].filter(([, reason]) => reasons.includes(reason)).map(([key]) => key);
  }

  return {
    note: (key, decision) => {
      if (decision.held) held.set(key, decision.held);
      else held.delete(key);
      const wait = decision.waiting;
      if (wait?.isNamespace && wait.isVisible) waiting.set(key, wait.message);
      else waiting.delete(key);
    },
    noteNamespace: (appNamespace, cluster) => {
      if (cluster === undefined) owners.delete(appNamespace);
      else owners.set(appNamespace, cluster);
    },
    keys: () => [...new Set([...held.keys(), ...waiting.keys()])],
    get held() {
      return held.size;
    },
    condition: (unavailable) => {
      if (unavailable !== undefined) return failed('Error', APIServiceBindingReason.ResourceUnavailable, unavailable);
      const others = keysHeld('otherCluster', 'strange');
      if (others.length > 0) {
        return failed('Warning', APIServiceBindingReason.OtherAppCluster, otherCluster(others, keysHeld('strange')));
      }
      const setBackKeys = keysHeld('setBack');
      if (setBackKeys.length > 0) {
        const message = `${some(setBackKeys)} on the control plane without original in this app cluster, and nothing is deleted: the app cluster does not remember that it had them. It was restored from a backup, the Lease of its konnector was deleted, or a twin of it has them. ${restoreHint} If they may go, set it to Delete.`;
        return failed('Warning', APIServiceBindingReason.AppClusterSetBack, message);
      }
      if (owners.size > 0) return failed('Warning', APIServiceBindingReason.OtherAppCluster, otherOwner(owners));
      const succeeded = keysHeld('notTakenOver');
      if (succeeded.length > 0) {
        const message = `${some(succeeded)} on the control plane of the app cluster that this one takes over, without original here; they are left alone. ${restoreHint}`;
        return failed('Warning', APIServiceBindingReason.OtherAppCluster, message);
      }
      const orphans = keysHeld('braked', 'crdNewer', 'unknownOrigin');
      if (orphans.length > 0) {
        const message = `${some(orphans)} on the control plane without original in this app cluster, and nothing is deleted. ${restoreHint} If they may go, set it to Delete.`;
        return failed('Warning', APIServiceBindingReason.OrphansHeld, message);
      }
      const [first] = waiting;
      if (first === undefined) return trueCondition(ConditionType.InstancesSynced);
      const message = `${some([...waiting.keys()])} waiting for a namespace on the control plane. ${first[1]}`;
      return failed('Warning', APIServiceBindingReason.NamespacesWaiting, message);
    },
  };
}

const restoreHint = `To get the originals back, set annotation ${annotations.orphans} of this binding to Restore, and create the namespaces that are missing.`;

function otherCluster(keys: readonly string[], strange: readonly string[]): string {
  const what = `${some(keys)} on the control plane of another app cluster with the same tenant; they are left alone.`;
  if (strange.length > 0) {
    return `${what} That cluster has the same identity as this one, as copies of a machine have: give one of them a tenant of its own.`;
  }
  return `${what} To take them over, set annotation ${annotations.takeOverFrom} of this binding to the identity in their annotation ${annotations.sourceCluster}.`;
}

function otherOwner(owners: ReadonlyMap<string, string>): string {
  const [[namespace, cluster] = ['', '']] = [...owners].sort(([a], [b]) => (a < b ? -1 : 1));
  const places = owners.size === 1 ? `namespace "${namespace}"` : `${owners.size} namespaces ("${namespace}" first)`;
  return `The control plane has ${places} of another app cluster (${cluster}) with the same tenant; what is there is left alone. If this cluster replaces that one, set annotation ${annotations.takeOverFrom} of this binding to ${cluster}; otherwise give one of them a tenant of its own.`;
}

function some(keys: readonly string[]): string {
  const [first = ''] = [...keys].sort();
  return keys.length === 1 ? `There is 1 object ("${first}")` : `There are ${keys.length} objects ("${first}" first)`;
}

function failed(severity: 'Error' | 'Warning', reason: string, message: string): ConditionState {
  return falseCondition(ConditionType.InstancesSynced, severity, reason, message);
}
