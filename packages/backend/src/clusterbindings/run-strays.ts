import { controlPlane as names } from '@klutch/api';
import { type Controller, informerSource, type ReconcileContext, runController } from '@klutch/kube';
import { ensureBinderRole } from '../grants/cluster-roles.ts';
import { isStray } from '../grants/role-bindings.ts';
import { excusing } from '../objects/excusing.ts';
import { ClusterRoleBindings, ClusterRoles } from '../objects/rbac.ts';
import { releasing } from '../objects/releasing.ts';
import type { ClusterBindingDeps } from './cluster-binding-deps.ts';

/**
 * Keeps what app clusters share: the rules of ClusterRole `klutch-binder`; and, where app clusters have rights in their
 * namespaces only, removes what would give them rights everywhere, as earlier backends did.
 */
export function runStrays(deps: ClusterBindingDeps): Controller {
  const { client, informers, options, signal, log, metrics, clock } = deps;
  const bindings = informers.acquire({ type: ClusterRoleBindings });
  const binderRole = informers.acquire({ type: ClusterRoles, fieldSelector: `metadata.name=${names.binder}` });
  const binderKey = names.binder;

  const controller = runController({
    name: 'clusterrolebinding',
    sources: [
      informerSource(bindings.informer, (binding) => (isStray(binding) ? [binding.metadata.name ?? ''] : [])),
      informerSource(binderRole.informer, () => [binderKey]),
      { start: async (enqueue) => enqueue(binderKey) },
    ],
    timeoutMs: 30_000,
    reconcile,
    signal,
    log,
    metrics,
    clock,
  });
  return releasing(controller, bindings, binderRole);

  async function reconcile(name: string, { signal, log }: ReconcileContext): Promise<void> {
    if (name === binderKey) {
      return ensureBinderRole(client, { seen: binderRole.informer.cache.get({ name }), signal });
    }
    const binding = bindings.informer.cache.get({ name });
    if (options.consumerScope === 'Cluster' || !binding || !isStray(binding)) return;
    const preconditions = { uid: binding.metadata.uid };
    const deletion = client.resource(ClusterRoleBindings).delete({ name }, { preconditions, signal });
    await excusing(deletion, 'KUBE_NOT_FOUND', 'KUBE_CONFLICT');
    log.warn({ kind: 'ClusterRoleBinding', name }, 'removed rights of an app cluster in all namespaces');
  }
}
