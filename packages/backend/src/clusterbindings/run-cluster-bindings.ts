import { APIServiceExports, binderRoleName, ClusterBindings, controlPlane as names, labels } from '@klutch/api';
import {
  type Controller,
  informerSource,
  isKubeError,
  type KubeObject,
  Namespaces,
  type ReconcileContext,
  type ReconcileResult,
  runController,
} from '@klutch/kube';
import { recordGrants } from '../grants/record-grants.ts';
import { grantingExports } from '../exports/granting-exports.ts';
import { ensureBinderRole, ensureTenantRole, namespaceOwner } from '../grants/cluster-roles.ts';
import { ensureClusterRoleBinding, ensureRoleBinding } from '../grants/role-bindings.ts';
import { ClusterRoleBindings, ClusterRoles, RoleBindings } from '../objects/rbac.ts';
import { catalogueSource } from '../templates/catalogue-source.ts';
import type { ClusterBindingDeps } from './cluster-binding-deps.ts';
import { writeConditions } from './conditions.ts';
import { type Decision, decide, granted, notGranted } from './decide.ts';
import { runStrays } from './run-strays.ts';

const byNamespace = 'namespace';
const byName = 'name';

/** After a refusal that will not go away by itself. */
const refusedMs = 60_000;

/**
 * Grants app clusters what their exports and claims need and takes away what goes beyond, and tells from their heartbeats
 * how they are. For the leader.
 */
export function runClusterBindings(deps: ClusterBindingDeps): Controller {
  const { client, informers, catalogue, options, clock } = deps;
  const bindings = informers.acquire({ type: ClusterBindings });
  const exports = informers.acquire({
    type: APIServiceExports,
    indexes: { [byNamespace]: inNamespace, [byName]: ({ metadata }) => [metadata.name ?? ''] },
  });
  const namespaces = informers.acquire({ type: Namespaces, metadataOnly: true });
  const roles = informers.acquire({ type: ClusterRoles, labelSelector: labels.clusterNamespace });
  const binderRole = informers.acquire({ type: ClusterRoles, fieldSelector: `metadata.name=${names.binder}` });
  const roleBindings = informers.acquire({ type: RoleBindings, fieldSelector: `metadata.name=${names.binder}` });
  const clusterRoleBindings = informers.acquire({ type: ClusterRoleBindings });
  const shares = [bindings, exports, namespaces, roles, binderRole, roleBindings, clusterRoleBindings];

  const controller = runController({
    name: 'clusterbinding',
    sources: [
      informerSource(bindings.informer, inNamespace),
      informerSource(exports.informer, inNamespace),
      catalogueSource(catalogue, (name) => exports.informer.cache.byIndex(byName, name).flatMap(inNamespace)),
      informerSource(namespaces.informer, ({ metadata }) => (isBound(metadata.name) ? [metadata.name ?? ''] : [])),
      informerSource(roles.informer, ({ metadata }) => [metadata.labels?.[labels.clusterNamespace] ?? '']),
      informerSource(binderRole.informer, () => [...bindings.informer.cache.values()].flatMap(inNamespace)),
      informerSource(roleBindings.informer, (one) => inNamespace(one).filter(isBound)),
      informerSource(clusterRoleBindings.informer, ({ metadata }) => clusterOf(metadata.name)),
    ],
    workers: 4,
    timeoutMs: 30_000,
    reconcile,
    signal: deps.signal,
    log: deps.log,
    metrics: deps.metrics,
    clock,
  });
  const strays = runStrays(deps);
  const ready = Promise.all([controller.ready, strays.ready]).then(() => undefined);
  // Whoever awaits only `stopped` learns of a failed start there.
  ready.catch(() => {});
  return { ready, stopped: ended(), enqueue: controller.enqueue };

  async function ended(): Promise<void> {
    try {
      await Promise.all([controller.stopped, strays.stopped]);
    } finally {
      for (const share of shares) share.release();
    }
  }

  async function reconcile(key: string, { signal }: ReconcileContext): Promise<ReconcileResult | void> {
    const namespace = namespaces.informer.cache.get({ name: key });
    const decision = decide({
      binding: bindings.informer.cache.get({ namespace: key, name: names.clusterBinding }),
      namespace,
      exports: grantingExports(exports.informer.cache.byIndex(byNamespace, key), namespace, catalogue),
      scope: options.consumerScope,
      now: clock.date(),
    });
    if (decision.is === 'ignore') return;
    const problem = await problemOf(() => grant(key, decision, signal));
    const rights = problem === undefined ? granted : notGranted(problem);
    await writeConditions(client, decision.binding, [decision.healthy, rights], clock.date(), signal);
    const waits = [decision.nextMs, problem === undefined ? undefined : refusedMs].filter((ms) => ms !== undefined);
    return waits.length > 0 ? { requeueAfter: Math.min(...waits) } : undefined;
  }

  async function grant(
    clusterNamespace: string,
    { namespace, rules, isClusterWide }: Extract<Decision, { readonly is: 'serve' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const name = binderRoleName(clusterNamespace);
    await ensureBinderRole(client, { seen: binderRole.informer.cache.get({ name: names.binder }), signal });
    await ensureRoleBinding(
      client,
      { clusterNamespace, namespace: clusterNamespace, role: names.binder },
      { seen: roleBindings.informer.cache.get({ namespace: clusterNamespace, name: names.binder }), signal },
    );
    const before = await ensureTenantRole(
      client,
      { namespace, rules },
      { seen: roles.informer.cache.get({ name }), signal },
    );
    if (before) recordGrants(deps.audit, namespace, { before, after: rules });
    if (!isClusterWide) return;
    const owner = namespaceOwner(namespace);
    const seen = clusterRoleBindings.informer.cache.get({ name });
    await ensureClusterRoleBinding(client, { clusterNamespace, owner }, { seen, signal });
  }

  function isBound(namespace: string | undefined): boolean {
    return bindings.informer.cache.get({ namespace, name: names.clusterBinding }) !== undefined;
  }

  function clusterOf(roleBinding: string | undefined): readonly string[] {
    const prefix = binderRoleName('');
    return roleBinding?.startsWith(prefix) ? [roleBinding.slice(prefix.length)].filter(isBound) : [];
  }
}

function inNamespace({ metadata }: KubeObject): readonly string[] {
  return metadata.namespace === undefined ? [] : [metadata.namespace];
}

/** What the API server refuses for good; anything else is thrown, to be tried again soon. */
async function problemOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (isKubeError(error, 'KUBE_FORBIDDEN', 'KUBE_INVALID')) return error.message;
    throw error;
  }
}
