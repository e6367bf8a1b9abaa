import {
  type Change,
  type Informer,
  isKubeError,
  type KubeError,
  keyOf,
  type Reconcile,
  refOf,
  runController,
  type UnknownObject,
  withFields,
} from '@klutch/kube';
import type { BindingBoard } from '../bindings/binding-board.ts';
import { createLinkQueue } from '../link/link-queue.ts';
import type { Link } from '../link/link.ts';
import type { NamespaceMap } from '../namespaces/namespace-map.ts';
import { marksOf, standingOf } from '../ownership/marks.ts';
import { createPlacement } from '../ownership/placement.ts';
import type { BoundApi } from './bound-api.ts';
import { createBreaker } from './breaker.ts';
import { type Copies, followCopies } from './copies.ts';
import { createCrdLook } from './crd-look.ts';
import { createInventory } from './inventory.ts';
import type { Memory } from './memory.ts';
import type { MetadataRules } from './metadata-rules.ts';
import { createReconciler, type Reconciler } from './reconcile.ts';
import { createRecovery } from './recovery.ts';
import { createTroubles } from './summary.ts';
import { createWritten } from './written.ts';

export interface SessionOptions {
  readonly link: Link;
  api(): BoundApi;
  readonly namespaces: NamespaceMap;
  readonly board: BindingBoard;
  readonly metadata: MetadataRules;
  readonly memory: Memory;
  readonly signal: AbortSignal;
}

/** The work on one API while its types stay the same. */
export interface Session {
  readonly ready: Promise<void>;
  readonly stopped: Promise<void>;
  /** Looks at every key again, because something about the API has changed. */
  lookAgain(): void;
  stillUses(serviceNamespace: string): boolean;
}

const workers = 16;
const longestBackoffMs = 60_000;
const reportEveryMs = 250;
const watchProblemsMs = 5_000;

