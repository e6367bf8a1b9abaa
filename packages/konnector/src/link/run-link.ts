import {
  type APIServiceBinding,
  annotations,
  APIServiceBindingReason,
  type ConditionState,
  ConditionType,
  falseCondition,
  trueCondition,
} from '@klutch/api';
import { isKubeError, onAbort, scope, unlessAborted } from '@klutch/kube';
import type { BindingBoard, BindingRef } from '../bindings/binding-board.ts';
import { refOfBinding } from '../bindings/binding-ref.ts';
import type { BindingsOfLink } from '../bindings/bindings-of-link.ts';
import type { Beat } from '../heartbeat/heartbeating.ts';
import { runClaimRecord } from '../claims/run-claim-record.ts';
import type { ClusterBindingStatus } from '../heartbeat/cluster-binding-status.ts';
import { type KubeconfigConsumer, runHeartbeat } from '../heartbeat/run-heartbeat.ts';
import type { BoundApi } from '../instances/bound-api.ts';
import type { MetadataRules } from '../instances/metadata-rules.ts';
import type { Link } from './link.ts';
import type { Parts } from './parts.ts';
import { runUnits } from './run-units.ts';
import { planUnits } from './supervise.ts';

export interface LinkOptions {
  readonly link: Link;
  readonly bindings: BindingsOfLink;
  readonly board: BindingBoard;
  readonly parts: Parts;
  readonly metadata: MetadataRules;
  /** Where the bindings live. */
  readonly bindingsIn: 'app' | 'control-plane';
  readonly version: string;
  readonly heartbeatMs: number;
  /** Where the kubeconfig of the control plane is kept; undefined when it does not travel. */
  readonly consumer?: KubeconfigConsumer;
  readonly clusterBinding: ClusterBindingStatus;
  /** Resolves when the histories of both clusters can be judged; never rejects. */
  readonly judged: Promise<void>;
  readonly beat: (beat: Beat) => void;
  /** Told what bindings have to say under `InformersSynced`. */
  readonly synced: (state: ConditionState) => void;
  readonly signal: AbortSignal;
}

/** Does all the work of a link until the signal aborts; resolves when nothing of it is left. */
export async function runLink(options: LinkOptions): Promise<void> {
  const { link, bindings, board, parts, metadata, beat } = options;
  if (options.signal.aborted) return;
  // One part that fails takes the others along: a link works as a whole or not at all.
  const life = scope(options.signal);
  const { signal } = life;
  let provider: { readonly prettyName: string | undefined } | undefined;
  let hasSeen = false;
  let running: ReadonlyMap<string, BoundApi> = new Map();
  const foreign = new Set<string>();
  const heartbeat = runHeartbeat({
    link,
    consumer: options.consumer,
    version: options.version,
    intervalMs: options.heartbeatMs,
    beat,
    provider: (prettyName) => {
      provider = { prettyName };
      reportProvider();
    },
    status: options.clusterBinding,
    signal,
  });
  const schema = parts.runSchema({
    link,
    bindings,
    bindingsIn: options.bindingsIn,
    board: { ...board, report: reportOfSchema },
    signal,
  });
  const namespaces = parts.runNamespaces({
    link,
    stillUsed: (serviceNamespace) => units.mayUse(serviceNamespace),
    mayTakeOverFrom: (cluster) => bindings.list().some((binding) => takesOverFrom(binding, cluster)),
    signal,
  });
  const units = runUnits({ link, parts, namespaces: namespaces.map, board, metadata, signal });

  const cancelTimeout = link.clock.after(syncTimeoutMs, () => {
    if (!hasSeen)
      options.synced(notSynced('The control plane answers, but what it exports could not be read in time.'));
  });
  const unsubscribe = [bindings.subscribe(reportProvider), bindings.subscribe(plan), schema.subscribe(plan)];
  onAbort(signal, () => {
    cancelTimeout();
    for (const end of unsubscribe) end();
  });
  for (const part of [heartbeat, schema, namespaces, units]) void life.run(() => part.stopped);
  void life.run(whenSeen);
  try {
    await life.ended;
  } catch (error) {
    link.log.error({ err: error }, 'a part of the link failed, the link begins anew');
  }

  /** Units begin when it is known what is there, and what it is worth that something is not. Ends with the link. */
  async function whenSeen(): Promise<void> {
    try {
      await unlessAborted(Promise.all([heartbeat.ready, schema.ready, namespaces.ready, options.judged]), signal);
    } catch (error) {
      if (signal.aborted || isKubeError(error, 'KUBE_ABORTED')) return;
      throw error;
    }
    hasSeen = true;
    options.synced(trueCondition(ConditionType.InformersSynced));
    plan();
    await runClaimRecord({ link, bindings, bindingsIn: options.bindingsIn, namespaces: namespaces.map, signal })
      .stopped;
  }

  /** What the schema says of a CRD decides whether its objects may still be touched. */
  function reportOfSchema(binding: BindingRef, state: ConditionState): void {
    board.report(binding, state);
    if (state.type !== ConditionType.Connected) return;
    const isForeign = state.reason === APIServiceBindingReason.ForeignCustomResourceDefinition;
    if (isForeign === foreign.has(binding.uid)) return;
    if (isForeign) foreign.add(binding.uid);
    else foreign.delete(binding.uid);
    plan();
  }

  function plan(): void {
    if (!hasSeen || signal.aborted) return;
    const all = bindings.list();
    for (const uid of foreign) if (!all.some(({ metadata }) => metadata.uid === uid)) foreign.delete(uid);
    const next = planUnits({ bindings: all, apis: schema.apis(), running, foreign });
    running = next.instances;
    units.follow(next);
  }

  function reportProvider(): void {
    if (signal.aborted || !provider) return;
    for (const binding of bindings.list()) board.reportProvider(refOfBinding(binding), provider.prettyName);
  }
}

/** What a binding says when the control plane could not be read. */
export function notSynced(message: string): ConditionState {
  return falseCondition(ConditionType.InformersSynced, 'Error', APIServiceBindingReason.InformerSyncTimeout, message);
}

const syncTimeoutMs = 30_000;

function takesOverFrom({ metadata }: APIServiceBinding, cluster: string): boolean {
  return metadata.annotations?.[annotations.takeOverFrom] === cluster;
}
