import { controlPlane as names, labels } from '@klutch/api';
import {
  type Controller,
  informerSource,
  type Namespace,
  Namespaces,
  type ReconcileContext,
  runController,
} from '@klutch/kube';
import { clusterNamespaceOf, clustersOf } from '../credentials/purge.ts';
import { excusing } from '../objects/excusing.ts';
import { RoleBindings } from '../objects/rbac.ts';
import { releasing } from '../objects/releasing.ts';
import type { ControllerDeps } from '../process/controller-deps.ts';
import { isClusterNamespace } from '../tenants/cluster-namespace.ts';

const byCluster = 'cluster namespace';

/**
 * Keeps the backend's own rights in the namespaces it has made, and marks those that an earlier backend made for app
 * clusters, so that it may act in them. For the leader.
 */
export function runOwnRights(deps: ControllerDeps): Controller {
  const { client, informers, rights, clock, signal, log, metrics } = deps;
  const namespaces = informers.acquire({ type: Namespaces, metadataOnly: true, indexes: { [byCluster]: clustersOf } });
  const bindings = informers.acquire({ type: RoleBindings, fieldSelector: `metadata.name=${names.backend}` });
  const controller = runController({
    name: 'ownrights',
    sources: [
      informerSource(namespaces.informer, ({ metadata: { name = '' } }) => [
        name,
        ...namespaces.informer.cache.byIndex(byCluster, name).map(({ metadata }) => metadata.name ?? ''),
      ]),
      informerSource(bindings.informer, ({ metadata }) => [metadata.namespace ?? '']),
    ],
    workers: 4,
    timeoutMs: 30_000,
    reconcile,
    signal,
    log,
    metrics,
    clock,
  });
  return releasing(controller, namespaces, bindings);

  async function reconcile(name: string, { signal: within }: ReconcileContext): Promise<void> {
    const namespace = namespaces.informer.cache.get({ name });
    if (!namespace || namespace.metadata.deletionTimestamp) return;
    if (!rights.isMarked(namespace)) return isAdoptable(namespace) ? adopt(namespace, within) : undefined;
    // Whoever made the namespace has done so by now, unless it was cut off.
    if (!bindings.informer.cache.get({ namespace: name, name: names.backend }))
      await rights.bind(name, { signal: within });
  }

  /** The mark brings the namespace back here. */
  async function adopt({ metadata }: Namespace, within: AbortSignal): Promise<void> {
    const { name = '', uid, resourceVersion } = metadata;
    const patch = { metadata: { uid, resourceVersion, labels: rights.mark } };
    const request = client.resource(Namespaces).patch({ name }, { type: 'merge', patch }, { signal: within });
    if (await excusing(request, 'KUBE_NOT_FOUND'))
      log.info({ namespace: name }, 'adopted what an earlier backend made');
  }

  /** A cluster namespace that no backend has marked, or a service namespace of an app cluster that this one serves. */
  function isAdoptable(namespace: Namespace): boolean {
    if (namespace.metadata.labels?.[labels.backend] !== undefined) return false;
    const cluster = clusterNamespaceOf(namespace);
    if (cluster === undefined) return isClusterNamespace(namespace);
    return rights.isMarked(namespaces.informer.cache.get({ name: cluster }));
  }
}
