import { acceptNames } from '../../crd/accept-names.ts';
import {
  cleanupFinalizer,
  type Crd,
  type CrdCondition,
  crdCondition,
  isEstablished,
  withCondition,
} from '../../crd/crd.ts';

/** What is known of a CustomResourceDefinition when its next step is decided. */
export interface SeenCrd {
  readonly crd: Crd;
  /** The other ones of its group. */
  readonly others: readonly Crd[];
  /** How many objects of its type there are. */
  readonly instances: number;
  /** Whether the server has a type of that name by itself; its objects are nothing a CRD may delete. */
  readonly isBuiltIn: boolean;
  readonly now: string;
}

/** The next step in the life of a CustomResourceDefinition; done, the step after it is decided anew. */
export type CrdStep =
  | { readonly do: 'nothing' }
  | { readonly do: 'writeStatus'; readonly status: NonNullable<Crd['status']> }
  | { readonly do: 'deleteInstances' }
  /** The finalizer goes, and with it the definition unless somebody else holds it. */
  | { readonly do: 'release' };

/** Pure: names are accepted as they become free; on deletion the instances go first, and the status says so. */
export function decideCrd(seen: SeenCrd): CrdStep {
  const { crd, others, now } = seen;
  if (crd.metadata.deletionTimestamp === undefined) {
    const status = acceptNames(crd, others, now);
    return status === undefined ? { do: 'nothing' } : { do: 'writeStatus', status };
  }
  const finalizers = crd.metadata.finalizers ?? [];
  if (!finalizers.includes(cleanupFinalizer)) return { do: 'nothing' };
  return decideCleanup(seen, finalizers.length > 1);
}

function decideCleanup({ crd, instances, isBuiltIn, now }: SeenCrd, isHeldByOthers: boolean): CrdStep {
  const end = endOf(crd, isBuiltIn);
  const mustDelete = end === COMPLETED && instances > 0;
  const reason = crdCondition(crd, 'Terminating')?.reason;
  const hasBegun = reason === IN_PROGRESS.reason || (reason === end.reason && !mustDelete);
  if (!hasBegun) return writeCondition(crd, IN_PROGRESS, now);
  if (mustDelete) return { do: 'deleteInstances' };
  // Nobody can see the last condition of a definition that goes at the same moment.
  if (isHeldByOthers && reason !== end.reason) return writeCondition(crd, end, now);
  return { do: 'release' };
}

function endOf(crd: Crd, isBuiltIn: boolean): CrdCondition {
  if (isBuiltIn) return OVERLAPPING;
  return isEstablished(crd) ? COMPLETED : NEVER_ESTABLISHED;
}

function writeCondition(crd: Crd, condition: CrdCondition, now: string): CrdStep {
  const conditions = withCondition(crd.status?.conditions ?? [], condition, now);
  return { do: 'writeStatus', status: { ...crd.status, conditions } };
}

const IN_PROGRESS: CrdCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

const COMPLETED: CrdCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
};

const NEVER_ESTABLISHED: CrdCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'NeverEstablished',
  message: 'resource was never established',
};

const OVERLAPPING: CrdCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'OverlappingBuiltInResource',
  message: 'instances overlap with built-in resources in storage',
};
