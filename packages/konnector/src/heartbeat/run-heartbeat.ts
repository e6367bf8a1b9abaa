import { type ClusterBinding, controlPlane as names } from '@klutch/api';
import {
  informerSource,
  isKubeError,
  type ObjectRef,
  onAbort,
  type ReconcileContext,
  type ReconcileResult,
  runController,
  type Secret,
  Secrets,
  type Source,
} from '@klutch/kube';
import { watchSecrets } from '../bindings/watch-secrets.ts';
import type { Cluster, Link, Running } from '../link/link.ts';
import { createLinkQueue } from '../link/link-queue.ts';
import { type ClusterBindingStatus, theClusterBinding } from './cluster-binding-status.ts';
import { decide, konnectorVersion, type SecretContent } from './decide.ts';
import type { Beat } from './heartbeating.ts';

/** Where the kubeconfig of a control plane is kept for use. */
export interface KubeconfigConsumer {
  readonly cluster: Cluster;
  readonly secret: ObjectRef;
  /** Whether some binding names the Secret; one that nobody uses was deleted on purpose. */
  readonly isUsed: () => boolean;
}

export interface HeartbeatOptions {
  readonly link: Link;
  /** Where the kubeconfig of the control plane is kept for use; undefined: nobody carries kubeconfigs over. */
  readonly consumer?: KubeconfigConsumer;
  /** Version of this konnector. */
  readonly version: string;
  readonly intervalMs: number;
  /** Told how each heartbeat went. */
  readonly beat: (beat: Beat) => void;
  /** Told the display name of the provider. */
  readonly provider: (prettyName: string | undefined) => void;
  readonly status: ClusterBindingStatus;
  readonly signal: AbortSignal;
}

