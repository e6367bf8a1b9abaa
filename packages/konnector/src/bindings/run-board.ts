import { type APIServiceBinding, type ConditionState, isSameState } from '@klutch/api';
import {
  type Clock,
  type Controller,
  type ControllerMetrics,
  type Informer,
  informerSource,
  isKubeError,
  keyOf,
  type Logger,
  type QueueMetrics,
  type ResourceClient,
  runController,
} from '@klutch/kube';
import type { Running } from '../link/link.ts';
import type { BindingBoard, BindingRef } from './binding-board.ts';
import { statusPatch } from './merge-status.ts';

export interface BoardOptions {
  readonly informer: Informer<APIServiceBinding>;
  /** Writes the status of bindings. */
  readonly client: ResourceClient<APIServiceBinding>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log?: Logger;
  readonly metrics?: ControllerMetrics & QueueMetrics;
  /** A write was sent. */
  readonly wrote?: () => void;
}

/** Starts the one writer of the status of bindings. Reports made before it is ready are kept. */
export function runBoard(options: BoardOptions): BindingBoard & Running {
  const { informer, client, clock, signal, log, metrics, wrote } = options;
  /** By UID: what is said of a binding must not reach another of the same name. */
  const reports = new Map<string, BindingReports>();

  const controller: Controller = runController({
    name: 'binding-status',
    sources: [informerSource(informer)],
    workers: 4,
    backoff: { baseMs: 20, capMs: 5_000 },
    reconcile,
    signal,
    log,
    metrics,
    clock,
  });

  async function reconcile(key: string, context: { readonly signal: AbortSignal }): Promise<void> {
    const binding = informer.cache.getByKey(key);
    if (!binding) return forget(key);
    const uid = binding.metadata.uid ?? '';
    forget(key, uid);
    const said = reports.get(uid);
    const status = said && statusPatch(binding.status, said, clock.date());
    if (!said || !status) return;
    const { resourceVersion } = binding.metadata;
    try {
      wrote?.();
      const answer = await client.patch(
        said.ref,
        { type: 'merge', patch: { metadata: { uid, resourceVersion }, status } },
        { subresource: 'status', signal: context.signal },
      );
      informer.learn(answer);
    } catch (error) {
      // Gone, or another one by now; the watch tells which.
      if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
    }
  }

  /** Drops what was said of bindings under that key, but not of the one that is there now. */
  function forget(key: string, present?: string): void {
    for (const [uid, { ref }] of reports) {
      if (keyOf(ref) === key && uid !== present) reports.delete(uid);
    }
  }

  function of(binding: BindingRef): BindingReports {
    let found = reports.get(binding.uid);
    if (!found) {
      found = { ref: binding, conditions: new Map() };
      reports.set(binding.uid, found);
    }
    return found;
  }

  function note(binding: BindingRef): void {
    // Parts report several things at a time; a moment's wait makes one write of them.
    controller.enqueue(keyOf(binding), { afterMs: 10 });
  }

  return {
    ready: controller.ready,
    stopped: controller.stopped,
    report: (binding, state) => {
      const { conditions } = of(binding);
      const before = conditions.get(state.type);
      if (before && isSameState(before, state)) return;
      conditions.set(state.type, state);
      note(binding);
    },
    withdraw: (binding, type) => {
      const { conditions } = of(binding);
      if (conditions.get(type) === null) return;
      conditions.set(type, null);
      note(binding);
    },
    reportProvider: (binding, prettyName) => {
      const said = of(binding);
      const wanted = prettyName ?? null;
      if (said.prettyName === wanted) return;
      said.prettyName = wanted;
      note(binding);
    },
  };
}

interface BindingReports {
  readonly ref: BindingRef;
  readonly conditions: Map<string, ConditionState | null>;
  prettyName?: string | null;
}
