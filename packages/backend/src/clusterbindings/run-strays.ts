import { type Controller, informerSource, type ReconcileContext, runController } from '@klutch/kube';
import { isStray } from '../grants/role-bindings.ts';
import { excusing } from '../objects/excusing.ts';
import { ClusterRoleBindings } from '../objects/rbac.ts';
import { releasing } from '../objects/releasing.ts';
import type { ClusterBindingDeps } from './cluster-binding-deps.ts';

/** Where app clusters have rights in their namespaces only, removes what gives them rights everywhere, as earlier backends did. */
export function runStrays(deps: ClusterBindingDeps): Controller {
  const { client, informers, options, signal, log, metrics, clock } = deps;
  const bindings = informers.acquire({ type: ClusterRoleBindings });

  const controller = runController({
    name: 'clusterrolebinding',
    sources: [informerSource(bindings.informer, (binding) => (isStray(binding) ? [binding.metadata.name ?? ''] : []))],
    timeoutMs: 30_000,
    reconcile,
    signal,
    log,
    metrics,
    clock,
  });
  return releasing(controller, bindings);

  async function reconcile(name: string, { signal, log }: ReconcileContext): Promise<void> {
    const binding = bindings.informer.cache.get({ name });
    if (options.consumerScope === 'Cluster' || !binding || !isStray(binding)) return;
    const preconditions = { uid: binding.metadata.uid };
    const deletion = client.resource(ClusterRoleBindings).delete({ name }, { preconditions, signal });
    await excusing(deletion, 'KUBE_NOT_FOUND', 'KUBE_CONFLICT');
    log.warn({ kind: 'ClusterRoleBinding', name }, 'removed rights of an app cluster in all namespaces');
  }
}