/** Gives the control plane signs of life, and takes new kubeconfigs from it. */
export function runHeartbeat(options: HeartbeatOptions): Running {
  const { link, consumer, intervalMs, beat, provider, signal } = options;
  const { client, informers } = link.controlPlane;
  const namespace = link.tenant.clusterNamespace;
  const ref = { namespace, name: names.clusterBinding };
  const version = konnectorVersion(options.version);
  const share = informers.acquire(theClusterBinding(namespace));
  const { informer } = share;
  /** When the last heartbeat of this process arrived, on a clock that never jumps. */
  let arrivedAt: number | undefined;
  /** Twice as often as promised, so that one that gets lost does no harm. */
  const everyMs = intervalMs / 2;
  /** Who has rotated a credential waits for a sign that the new one is in use. */
  let isAwaited = false;

  const secretsSource: Source = {
    start: async (enqueue, until) => {
      look = () => enqueue(theKey);
      const unsubscribe = link.onRecovered?.(() => {
        isAwaited = true;
        look();
      });
      if (unsubscribe) onAbort(until, unsubscribe);
      if (consumer) await consumerSecrets?.follow(consumer.secret).synced;
    },
  };
  let look = () => {};
  const offers = watchSecrets(informers, () => look());
  const consumerSecrets = consumer && watchSecrets(consumer.cluster.informers, () => look());
  const controller = runController({
    name: 'heartbeat',
    sources: [informerSource(informer, () => [theKey]), secretsSource, { start: async (enqueue) => enqueue(theKey) }],
    queue: createLinkQueue(link, { name: 'heartbeat', backoff: { baseMs: 100, capMs: 5_000 } }),
    timeoutMs: 30_000,
    reconcile,
    signal,
    log: link.log,
    metrics: link.metrics.controller,
    clock: link.clock,
  });

  async function reconcile(_key: string, context: ReconcileContext): Promise<ReconcileResult | void> {
    const clusterBinding = informer.cache.get(ref);
    provider(clusterBinding?.spec.providerPrettyName);
    if (!clusterBinding) {
      const problem = `The control plane has no ClusterBinding ${namespace}/${names.clusterBinding}. Bind again.`;
      return beat({ is: 'nobody-there', problem });
    }
    const offered = offeredSecret(clusterBinding);
    if (offered === 'unknown') return { requeueAfter: unreadMs };
    const wasAwaited = isAwaited;
    isAwaited = false;
    const isDue = wasAwaited || arrivedAt === undefined || link.clock.now() - arrivedAt >= everyMs;
    const decideOn = (present: ClusterBinding) =>
      decide({
        clusterBinding: present,
        offered,
        used: consumer && consumerSecrets?.follow(consumer.secret).cache.get(consumer.secret),
        version,
        carriesSecret: consumer !== undefined,
        intervalMs,
        isDue,
        now: link.clock.date(),
      });
    let decision = decideOn(clusterBinding);
    try {
      const isCarried = decision.secret === undefined || (await carry(decision.secret, offered, context.signal));
      if (!isCarried) {
        isAwaited ||= wasAwaited;
        return { requeueAfter: unreadMs };
      }
      const sentAt = link.clock.now();
      if (decision.status) {
        await options.status.update((present) => {
          decision = decideOn(present);
          return decision.status;
        }, context.signal);
      }
      if (wasAwaited && decision.status?.lastHeartbeatTime === undefined) {
        isAwaited = true;
        return { requeueAfter: nextSecondMs(link.clock.date()) };
      }
      if (isDue) arrivedAt = sentAt;
    } catch (error) {
      isAwaited ||= wasAwaited;
      // A conflict says that the cache was a moment behind; only one that lasts is worth a word.
      if (!isKubeError(error, 'KUBE_CONFLICT') || context.attempt > 3) {
        beat({ is: 'failed', problem: isKubeError(error) ? error.message : 'The heartbeat failed; the log says why.' });
      }
      throw error;
    }
    beat({ is: 'arrived' });
    return { requeueAfter: Math.max(1, (arrivedAt ?? 0) + everyMs - link.clock.now()) };
  }

  /** The Secret that the ClusterBinding names. */
  function offeredSecret(clusterBinding: ClusterBinding): Secret | undefined | 'unknown' {
    if (!consumer) return undefined;
    const secret = { namespace, name: clusterBinding.spec.kubeconfigSecretRef.name };
    offers.keepOnly(new Set([`${namespace}/${secret.name}`]));
    const offer = offers.follow(secret);
    if (offer.hasSynced) return offer.cache.get(secret);
    if (offer.problem) beat({ is: 'failed', problem: offer.problem.message });
    return 'unknown';
  }

  /**
   * Whether the control plane still offers this. The watch may have stopped with the credential before, and its cache would bring
   * that credential back over the one that has replaced it.
   */
  async function isCurrent(offered: Secret | undefined, until: AbortSignal): Promise<boolean> {
    const live = await client
      .resource(Secrets)
      .find({ namespace, name: offered?.metadata.name ?? '' }, { signal: until });
    return live !== undefined && live.metadata.resourceVersion === offered?.metadata.resourceVersion;
  }

  /**
   * Writes what the control plane offers to the app cluster; false when it offers something else by now. The Secret is read before the
   * control plane is asked: who rotates writes there after the new credential is offered, so that either the offer is seen to be
   * outdated, or the write conflicts. Whether it is used is asked after that: who unbinds deletes the Secret when the binding is gone.
   */
  async function carry(
    { type, data }: SecretContent,
    offered: Secret | undefined,
    until: AbortSignal,
  ): Promise<boolean> {
    if (!consumer) return true;
    const { cluster, secret } = consumer;
    const secrets = cluster.client.resource(Secrets);
    const existing = await secrets.find(secret, { signal: until });
    if (!consumer.isUsed()) return true;
    if (!(await isCurrent(offered, until))) return false;
    if (!existing) {
      link.metrics.wrote('app', 'heartbeat', 'create');
      await secrets.create(
        { apiVersion: 'v1', kind: 'Secret', metadata: { ...secret }, type, data },
        { signal: until },
      );
      return true;
    }
    const { uid, resourceVersion } = existing.metadata;
    const gone = Object.keys(existing.data ?? {}).filter((key) => !(key in data));
    const patch = {
      metadata: { uid, resourceVersion },
      data: { ...data, ...Object.fromEntries(gone.map((key) => [key, null])) },
    };
    link.metrics.wrote('app', 'heartbeat', 'patch');
    await secrets.patch(secret, { type: 'merge', patch }, { signal: until });
    link.log.info({ secret: `${secret.namespace}/${secret.name}` }, 'kubeconfig of the control plane carried over');
    return true;
  }

  return { ready: controller.ready, stopped: ended() };

  async function ended(): Promise<void> {
    try {
      await controller.stopped;
    } finally {
      share.release();
      offers.keepOnly(new Set());
      consumerSecrets?.keepOnly(new Set());
    }
  }
}

const theKey = 'cluster';
/** Its watch tells when the Secret is there; that it cannot be watched, nobody tells. */
const unreadMs = 2_000;

function nextSecondMs(time: Date): number {
  return 1000 - time.getUTCMilliseconds();
}
