import { APIServiceBindingReason, type ConditionState, ConditionType, falseCondition } from '@klutch/api';
import { whenAborted, withFields } from '@klutch/kube';
import type { BindingBoard } from '../bindings/binding-board.ts';
import type { AcceptedClaim } from '../claims/accepted-claim.ts';
import type { BoundApi } from '../instances/bound-api.ts';
import type { MetadataRules } from '../instances/metadata-rules.ts';
import type { NamespaceMap } from '../namespaces/namespace-map.ts';
import { shareClaimsSynced } from './claims-board.ts';
import { keepUnit, type UnitKeeper } from './keep-unit.ts';
import type { Link } from './link.ts';
import type { Parts } from './parts.ts';
import { apiNeedsRestart, type ClaimedType, type Plan } from './supervise.ts';

export interface UnitsOptions {
  readonly link: Link;
  readonly parts: Pick<Parts, 'runInstances' | 'runClaims'>;
  readonly namespaces: NamespaceMap;
  readonly board: BindingBoard;
  readonly metadata: MetadataRules;
  readonly signal: AbortSignal;
}

/** The units of a link: those that a plan asks for, each on its own. */
export interface Units {
  /** Starts, stops and updates units; those that the plan leaves as they are do not notice. */
  follow(plan: Plan): void;
  /** Whether some unit has, or may have, objects in that namespace of the control plane. */
  mayUse(serviceNamespace: string): boolean;
  /** Units that run, or of which something is left. */
  readonly size: number;
  readonly stopped: Promise<void>;
}

export function runUnits(options: UnitsOptions): Units {
  const { link, parts, namespaces, board, metadata, signal } = options;
  const instances = new Map<string, UnitKeeper<BoundApi>>();
  const claims = new Map<string, UnitKeeper<readonly AcceptedClaim[]>>();
  const claimsSynced = shareClaimsSynced(board);
  /** Nothing is known before the first plan, and so everything may be in use. */
  let isPartial = true;

  function keepInstances(name: string): UnitKeeper<BoundApi> {
    return keepUnit<BoundApi>({
      start: (api, until) =>
        parts.runInstances({ link: withApi(name), api, namespaces, board, metadata, signal: until }),
      needsRestart: apiNeedsRestart,
      failed: (api) => board.report(api.binding, stopped(ConditionType.InstancesSynced, name)),
      isOver: () => instances.delete(name),
      mayUseUnseen: true,
      clock: link.clock,
      log: withFields(link.log, { api: name, unit: 'instances' }),
      signal,
    });
  }

  function keepClaims(key: string, type: ClaimedType): UnitKeeper<readonly AcceptedClaim[]> {
    return keepUnit<readonly AcceptedClaim[]>({
      start: (accepted, until) =>
        parts.runClaims({
          link,
          type,
          claims: accepted,
          namespaces,
          board: claimsSynced.boardFor(key),
          signal: until,
        }),
      needsRestart: () => false,
      failed: (accepted) => {
        const { report } = claimsSynced.boardFor(key);
        for (const { binding } of accepted) report(binding, stopped(ConditionType.ClaimsSynced, type.resource));
      },
      isOver: () => {
        claims.delete(key);
        claimsSynced.leave(key);
      },
      // What is claimed lives and dies with the objects of an API; a type that cannot be read must not hold up a namespace.
      mayUseUnseen: false,
      clock: link.clock,
      log: withFields(link.log, { claimed: key, unit: 'claims' }),
      signal,
    });
  }

  function withApi(api: string): Link {
    return { ...link, log: withFields(link.log, { api }) };
  }

  function follow(plan: Plan): void {
    isPartial = plan.isPartial;
    for (const [name, unit] of instances) if (!plan.instances.has(name)) unit.set(undefined);
    for (const [name, api] of plan.instances) kept(instances, name, keepInstances).set(api);
    for (const [key, unit] of claims) {
      if (plan.claims.has(key)) continue;
      // With an empty list the unit cleans up the copies. Where nobody rejected the claim, but a binding went or its CRD
      // is somebody else's now, applications go on with what they have.
      unit.set(plan.declined.has(key) ? [] : undefined);
    }
    for (const [key, { type, claims: accepted }] of plan.claims) {
      kept(claims, key, () => keepClaims(key, type)).set(accepted);
    }
    for (const { binding, claim } of plan.rejected) {
      const message = `The claim on ${claim} was rejected, but the binding makes no sense without it. Accept it in spec.permissionClaims, or delete the binding.`;
      board.report(
        binding,
        falseCondition(ConditionType.ClaimsSynced, 'Error', APIServiceBindingReason.RequiredClaimRejected, message),
      );
    }
    for (const { binding, why } of plan.withdrawn) {
      board.report(
        binding,
        falseCondition(ConditionType.ClaimsSynced, 'Error', APIServiceBindingReason.EntitlementWithdrawn, why),
      );
    }
    for (const binding of plan.claimless) board.withdraw(binding, ConditionType.ClaimsSynced);
  }

  return {
    follow,
    mayUse: (serviceNamespace) =>
      isPartial || [...instances.values(), ...claims.values()].some((unit) => unit.mayUse(serviceNamespace)),
    get size() {
      return instances.size + claims.size;
    },
    stopped: ended(),
  };

  async function ended(): Promise<void> {
    await whenAborted(signal);
    await Promise.all([...instances.values(), ...claims.values()].map((unit) => unit.stopped));
  }
}

/** What a binding says while a unit waits to be started again; the unit itself says when it works. */
function stopped(condition: string, what: string): ConditionState {
  return falseCondition(
    condition,
    'Error',
    APIServiceBindingReason.SynchronisationFailed,
    `The synchronisation of ${what} ended with an unexpected error, which the log of the konnector has. It is started again by itself; if it keeps failing, report the error.`,
  );
}

function kept<T>(units: Map<string, UnitKeeper<T>>, key: string, keep: (key: string) => UnitKeeper<T>): UnitKeeper<T> {
  const found = units.get(key);
  if (found) return found;
  const made = keep(key);
  units.set(key, made);
  return made;
}
