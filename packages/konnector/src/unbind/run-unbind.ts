import { type APIServiceBinding, type CustomResourceDefinition, CustomResourceDefinitions } from '@klutch/api';
import {
  type Clock,
  type Controller,
  type KubeObject,
  type Logger,
  onAbort,
  type ReconcileContext,
  type ReconcileResult,
  type ResourceType,
  runController,
  type Source,
} from '@klutch/kube';
import type { BindingBoard } from '../bindings/binding-board.ts';
import { refOfBinding } from '../bindings/binding-ref.ts';
import type { Cluster, Running } from '../link/link.ts';
import { systemNamespace, whenIdentified } from '../process/app-cluster-id.ts';
import type { KonnectorMetrics } from '../process/metrics.ts';
import { clearBinding } from './clear-binding.ts';
import { objectsLeft } from './objects-left.ts';
import { farewell, isToBeCleared, ownerWithin } from './decide.ts';
import { typeOf } from './objects-of.ts';
import { releaseObjects } from './release-objects.ts';
import { sweep } from './sweep.ts';

export interface UnbindOptions {
  /** The cluster with the bindings. */
  readonly bindings: Cluster;
  readonly bindingType: ResourceType<APIServiceBinding>;
  /** Namespace of the bindings; undefined: all. */
  readonly bindingNamespace: string | undefined;
  /** Where bindings are told that they wait for objects. */
  readonly board: BindingBoard;
  readonly app: Cluster;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: KonnectorMetrics;
  readonly signal: AbortSignal;
  /** Resolves when nothing synchronises the objects of the binding with that UID any more, and so nothing holds them again. */
  readonly unitsEnded: (binding: string) => Promise<void>;
}

/**
 * Cleans up after bindings, whether they went a moment ago or while no konnector ran: frees the objects of the API, then
 * releases or removes the CRD as the binding said. Needs no control plane. Does nothing twice, and can be cut off
 * anywhere: as long as the CRD names a binding that is gone, there is work left.
 */
export function runUnbind(options: UnbindOptions): Running {
  const { bindings, bindingType, bindingNamespace, board, app, clock, log, metrics, unitsEnded, signal } = options;
  const { informer, release: releaseShare } = bindings.informers.acquire({
    type: bindingType,
    namespace: bindingNamespace,
  });
  const crds = app.client.resource(CustomResourceDefinitions);
  const bindingClient = bindings.client.resource(bindingType);
  const landmark = bindings === app ? systemNamespace : (bindingNamespace ?? systemNamespace);
  const identified = whenIdentified(bindings.client, clock, signal, landmark);
  let sweeping: Promise<void> = Promise.resolve();
  const wrote = (verb: string) => metrics.wrote('app', 'unbind', verb);

  const names: Source = {
    start: async (enqueue, until) => {
      const unsubscribe = informer.subscribe(({ object }) => enqueue(object.metadata.name ?? ''));
      onAbort(until, unsubscribe);
      await informer.synced;
      // Bindings that went while nobody looked are found by what they left behind.
      sweeping = sweep({
        crds,
        isLeftOver: async (crd) => isLeftOver(crd, (await identified) ?? ''),
        found: (name) => enqueue(name),
        clock,
        log,
        signal: until,
      });
    },
  };
  const controller: Controller = runController({
    name: 'unbind',
    sources: [names],
    workers: 2,
    backoff: { baseMs: 100, capMs: 60_000 },
    reconcile,
    signal,
    log,
    metrics: metrics.controller,
    clock,
  });

  async function reconcile(name: string, context: ReconcileContext): Promise<ReconcileResult | void> {
    const present = bindingsNamed(name);
    // Every change of a binding comes by here; an ordinary one costs nothing.
    if (present.length > 0 && !present.some(isToBeCleared)) return;
    const crd = await crds.find({ name }, { signal: context.signal });
    for (const binding of present) {
      const clear = { app: app.client, bindings: bindingClient, signal: context.signal, wrote };
      const left = await clearBinding(binding, crd, clear);
      if (left.count === 0) continue;
      board.report(refOfBinding(binding), objectsLeft(name, left));
      return { requeueAfter: clearingMs };
    }
    const home = await identified;
    const owner = crd && home && ownerWithin(crd, { home, namespace: bindingNamespace });
    if (crd && owner && (await isGone(name, owner, context.signal))) return await sayFarewell(crd, owner, context);
  }

  async function sayFarewell(
    crd: CustomResourceDefinition,
    owner: string,
    { signal: until }: ReconcileContext,
  ): Promise<ReconcileResult | void> {
    const name = crd.metadata.name ?? '';
    await unitsEnded(owner);
    const type = typeOf(crd);
    const released = type
      ? await releaseObjects(app.client.resource(type), { signal: until, wrote: () => wrote('patch') })
      : 0;
    if (released > 0) log.info({ crd: name, objects: released }, 'objects of an unbound API released');
    // Its objects were let go; the rest is up to their owners.
    if (crd.metadata.deletionTimestamp !== undefined) return { requeueAfter: lookAgainMs };
    const last = farewell(crd);
    wrote(last.type === 'release' ? 'replace' : 'delete');
    if (last.type === 'release') await crds.replace(last.crd, { signal: until });
    else await crds.delete({ name }, { preconditions: { uid: crd.metadata.uid }, signal: until });
    log.info({ crd: name, action: last.type }, 'CRD of an unbound API let go');
    return { requeueAfter: lookAgainMs };
  }

  /** Not in the cache, and not on the server either, which is asked because much hangs on it. */
  async function isGone(name: string, uid: string, until: AbortSignal): Promise<boolean> {
    if (bindingsNamed(name).some(({ metadata }) => metadata.uid === uid)) return false;
    const { items } = await bindingClient.list({
      namespace: bindingNamespace,
      fieldSelector: `metadata.name=${name}`,
      signal: until,
    });
    return items.every(({ metadata }) => metadata.uid !== uid);
  }

  function isLeftOver(crd: KubeObject, home: string): boolean {
    const owner = ownerWithin(crd, { home, namespace: bindingNamespace });
    return (
      owner !== undefined && bindingsNamed(crd.metadata.name ?? '').every(({ metadata }) => metadata.uid !== owner)
    );
  }

  function bindingsNamed(name: string): readonly APIServiceBinding[] {
    return [...informer.cache.values()].filter(({ metadata }) => metadata.name === name);
  }

  async function untilStopped(): Promise<void> {
    try {
      await controller.stopped;
    } finally {
      await sweeping;
      releaseShare();
    }
  }

  return { ready: controller.ready, stopped: untilStopped() };
}

const clearingMs = 1_000;
const lookAgainMs = 2_000;
