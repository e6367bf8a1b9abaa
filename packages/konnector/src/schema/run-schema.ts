import { isDeepStrictEqual } from 'node:util';
import { type APIServiceBinding, APIServiceExports } from '@klutch/api';
import {
  type Controller,
  informerSource,
  isKubeError,
  onAbort,
  type ReconcileContext,
  type ReconcileResult,
  runController,
  type Source,
} from '@klutch/kube';
import type { BindingBoard } from '../bindings/binding-board.ts';
import { refOfBinding } from '../bindings/binding-ref.ts';
import type { BindingsOfLink } from '../bindings/bindings-of-link.ts';
import type { BoundApi } from '../instances/bound-api.ts';
import { createLinkQueue } from '../link/link-queue.ts';
import type { Link, Running } from '../link/link.ts';
import { createSignals } from '../link/signals.ts';
import { forbidden, type SchemaConditions, unwatched } from './conditions.ts';
import { type CrdKeeper, createCrdKeeper, type Kept } from './keep-crd.ts';
import { byRightTo, outdone } from './rivals.ts';
import { runExportStatus } from './run-export-status.ts';
import { watchCrds } from './watch-crds.ts';
import { createWatchRenewal } from './watch-renewal.ts';

export interface SchemaOptions {
  readonly link: Link;
  readonly bindings: BindingsOfLink;
  readonly board: BindingBoard;
  readonly signal: AbortSignal;
  /** Where the bindings live. Default `app`. */
  readonly bindingsIn?: 'app' | 'control-plane';
}

/** An API and the schema in which it is served. */
export interface ServedApi extends BoundApi {
  /** Changes when watches of the API have to begin anew, on both sides. */
  readonly schema: string;
}

/** The APIs of a link that are bound and served in the app cluster. */
export interface BoundApis {
  /** By name, `<plural>.<group>`. A map does not change; a change brings another one. */
  apis(): ReadonlyMap<string, ServedApi>;
  /** Tells of every change of them; call the result to end it. */
  subscribe(changed: () => void): () => void;
}

/**
 * Keeps the CRDs of bound APIs in the app cluster equal to their exports, and tells which APIs can be synchronised.
 * Reports `Connected`, `SchemaInSync` and `SchemaCompatible` on bindings, and the state of the app cluster on exports.
 */
export function runSchema(options: SchemaOptions): Running & BoundApis {
  const { link, bindings, board, signal, bindingsIn = 'app' } = options;
  let apis: ReadonlyMap<string, ServedApi> = new Map();
  const changes = createSignals();
  const exports = link.controlPlane.informers.acquire({
    type: APIServiceExports,
    namespace: link.tenant.clusterNamespace,
  });
  const crds = watchCrds(link.app.informers, (name) => controller.enqueue(name));
  const keeper = createCrdKeeper(link, bindings, bindingsIn);
  const renewal = createWatchRenewal(link.clock);
  const exportStatus = runExportStatus(link, exports.informer, signal);

  const controller: Controller = runController({
    name: 'schema',
    sources: [informerSource(exports.informer, ({ metadata }) => [metadata.name ?? '']), bindingNames(bindings)],
    workers: 4,
    queue: createLinkQueue(link, { name: 'schema', backoff: { baseMs: 20, capMs: 60_000 } }),
    reconcile,
    signal,
    log: link.log,
    metrics: link.metrics.controller,
    clock: link.clock,
  });

  async function reconcile(name: string, context: ReconcileContext): Promise<ReconcileResult | void> {
    const rivals = bindings.list().filter(({ metadata }) => metadata.name === name);
    if (rivals.length === 0) return forget(name);
    const informer = crds.follow(name);
    const unreadable = isKubeError(informer.problem, 'KUBE_FORBIDDEN') ? informer.problem : undefined;
    if (!informer.hasSynced) {
      if (unreadable) for (const rival of rivals) report(rival, forbidden(name, unreadable));
      // Its first look at the CRD brings the key back; that it is refused one, nothing tells.
      return { requeueAfter: lookAgainMs };
    }
    const [binding, ...others] = byRightTo(informer.cache.get({ name }), rivals);
    if (binding === undefined) return;
    const apiExport = exports.informer.cache.get({ name, namespace: link.tenant.clusterNamespace });
    const kept = await keep({ binding, apiExport, informer }, context);
    if (kept === undefined) return { requeueAfter: lookAgainMs };
    report(binding, unreadable ? { ...kept.conditions, SchemaInSync: unwatched(name, unreadable) } : kept.conditions);
    for (const other of others) report(other, outdone(binding));
    const watches = kept.crd && renewal.of(name, kept.crd);
    publish(name, kept.api && watches && { ...kept.api, schema: watches.token });
    exportStatus.consumer(name, kept);
    return { requeueAfter: Math.max(1, Math.min(kept.retryAfterMs ?? lookAgainMs, watches?.nextMs ?? lookAgainMs)) };
  }

  /** Undefined when the CRD may not be looked at. */
  async function keep(known: Parameters<CrdKeeper['keep']>[0], context: ReconcileContext): Promise<Kept | undefined> {
    try {
      return await keeper.keep(known, context);
    } catch (error) {
      if (!isKubeError(error, 'KUBE_FORBIDDEN')) throw error;
      report(known.binding, forbidden(known.binding.metadata.name ?? '', error));
      return undefined;
    }
  }

  function report(binding: APIServiceBinding, conditions: SchemaConditions): void {
    const ref = refOfBinding(binding);
    for (const [type, state] of Object.entries(conditions)) {
      if (state) board.report(ref, state);
      else board.withdraw(ref, type);
    }
  }

  function publish(name: string, api: ServedApi | undefined): void {
    if (isDeepStrictEqual(apis.get(name), api)) return;
    const others = [...apis].filter(([other]) => other !== name);
    apis = new Map(api ? [...others, [name, api]] : others);
    changes.tell();
  }

  function forget(name: string): void {
    crds.leave(name);
    keeper.forget(name);
    renewal.forget(name);
    publish(name, undefined);
    exportStatus.consumer(name, undefined);
  }

  async function untilStopped(): Promise<void> {
    try {
      await Promise.all([controller.stopped, exportStatus.stopped]);
    } finally {
      crds.close();
      exports.release();
    }
  }

  const ready = Promise.all([controller.ready, exportStatus.ready]).then(() => {});
  // Whoever awaits only `stopped` learns of a failed start there.
  ready.catch(() => {});
  return { ready, stopped: untilStopped(), apis: () => apis, subscribe: changes.subscribe };
}

/** Names of the link's bindings that came, went, or changed in what a CRD depends on. */
function bindingNames(bindings: BindingsOfLink): Source {
  return {
    start: async (enqueue, signal) => {
      let known = new Map<string, string>();
      const look = () => {
        const present = fingerprints(bindings.list());
        for (const name of new Set([...known.keys(), ...present.keys()])) {
          if (known.get(name) !== present.get(name)) enqueue(name);
        }
        known = present;
      };
      const unsubscribe = bindings.subscribe(look);
      onAbort(signal, unsubscribe);
      look();
    },
  };
}

function fingerprints(bindings: readonly APIServiceBinding[]): Map<string, string> {
  const prints = new Map<string, string>();
  for (const { metadata } of bindings) {
    const { name = '', namespace, uid, annotations } = metadata;
    prints.set(name, `${prints.get(name) ?? ''}${JSON.stringify([namespace, uid, annotations])}`);
  }
  return prints;
}

/** Milliseconds between two looks: that a watch is refused, or no longer, nothing tells. */
const lookAgainMs = 5_000;
