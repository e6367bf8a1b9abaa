import { APIServiceExports, ClusterBindings, controlPlane as names, labels } from '@klutch/api';
import {
  type Controller,
  informerSource,
  type KubeObject,
  Namespaces,
  type ReconcileContext,
  type ReconcileResult,
  runController,
} from '@klutch/kube';
import { releasing } from '../objects/releasing.ts';
import type { ControllerDeps } from '../process/controller-deps.ts';
import type { Quotas } from '../process/options.ts';
import type { CompleteCatalogue } from '../templates/catalogue.ts';
import { decideQuota } from './decide.ts';
import { clusterNamespaceLimits, serviceNamespaceLimits } from './limits.ts';
import { type Amounts, ResourceQuotas, tenantQuota } from './resource-quota.ts';
import { runProbe } from './run-probe.ts';
import { writeQuota } from './write-quota.ts';

export interface QuotasDeps extends ControllerDeps {
  readonly catalogue: CompleteCatalogue;
  readonly options: {
    /** Namespace of the backend itself. */
    readonly namespace: string;
    readonly quotas: Pick<Quotas, 'namespacesPerCluster' | 'objectsPerNamespace'>;
  };
}

const byNamespace = 'namespace';
const byCluster = 'clusterNamespace';

/** Keeps ResourceQuota `klutch-tenant` in every cluster namespace and every service namespace. For the leader. */
export function runQuotas(deps: QuotasDeps): Controller {
  const { client, informers, options, rights, clock, signal } = deps;
  const bindings = informers.acquire({ type: ClusterBindings });
  const exports = informers.acquire({ type: APIServiceExports, indexes: { [byNamespace]: inNamespace } });
  const namespaces = informers.acquire({
    type: Namespaces,
    metadataOnly: true,
    indexes: { [byCluster]: (namespace) => clusterOf(namespace) ?? [] },
  });
  const quotas = informers.acquire({ type: ResourceQuotas, fieldSelector: `metadata.name=${tenantQuota}` });
  /** Types that the probe says are counted and a tenant's quota says are not, and until when that is believed. */
  const doubted = new Map<string, number>();
  const everyNamespace = () => [
    ...[...bindings.informer.cache.values()].flatMap(inNamespace),
    ...[...namespaces.informer.cache.values()].flatMap((one) => (clusterOf(one) ? [one.metadata.name ?? ''] : [])),
  ];
  const probe = runProbe(deps, () => {
    for (const name of everyNamespace()) controller.enqueue(name);
  });
  const controller = runController({
    name: 'quotas',
    workers: 4,
    timeoutMs: 30_000,
    sources: [
      informerSource(bindings.informer, inNamespace),
      informerSource(exports.informer, ({ metadata }) =>
        namespaces.informer.cache.byIndex(byCluster, metadata.namespace ?? '').map((one) => one.metadata.name ?? ''),
      ),
      informerSource(namespaces.informer, (one) => (clusterOf(one) ? [one.metadata.name ?? ''] : [])),
      informerSource(quotas.informer, inNamespace),
    ],
    reconcile,
    signal,
    log: deps.log,
    metrics: deps.metrics,
    clock,
  });
  const both = {
    ...controller,
    stopped: Promise.all([controller.stopped, probe.stopped]).then(() => undefined),
  };
  return releasing(both, bindings, exports, namespaces, quotas);

  async function reconcile(namespace: string, { signal }: ReconcileContext): Promise<ReconcileResult | void> {
    const limits = limitsOf(namespace);
    const place = namespaces.informer.cache.get({ name: namespace });
    if (limits === undefined || !place || !rights.isMarked(place)) return;
    await rights.ensure(place.metadata, { signal });
    const quota = quotas.informer.cache.get({ namespace, name: tenantQuota });
    const { hard, lost } = decideQuota({ limits, countable: trusted(), ...(quota ? { quota } : {}) });
    for (const name of lost) doubted.set(name, clock.now() + lostMs);
    if (hard && !(await writeQuota(client, { namespace, name: tenantQuota, seen: quota, hard }, signal))) {
      return { requeueAfter: behindMs };
    }
    return doubted.size > 0 ? { requeueAfter: lostMs } : undefined;
  }

  /** What is counted, without what has turned out not to be a moment ago. */
  function trusted(): ReadonlySet<string> {
    for (const [name, until] of doubted) if (until <= clock.now()) doubted.delete(name);
    return new Set([...probe.countable()].filter((name) => !doubted.has(name)));
  }

  /** Undefined for a namespace that is no tenant's, or on its way out. */
  function limitsOf(name: string): Amounts | undefined {
    const namespace = namespaces.informer.cache.get({ name });
    if (namespace === undefined || namespace.metadata.deletionTimestamp !== undefined) return undefined;
    if (bindings.informer.cache.get({ namespace: name, name: names.clusterBinding })) {
      return clusterNamespaceLimits(options.quotas);
    }
    const [cluster] = clusterOf(namespace) ?? [];
    if (cluster === undefined) return undefined;
    return serviceNamespaceLimits(exports.informer.cache.byIndex(byNamespace, cluster), options.quotas);
  }
}

function inNamespace({ metadata }: KubeObject): readonly string[] {
  return metadata.namespace === undefined ? [] : [metadata.namespace];
}

/** The cluster namespace that a service namespace belongs to. */
function clusterOf({ metadata }: KubeObject): readonly string[] | undefined {
  const cluster = metadata.labels?.[labels.clusterNamespace];
  return cluster === undefined || cluster === metadata.name ? undefined : [cluster];
}

/** A watch tells a moment later. */
const behindMs = 1_000;
/** A type that the control plane no longer counts may only have been away for a moment. */
const lostMs = 60_000;
