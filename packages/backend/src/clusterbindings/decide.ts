import {
  type APIServiceExport,
  type ClusterBinding,
  ClusterBindingReason,
  type ConditionState,
  ConditionType,
  falseCondition,
  findCondition,
  type InformerScope,
  labels,
  trueCondition,
} from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import { grantedRules } from '../grants/granted-rules.ts';
import type { Rule } from '../objects/rbac.ts';
import { isClusterNamespace } from '../tenants/cluster-namespace.ts';
import { judgeHealth } from './health.ts';

/** What is known when a ClusterBinding is considered. */
export interface Seen {
  readonly binding: ClusterBinding | undefined;
  /** The namespace it is in. */
  readonly namespace: Namespace | undefined;
  /** Exports in that namespace from which rights follow. */
  readonly exports: readonly APIServiceExport[];
  readonly scope: InformerScope;
  /** Whether this backend has made or adopted the namespace. */
  readonly isMarked: boolean;
  readonly now: Date;
}

/** `ignore`: not, or no longer, an app cluster. */
export type Decision =
  | { readonly is: 'ignore' }
  | {
      readonly is: 'serve';
      readonly binding: ClusterBinding;
      readonly namespace: Namespace;
      /** What it may do in its service namespaces, or, if that is its scope, in the whole cluster. */
      readonly rules: readonly Rule[];
      /** Whether that counts in all namespaces. */
      readonly isClusterWide: boolean;
      readonly healthy: ConditionState;
      /** Milliseconds until time alone changes the decision. */
      readonly nextMs?: number;
    };

/** What an app cluster may do, and how its konnector is. */
export function decide({ binding, namespace, exports, scope, isMarked, now }: Seen): Decision {
  if (
    !binding ||
    !namespace ||
    !isMarked ||
    namespace.metadata.deletionTimestamp ||
    !isAppCluster(binding, namespace)
  ) {
    return { is: 'ignore' };
  }
  const { condition, nextMs } = judgeHealth(binding.status, now);
  return {
    is: 'serve',
    binding,
    namespace,
    rules: rulesOf(exports, scope),
    isClusterWide: scope === 'Cluster',
    healthy: condition,
    nextMs,
  };
}

/**
 * What exports give an app cluster the right to. In the scope of the cluster permission claims give none: they would let
 * every tenant at all objects of the claimed types there are, such as all Secrets.
 */
export function rulesOf(exports: readonly APIServiceExport[], scope: InformerScope): readonly Rule[] {
  const grounds = exports.map(({ spec }) => spec);
  return grantedRules(scope === 'Cluster' ? grounds.map((spec) => ({ ...spec, permissionClaims: [] })) : grounds);
}

/** `RightsGranted` when all roles are in place. */
export const granted: ConditionState = trueCondition(ConditionType.RightsGranted);

/** `RightsGranted` when a role could not be written. */
export function notGranted(problem: string): ConditionState {
  const message = `Rights could not be granted; most often the backend lacks what it has to hand out: ${problem}`;
  return falseCondition(ConditionType.RightsGranted, 'Error', ClusterBindingReason.GrantFailed, message);
}

/**
 * When to try again what was refused: rights that the backend has just been given count a moment later, those that nobody gives are
 * not asked for all the time.
 */
export function refusedMs({ status }: ClusterBinding, now: Date): number {
  const before = findCondition(status?.conditions, ConditionType.RightsGranted);
  const lastsMs = before?.status === 'False' ? now.getTime() - Date.parse(before.lastTransitionTime ?? '') : 0;
  return Number.isNaN(lastsMs) ? longestMs : Math.min(Math.max(lastsMs, 1_000), longestMs);
}

const longestMs = 60_000;

/** A ClusterBinding elsewhere was not made by a backend, and gives no rights. */
function isAppCluster({ metadata }: ClusterBinding, namespace: Namespace): boolean {
  return isClusterNamespace(namespace) || metadata.labels?.[labels.appClusterBindingName] !== undefined;
}
