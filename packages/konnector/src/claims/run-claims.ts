import { annotations, APIServiceBindingReason, ResourceOwner } from '@klutch/api';
import {
  backoffDelay,
  type Change,
  type Controller,
  isKubeError,
  KubeError,
  keyOf,
  pause,
  type ReconcileContext,
  type ReconcileResult,
  refOf,
  type ResourceType,
  runController,
  type UnknownObject,
} from '@klutch/kube';
import type { BindingBoard } from '../bindings/binding-board.ts';
import { createUnconfirmed, type Unconfirmed } from '../instances/unconfirmed.ts';
import { createLinkQueue } from '../link/link-queue.ts';
import type { Link, Running } from '../link/link.ts';
import type { ClaimedType } from '../link/supervise.ts';
import type { NamespaceMap } from '../namespaces/namespace-map.ts';
import type { Side as ClusterName } from '../process/metrics.ts';
import type { AcceptedClaim } from './accepted-claim.ts';
import { type CarryContext, carry, isOver, type Outcome, type Side } from './carry.ts';
import { createClaimStatus } from './claim-status.ts';
import { type CopySources, type Owner, roleOf } from './copy-marks.ts';
import { createPairNotes } from './pair-notes.ts';
import { openPlaces, type Places } from './places.ts';
import type { ObjectProblem } from './problems.ts';
import { namespaceTerminating } from './own-words.ts';
import { createTypeLookup } from './served-types.ts';

export interface ClaimsOptions {
  readonly link: Link;
  readonly type: ClaimedType;
  /** Every accepted claim on the type, of all bindings of the link. */
  readonly claims: readonly AcceptedClaim[];
  readonly namespaces: NamespaceMap;
  readonly board: BindingBoard;
  readonly signal: AbortSignal;
}

export interface RunningClaims extends Running {
  /**
   * Goes on with other claims. Copies that none of them covers any more are removed; with an empty list, all that this
   * link made. Keep it running for that.
   */
  update(claims: readonly AcceptedClaim[]): void;
  /** Whether copies of the user's objects are left in a service namespace. */
  stillUses(serviceNamespace: string): boolean;
}

/** The claimed type as each side serves it. */
interface Types {
  readonly app: ResourceType;
  readonly controlPlane: ResourceType;
}

/**
 * Carries the claimed objects of one type over a link: the provider's down to the app cluster, the user's up to the
 * control plane. Only namespaces that are mapped already are served; a claim alone never makes one travel. `ready` waits
 * until both sides serve the type, which may take as long as somebody takes to install it.
 */