export function startSession(options: SessionOptions): Session {
  const { link, namespaces, memory, metadata, signal, board } = options;
  const { clock } = link;
  const api = options.api();
  const placement = createPlacement({ isolation: api.isolation, tenant: link.tenant.clusterNamespace, namespaces });
  const breaker = createBreaker();
  const troubles = createTroubles();
  const inventory = createInventory();
  const share = link.app.informers.acquire({ type: api.appType });
  const app: Informer<UnknownObject> = share.informer;
  const writtenApp = createWritten(clock);
  const writtenCopies = createWritten(clock);
  const unsubscribes: (() => void)[] = [];
  let copies: Copies | undefined;
  let cancelReport: (() => void) | undefined;
  let cancelWatch: (() => void) | undefined;
  let enqueue: (key: string, options?: { readonly priority?: number }) => void = () => {};

  const recovery = createRecovery({
    clock,
    problem: () => app.problem ?? copies?.problem(),
    retry: (key) => enqueue(key),
  });
  const reconciler: Reconciler = createReconciler({
    link,
    api: options.api,
    metadata,
    placement,
    views: {
      app: (key) => app.cache.getByKey(key),
      hasApp: (key) => app.cache.hasKey(key),
      isFollowingApp: () => app.problem === undefined,
      copy: (ref) => copies?.look(ref) ?? { state: 'unknown' },
      isFollowingCopy: (ref) => copies?.isFollowing(ref) ?? false,
      copies: () => inventory.own,
    },
    hands: {
      app: link.app.client.resource(api.appType),
      controlPlane: link.controlPlane.client.resource(api.controlPlaneType),
      statusSubresource: api.statusSubresource,
      crd: createCrdLook(link.app.client, api.name, clock, api.crdUid),
      line: link.appLine,
      memory,
      writtenApp,
      writtenCopies,
      metrics: link.metrics,
      now: () => clock.now(),
    },
    breaker,
    troubles,
    want: (namespace) => namespaces.want(namespace),
    enqueue: (key, how) => enqueue(key, how),
  });

  const reconcile: Reconcile = async (key, context) => {
    try {
      const result = await reconciler.reconcile(key, context);
      recovery.worked(key);
      return result;
    } catch (error) {
      recovery.failed(key, error);
      throw error;
    } finally {
      report();
    }
  };

  const controller = runController({
    name: 'instances',
    reconcile,
    workers,
    sources: [{ start: (enqueueKey) => start((key, how) => enqueueKey(key, how)) }],
    queue: createLinkQueue(link, {
      name: 'instances',
      backoff: { baseMs: 10, capMs: longestBackoffMs },
      laneOf: (key) => refOf(key).namespace ?? '',
    }),
    timeoutMs: 120_000,
    signal,
    clock,
    log: withFields(link.log, { link: link.name, api: api.name }),
    metrics: link.metrics.controller,
  });

  async function start(add: typeof enqueue): Promise<void> {
    enqueue = add;
    watchProblems();
    await app.synced;
    if (signal.aborted) return;
    unsubscribes.push(app.subscribe((change) => reconciler.appChanged(change)));
    // Only after the originals are known can it be said of a copy that it has none.
    copies = followCopies({
      api,
      clusterNamespace: link.tenant.clusterNamespace,
      informers: link.controlPlane.informers,
      namespaces,
      changed: copyChanged,
      arrived: enqueueNamespace,
      left: (serviceNamespace, appNamespace) => {
        inventory.leave(serviceNamespace);
        writtenCopies.leave(serviceNamespace);
        for (const key of breaker.keys()) if (key.startsWith(`${appNamespace}/`)) breaker.clear(key);
        for (const key of troubles.keys()) if (key.startsWith(`${appNamespace}/`)) enqueue(key);
      },
    });
    unsubscribes.push(namespaces.subscribe(enqueueNamespace), namespaces.subscribe(noteOwner));
    await copies.ready;
  }

  function copyChanged(change: Change<UnknownObject>, isFirst: boolean): void {
    const { object } = change;
    if (change.type === 'deleted') inventory.delete(object);
    else inventory.put(object, standingOf(marksOf(object), claimant(), placement.ground));
    const keys = new Set<string>();
    for (const state of change.type === 'updated' ? [object, change.old] : [object]) {
      const original = placement.originalOf(state);
      if (original) keys.add(keyOf(original));
    }
    for (const key of keys) reconciler.copyChanged(key, change, isFirst);
  }

  function claimant() {
    const { takeOverFrom } = options.api();
    return { tenant: link.tenant.clusterNamespace, appClusterId: link.appClusterId, takeOverFrom };
  }

  function enqueueNamespace(appNamespace: string | undefined): void {
    const prefix = appNamespace === undefined || !api.appType.namespaced ? '' : `${appNamespace}/`;
    for (const key of app.cache.keys()) if (key.startsWith(prefix)) enqueue(key);
    // Also what is known of originals that went before there was a place to look at.
    for (const [key] of memory.entries()) if (key.startsWith(prefix)) enqueue(key);
  }

  /** A place that another app cluster has is worth a word even if nothing of ours wants to go there. */
  function noteOwner(appNamespace: string): void {
    if (api.isolation !== 'ServiceNamespace') return;
    const mapping = namespaces.of(appNamespace);
    troubles.noteNamespace(appNamespace, mapping.state === 'refused' ? mapping.ofCluster : undefined);
    report();
  }

  function report(): void {
    cancelReport ??= clock.after(reportEveryMs, () => {
      cancelReport = undefined;
      if (signal.aborted) return;
      const { binding } = options.api();
      board.report(binding, troubles.condition(unavailable()));
      link.metrics.heldDeletions(link.name, api.name, troubles.held);
    });
  }

  /** A type that cannot be read stays so without any event. */
  function watchProblems(): void {
    cancelWatch = clock.after(watchProblemsMs, () => {
      report();
      watchProblems();
    });
  }

  function unavailable(): string | undefined {
    const own = refusal(app.problem);
    if (own !== undefined) return `Objects of ${api.name} cannot be read in the app cluster: ${own}`;
    const theirs = api.informerScope === 'Cluster' ? refusal(copies?.problem()) : undefined;
    return theirs === undefined ? undefined : `Objects of ${api.name} cannot be read on the control plane: ${theirs}`;
  }

  return {
    ready: controller.ready,
    stopped: controller.stopped.finally(() => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      copies?.stop();
      share.release();
      recovery.stop();
      reconciler.stop();
      cancelReport?.();
      cancelWatch?.();
      link.metrics.heldDeletions(link.name, api.name, undefined);
    }),
    lookAgain: () => {
      for (const [key, { rejection }] of memory.entries()) {
        if (rejection) memory.change(key, { rejection: undefined });
      }
      enqueueNamespace(undefined);
      for (const key of [...breaker.keys(), ...troubles.keys()]) enqueue(key);
    },
    stillUses: (serviceNamespace) => {
      if (api.isolation !== 'ServiceNamespace') return false;
      const appNamespace = namespaces.appNamespaceOf(serviceNamespace);
      const isUnread = copies?.look({ namespace: serviceNamespace, name: '-' }).state !== 'known';
      if (isUnread && appNamespace !== undefined) return true;
      return inventory.isUsed(serviceNamespace) || (appNamespace !== undefined && hasOriginals(appNamespace));
    },
  };

  function hasOriginals(appNamespace: string): boolean {
    for (const key of app.cache.keys()) if (key.startsWith(`${appNamespace}/`)) return true;
    return false;
  }
}

/** Why a server does not let a type be read; that it is away is told by others. */
function refusal(problem: KubeError | undefined): string | undefined {
  return isKubeError(problem, 'KUBE_FORBIDDEN', 'KUBE_NOT_FOUND') ? problem.message : undefined;
}
