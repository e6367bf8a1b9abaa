import { annotations, type ClusterBinding, ClusterBindings, controlPlane as names, labels } from '@klutch/api';
import {
  type Controller,
  informerSource,
  isKubeError,
  type KubeObject,
  type Namespace,
  Namespaces,
  onAbort,
  type ReconcileContext,
  type ReconcileResult,
  runController,
  Secrets,
  type Source,
} from '@klutch/kube';
import { actors, type Audit, type AuditAction } from '../audit/audit.ts';
import { writeConditions } from '../clusterbindings/conditions.ts';
import { excusing } from '../objects/excusing.ts';
import { releasing } from '../objects/releasing.ts';
import { ServiceAccounts } from '../objects/service-account.ts';
import type { ControllerDeps } from '../process/controller-deps.ts';
import type { CredentialOptions, ExternalAddress } from '../process/options.ts';
import { accessEnd, isClusterNamespace } from '../tenants/cluster-namespace.ts';
import { accessChange } from './access-change.ts';
import { type Decision, decide, renewalFailed, type Seen } from './decide.ts';
import { type IssueDeps, offerCredential } from './issue.ts';
import { kubeconfigOf } from './kubeconfig.ts';
import { clustersOf, purge } from './purge.ts';
import { judgeSilence, type Silence } from './silence.ts';
import { judgeStanding } from './standing.ts';
import { offeredText, type Place, readStock } from './stock.ts';

export interface CredentialDeps extends ControllerDeps {
  readonly audit: Audit;
  readonly options: { readonly external: ExternalAddress; readonly credentials: CredentialOptions };
}

const byCluster = 'cluster namespace';

/** Who binds issues the first credential within moments; there is no need to do so at the same time. */
const courtesyMs = 2_000;

/**
 * Secrets are not watched, since that would take the right to read all of them. What issues a credential
 * notes it on the namespace; what somebody else does to them is found by looking now and then.
 */
const slowLookMs = 5 * 60_000;

/** How often the end of namespaces is looked for, besides being told of it. */
const purgeMs = 5_000;

