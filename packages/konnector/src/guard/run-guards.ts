import { type APIServiceBinding, CustomResourceDefinitions, finalizers, labels } from '@klutch/api';
import {
  type Clock,
  type Informer,
  informerSource,
  isKubeError,
  type KubeObject,
  type Logger,
  pause,
  type ReconcileContext,
  type ReconcileResult,
  type ResourceType,
  runController,
} from '@klutch/kube';
import type { Cluster } from '../link/link.ts';
import type { KonnectorMetrics } from '../process/metrics.ts';
import { ownerWithin } from '../unbind/decide.ts';
import { type Decision, decide } from './decide.ts';
import { guardTypes } from './guard-types.ts';

export interface GuardsOptions {
  readonly app: Cluster;
  /** Of the bindings. */
  readonly informer: Informer<APIServiceBinding>;
  /** Namespace of the bindings; undefined: all. */
  readonly bindingNamespace: string | undefined;
  /** UID of the app cluster; undefined when the konnector stops before it is known. */
  readonly identified: Promise<string | undefined>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: KonnectorMetrics;
  readonly signal: AbortSignal;
}

/**
 * Lets the guards of bundles go when everything that was bound has ended; see decision record 22. Resolves when the signal
 * aborts. Where this konnector may not read admission policies, there is no guard that it has to let go.
 */
export async function runGuards(options: GuardsOptions): Promise<void> {
  if (await whenReadable(options)) await releaseGuards(options);
}

/** Rights for guards come with a bundle, which may be applied at any time. False when the signal aborts before. */
async function whenReadable({ app, clock, signal }: GuardsOptions): Promise<boolean> {
  while (!signal.aborted) {
    try {
      for (const type of guardTypes) {
        await app.client.resource(type).list({ labelSelector: labels.enrolment, limit: 1, signal });
      }
      return true;
    } catch (error) {
      if (!isKubeError(error)) throw error;
    }
    await pause(clock, unreadableMs, signal);
  }
  return false;
}

/** A guard is a policy and its binding, which have the same name. */
async function releaseGuards(options: GuardsOptions): Promise<void> {
  const { app, informer: bindings, clock, log, metrics, signal } = options;
  const parts = guardTypes.map((type) => ({
    type,
    ...app.informers.acquire({ type, labelSelector: labels.enrolment, metadataOnly: true }),
  }));
  const controller = runController({
    name: 'guard',
    sources: [...parts.map(({ informer }) => informerSource(informer)), { start: () => bindings.synced }],
    backoff: { baseMs: 500, capMs: 30_000 },
    reconcile,
    signal,
    log,
    metrics: metrics.controller,
    clock,
  });
  try {
    await controller.stopped;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    for (const { release } of parts) release();
  }

  async function reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | void> {
    const found = parts.flatMap(({ type, informer }) => {
      const guard = informer.cache.getByKey(key);
      return guard ? [{ type, guard }] : [];
    });
    const decided = await Promise.all(
      found.map(async ({ type, guard }) => ({ type, guard, decision: await decideOn(guard, context.signal) })),
    );
    // All at once: without one of them nothing protects the rights that are needed to let the other go.
    const released = decided.filter(({ decision }) => decision === 'release');
    await Promise.all(released.map(({ type, guard }) => release(type, guard, context.signal)));
    if (decided.some(({ decision }) => decision === 'wait')) return { requeueAfter: waitMs };
  }

  function decideOn(guard: KubeObject, until: AbortSignal): Promise<Decision> {
    return decide({
      guard,
      bindings: [...bindings.cache.values()],
      hasLeftovers: () => hasLeftovers(options, until),
    });
  }

  async function release(type: ResourceType<KubeObject>, { metadata }: KubeObject, until: AbortSignal): Promise<void> {
    const { name = '', uid, resourceVersion } = metadata;
    const others = (metadata.finalizers ?? []).filter((one) => one !== finalizers.guard);
    const patch = { metadata: { uid, resourceVersion, finalizers: others.length > 0 ? others : null } };
    metrics.wrote('app', 'guard', 'patch');
    try {
      await app.client.resource(type).patch({ name }, { type: 'merge', patch }, { signal: until });
      log.info({ guard: name, kind: type.kind }, 'everything has ended, the guard is released');
    } catch (error) {
      if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
    }
  }
}

/** Whether a CRD still names a binding that is gone: its objects are not freed, or it is not released or deleted yet. */
async function hasLeftovers(
  { app, informer, bindingNamespace, identified }: GuardsOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const home = await identified;
  if (home === undefined) return true;
  const present = new Set([...informer.cache.values()].map(({ metadata }) => metadata.uid));
  const crds = app.client.resource(CustomResourceDefinitions);
  for await (const { items } of crds.pages({ metadataOnly: true, signal })) {
    for (const crd of items) {
      const owner = ownerWithin(crd, { home, namespace: bindingNamespace });
      if (owner !== undefined && !present.has(owner)) return true;
    }
  }
  return false;
}

const unreadableMs = 60_000;
const waitMs = 1_000;