export function runClaims({ link, type, claims, namespaces, board, signal }: ClaimsOptions): RunningClaims {
  const typeName = type.group === '' ? type.resource : `${type.resource}.${type.group}`;
  const status = createClaimStatus(typeName, board);
  const sources: CopySources = { Provider: link.tenant.uid, Consumer: link.appClusterId };
  const notes = createPairNotes(link.clock);
  const { settled, written, deletionsSeen } = notes;
  let suspected: readonly string[] = [];
  let places: Places | undefined;
  let unconfirmed: Unconfirmed | undefined;

  status.take(claims);
  const starting = start();
  const ready = starting.then(() => {});
  // Nobody has to wait; stopping before that must not count as an unhandled failure.
  ready.catch(() => {});
  return {
    ready,
    stopped: run(),
    update: (wanted) => {
      status.take(wanted);
      places?.follow(status.rules);
    },
    stillUses,
  };

  function stillUses(serviceNamespace: string): boolean {
    for (const object of places?.onControlPlane(serviceNamespace) ?? []) {
      const role = roleOf(object, ResourceOwner.Provider, { sources, neverTravels: false });
      if (role === 'copy' || role === 'oldCopy') return true;
    }
    return false;
  }

  async function run(): Promise<void> {
    try {
      const controller = await starting;
      await controller.stopped;
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      unconfirmed?.stop();
      places?.close();
    }
  }

  /** Waits until both sides serve the type. */
  async function servedTypes(): Promise<Types | undefined> {
    const lookUp = createTypeLookup(link, type);
    for (let tries = 1; !signal.aborted; tries++) {
      try {
        const served = await lookUp();
        if (!('problem' in served)) return served;
        status.setUnavailable(served.problem);
        status.open();
      } catch (error) {
        // A side that does not answer is reported by the link.
        link.log.debug({ part: 'claims', type: typeName, err: error }, 'claimed type could not be looked up');
      }
      await pause(link.clock, backoffDelay(tries, { baseMs: 250, capMs: 15_000 }, Math.random), signal);
    }
    return undefined;
  }

  async function start(): Promise<Controller> {
    const types = await servedTypes();
    if (types === undefined) throw new KubeError('KUBE_ABORTED', `the claims on ${typeName} were stopped`);
    const controller = runController({
      name: 'claims',
      workers: 16,
      queue: createLinkQueue(link, {
        name: 'claims',
        backoff: { baseMs: 50, capMs: 15_000 },
        laneOf: (key) => refOf(key).namespace ?? '',
      }),
      clock: link.clock,
      log: link.log,
      metrics: link.metrics.controller,
      signal,
      reconcile: (key, context) => (key === healthKey ? checkHealth() : reconcile(key, context, types)),
    });
    unconfirmed = createUnconfirmed({ clock: link.clock, isAhead, look: controller.enqueue });
    const changed = (ref: { readonly namespace: string; readonly name: string }) => controller.enqueue(keyOf(ref));
    places = openPlaces({ link, types, namespaces, changed, delivered, left: notes.leave });
    places.follow(status.rules);
    controller.enqueue(healthKey);
    await controller.ready;
    status.setUnavailable(undefined);
    status.open();
    return controller;
  }

  function delivered(side: Owner, change: Change<UnknownObject>): void {
    const { namespace = '', name = '' } = change.object.metadata;
    const appNamespace = side === 'Consumer' ? namespace : namespaces.appNamespaceOf(namespace);
    const isLookedAfter = places?.of(appNamespace ?? '') !== undefined;
    notes.delivered(side, change, isLookedAfter ? keyOf({ namespace: appNamespace, name }) : undefined);
  }

  async function reconcile(key: string, { attempt }: ReconcileContext, types: Types): Promise<ReconcileResult | void> {
    const { namespace: appNamespace = '', name } = refOf(key);
    const place = places?.of(appNamespace);
    if (!place?.isSeen) return forget(key);
    const { serviceNamespace, ending } = place;
    const isDisputed = status.problemOf(key)?.kind === 'conflict';
    const dealtWith = Object.values(deletionsSeen).map((seen) => seen.begin(key));
    try {
      const pair = { name, appNamespace, serviceNamespace, ending };
      const context = contextOf(types);
      const outcome = await carry(pair, context, isDisputed);
      if (isOver(pair, context)) notes.over(place, name);
      if (outcome.state !== 'held') for (const forgetSeen of dealtWith) forgetSeen();
      // A watch tells nothing more of what was deleted before the answer to a write about it arrived.
      unconfirmed?.rests(key, isAhead(key));
      return conclude(key, outcome);
    } catch (error) {
      if (isKubeError(error) && error.reason === namespaceTerminating) return { requeueAfter: terminatingMs };
      // Rights in a fresh namespace take a moment to be effective.
      const isRefusal = isKubeError(error, 'KUBE_INVALID') || (isKubeError(error, 'KUBE_FORBIDDEN') && attempt > 3);
      if (isRefusal) status.note(key, { kind: 'refused', message: error.message });
      throw error;
    }
  }

  function isAhead(key: string): boolean {
    const { namespace = '', name } = refOf(key);
    const place = places?.of(namespace);
    if (place === undefined) return false;
    return (
      written.Consumer.isAhead(key) || written.Provider.isAhead(keyOf({ namespace: place.serviceNamespace, name }))
    );
  }

  function contextOf(types: Types): CarryContext {
    return {
      sides: {
        Provider: sideOf('Provider', 'control-plane', types.controlPlane),
        Consumer: sideOf('Consumer', 'app', types.app),
      },
      sources,
      kubeconfigSecret: link.name,
      rules: status.rules,
      settled,
      lines: { Provider: link.controlPlaneLine, Consumer: link.appLine },
      mayGo: () => link.orphansMayGo(),
      deletionSeen: (side, { appNamespace, name }) => deletionsSeen[side].has(keyOf({ namespace: appNamespace, name })),
    };
  }

  function sideOf(side: Owner, cluster: ClusterName, served: ResourceType): Side {
    const { client } = cluster === 'app' ? link.app : link.controlPlane;
    return {
      client: client.resource(served),
      known: (ref) => written[side].newest(keyOf(ref), places?.cached(side, ref), true),
      wrote: (ref, verb, answer) => {
        written[side].put(keyOf(ref), answer);
        link.metrics.wrote(cluster, 'claims', verb);
      },
      removed: (ref, uid) => {
        written[side].deleted(keyOf(ref), uid);
        link.metrics.wrote(cluster, 'claims', 'delete');
      },
    };
  }

  function conclude(key: string, outcome: Outcome): ReconcileResult | void {
    const { namespace, name } = refOf(key);
    const since = notes.takeChange(key);
    switch (outcome.state) {
      case 'fine':
        return status.note(key, undefined);
      case 'carried':
        link.metrics.carried(outcome.owner === 'Provider' ? 'down' : 'up', (link.clock.now() - since) / 1000);
        return status.note(key, undefined);
      case 'removed':
        link.log.info({ part: 'claims', type: typeName, namespace, name, why: outcome.why }, 'copy removed');
        return status.note(key, undefined);
      case 'held':
        status.note(key, heldProblem(outcome.owner));
        // Nobody tells when somebody has decided.
        return { requeueAfter: heldMs };
      case 'conflict': {
        const bindings = outcome.rules.map(({ binding }) => binding.uid);
        const isNews = status.problemOf(key)?.kind !== 'conflict';
        if (isNews && outcome.object !== undefined) link.events.event(outcome.object, conflictEvent);
        status.note(key, { kind: 'conflict', bindings, message: conflictText });
        // The user's object may be one that no watch covers.
        return { requeueAfter: conflictMs };
      }
    }
  }

  function forget(key: string): void {
    notes.forget(key);
    status.note(key, undefined);
  }

  function heldProblem(owner: Owner): ObjectProblem {
    if (owner === 'Consumer') return { kind: 'held', message: heldText };
    return { kind: 'setBack', message: setBackText };
  }

  /** Watches do not tell of their problems. One that is gone at the next look was only a fresh namespace. */
  function checkHealth(): ReconcileResult {
    const before = suspected;
    suspected = places?.problems() ?? [];
    status.setUnwatched(suspected.filter((problem) => before.includes(problem)));
    return { requeueAfter: healthMs };
  }
}

const healthKey = 'health';
const healthMs = 3_000;
const conflictMs = 10_000;
const heldMs = 5_000;
const terminatingMs = 5_000;

const conflictText =
  'Both sides have an object of this name, and neither is a copy of the other, so neither is changed. Rename or delete one of them.';
const conflictEvent = {
  type: 'Warning',
  reason: APIServiceBindingReason.ClaimConflict,
  message: conflictText,
} as const;
const heldText =
  'The copy on the control plane stays, because nothing proves that its original was deleted. Create the original again, or delete the copy.';
const setBackText = `The copy in the app cluster stays, because the control plane does not remember that it had the original. It was probably restored from a backup. The copy is brought up to date as soon as the provider has the original again. If it may go, delete it, or set the annotation ${annotations.orphans} of every binding to Delete.`;