/** Renews the credentials of app clusters, ends those that were replaced, and ends all when access is revoked. For the leader. */
export function runCredentials(deps: CredentialDeps): Controller {
  const { client, informers, options, rights, clock } = deps;
  const lifetimeMs = options.credentials.lifetimeSeconds * 1000;
  const graceMs = options.credentials.graceSeconds * 1000;
  const expiryMs = options.credentials.expirySeconds * 1000;
  const issueDeps: IssueDeps = { client, clock, ...options };
  const bindings = informers.acquire({ type: ClusterBindings });
  const namespaces = informers.acquire({
    type: Namespaces,
    metadataOnly: true,
    indexes: { [byCluster]: clustersOf },
  });
  const accounts = informers.acquire({
    type: ServiceAccounts,
    fieldSelector: `metadata.name=${names.binder}`,
    metadataOnly: true,
  });

  const controller = runController({
    name: 'credential',
    sources: [
      informerSource(namespaces.informer, (one) =>
        isClusterNamespace(one) ? [one.metadata.name ?? ''] : clustersOf(one),
      ),
      bindingSource(),
      courteously(informerSource(accounts.informer, inNamespace)),
    ],
    workers: 4,
    timeoutMs: 60_000,
    reconcile,
    signal: deps.signal,
    log: deps.log,
    metrics: deps.metrics,
    clock,
  });
  return releasing(controller, bindings, namespaces, accounts);

  /** Heartbeats are no reason to look, except those of an app cluster that is believed silent. */
  function bindingSource(): Source {
    return {
      start: async (enqueue, signal) => {
        const end = bindings.informer.subscribe((change) => {
          const isStatus =
            change.type === 'updated' && change.old.metadata.generation === change.object.metadata.generation;
          if (isStatus && !isBelievedSilent(change.object.metadata.namespace)) return;
          for (const key of inNamespace(change.object)) enqueue(key, { afterMs: courtesyMs });
        });
        onAbort(signal, end);
        await bindings.informer.synced;
      },
    };
  }

  async function reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | void> {
    const { signal } = context;
    const namespace = namespaces.informer.cache.get({ name: key });
    const binding = bindings.informer.cache.get({ namespace: key, name: names.clusterBinding });
    if (!namespace || namespace.metadata.deletionTimestamp || !rights.isMarked(namespace)) return;
    if (!hasCredential(namespace, binding)) return;
    await rights.ensure(namespace.metadata, { signal });
    const place = { namespace: key, secret: binding?.spec.kubeconfigSecretRef.name ?? names.kubeconfigSecret };
    const seen = await look(namespace, binding, place, signal);
    if (binding && !accessEnd(namespace) && seen.silence.is === 'over') return expire(namespace, binding, context);
    if (binding && !accessEnd(namespace) && seen.silence.marks) await mark(namespace, seen.silence.marks, signal);
    const decision = decide(seen);
    if (accessEnd(namespace) && !(await hasEnded(key, signal))) return { requeueAfter: courtesyMs };
    if (decision.renew) return binding && renew(place, binding, seen, context);
    await act(key, decision, signal);
    const change = binding && accessChange(binding, decision.condition);
    if (binding) await writeConditions(client, binding, [decision.condition], clock.date(), signal);
    if (change) record(namespace, change, actors.operator);
    if (decision.purge) {
      const left = namespaces.informer.cache.byIndex(byCluster, key);
      if (left.length === 0) record(namespace, 'Purge', actors.operator);
      await purge(client, namespace, left, { signal });
      return { requeueAfter: purgeMs };
    }
    return { requeueAfter: Math.min(decision.nextMs ?? slowLookMs, slowLookMs) };
  }

  function isBelievedSilent(name = ''): boolean {
    return namespaces.informer.cache.get({ name })?.metadata.annotations?.[annotations.silentUntil] !== undefined;
  }

  /** Whether access has ended, asked of the server: a cache may not know yet that it was given back. */
  async function hasEnded(name: string, signal: AbortSignal): Promise<boolean> {
    const current = await client.resource(Namespaces).find({ name }, { signal });
    return current !== undefined && accessEnd(current) !== undefined;
  }

  async function mark(
    { metadata: { name = '', uid, resourceVersion } }: Namespace,
    marks: Silence['marks'],
    signal: AbortSignal,
  ): Promise<void> {
    const patch = { metadata: { uid, resourceVersion, annotations: marks } };
    await client.resource(Namespaces).patch({ name }, { type: 'merge', patch }, { signal });
  }

  /** Ends the access of an app cluster, unless a heartbeat has arrived that the cache does not know. */
  async function expire(
    namespace: Namespace,
    { metadata, status }: ClusterBinding,
    { signal }: ReconcileContext,
  ): Promise<ReconcileResult | void> {
    const ref = { namespace: metadata.namespace, name: metadata.name ?? '' };
    const current = await client.resource(ClusterBindings).find(ref, { signal });
    if (current?.status?.lastHeartbeatTime !== status?.lastHeartbeatTime) return { requeueAfter: courtesyMs };
    await mark(namespace, { [annotations.access]: 'Expired' }, signal);
    record(namespace, 'Expire', actors.backend);
  }

  async function look(
    namespace: Namespace,
    binding: ClusterBinding | undefined,
    place: Place,
    signal: AbortSignal,
  ): Promise<Seen> {
    const stock = await readStock(client, place, signal);
    const now = clock.date();
    const standing = judgeStanding(place, stock, now);
    const heartbeat = new Date(binding?.status?.lastHeartbeatTime ?? '');
    return {
      namespace,
      stock,
      standing,
      isAddressCurrent:
        standing.is !== 'absent' &&
        offeredText(stock) === kubeconfigOf(options.external, place.namespace, standing.token),
      silence: judgeSilence({ namespace, heartbeat: binding?.status?.lastHeartbeatTime, expiryMs, now }),
      lastHeartbeat: Number.isNaN(heartbeat.getTime()) ? undefined : heartbeat,
      lifetimeMs,
      graceMs,
      now,
    };
  }

  async function renew(
    place: Place,
    binding: ClusterBinding,
    seen: Seen,
    { attempt, log, signal }: ReconcileContext,
  ): Promise<ReconcileResult> {
    try {
      await offerCredential(issueDeps, place, 'unless fresh', { signal });
    } catch (error) {
      const isLasting = attempt >= 3 || isKubeError(error, 'KUBE_FORBIDDEN', 'KUBE_INVALID');
      if (!isLasting) throw error;
      const problem = isKubeError(error) ? error.message : 'see the log of the backend.';
      await writeConditions(client, binding, [renewalFailed(seen, problem)], clock.date(), signal);
      throw error;
    }
    log.info({ namespace: place.namespace }, 'offered a new kubeconfig');
    record(seen.namespace, 'Rotate', actors.backend);
    // What it replaces is seen at the next look.
    return { requeueAfter: courtesyMs };
  }

  function record({ metadata }: Namespace, action: AuditAction, who: string): void {
    const tenant = metadata.annotations?.[annotations.tenantName];
    deps.audit.record({ action, who, tenant, clusterNamespace: metadata.name, result: 'success' });
  }

  async function act(namespace: string, decision: Decision, signal: AbortSignal): Promise<void> {
    const held = client.resource(Secrets);
    for (const { name, at } of decision.retire) {
      const patch = { metadata: { annotations: { [annotations.retireAt]: at.toISOString() } } };
      await unlessGone(held.patch({ namespace, name }, { type: 'merge', patch }, { signal }));
    }
    for (const { name, uid } of decision.remove) {
      await unlessGone(held.delete({ namespace, name }, { preconditions: { uid }, signal }));
    }
    if (!decision.removeAccount) return;
    await unlessGone(client.resource(ServiceAccounts).delete({ namespace, name: names.binder }, { signal }));
  }
}

/** App clusters that a konnector on the control plane serves use no credential of this backend. */
function hasCredential(namespace: Namespace, binding: ClusterBinding | undefined): boolean {
  return isClusterNamespace(namespace) && binding?.metadata.labels?.[labels.appClusterBindingName] === undefined;
}

function courteously(source: Source): Source {
  return { start: (enqueue, signal) => source.start((key) => enqueue(key, { afterMs: courtesyMs }), signal) };
}

function inNamespace({ metadata }: KubeObject): readonly string[] {
  return metadata.namespace === undefined ? [] : [metadata.namespace];
}

function unlessGone<T>(write: Promise<T>): Promise<T | undefined> {
  return excusing(write, 'KUBE_NOT_FOUND', 'KUBE_CONFLICT');
}
