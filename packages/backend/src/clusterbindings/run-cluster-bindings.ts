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
import { binderRules } from '../grants/binder-rules.ts';
import { ensureClusterRoleBinding, ensureRoleBinding } from '../grants/role-bindings.ts';
import { ensureClusterRole, ensureRole, namespaceOwner } from '../grants/roles.ts';
import { ClusterRoleBindings, ClusterRoles, RoleBindings, Roles, type Rule } from '../objects/rbac.ts';
import { catalogueSource } from '../templates/catalogue-source.ts';
import type { ClusterBindingDeps } from './cluster-binding-deps.ts';
import { writeConditions } from './conditions.ts';
import { type Decision, decide, granted, notGranted, refusedMs } from './decide.ts';
import { runStrays } from './run-strays.ts';

const byNamespace = 'namespace';
const byName = 'name';

/**
 * Grants app clusters what all of them need in their cluster namespaces and takes away what goes beyond, tells whether they
 * can be granted what their exports and permission claims need, and tells from their heartbeats how they are. For the leader.
 */
export function runClusterBindings(deps: ClusterBindingDeps): Controller {
  const { client, informers, catalogue, options, rights, clock } = deps;
  const isClusterWide = options.consumerScope === 'Cluster';
  const bindings = informers.acquire({ type: ClusterBindings });
  const exports = informers.acquire({
    type: APIServiceExports,
    indexes: { [byNamespace]: inNamespace, [byName]: ({ metadata }) => [metadata.name ?? ''] },
  });
  const namespaces = informers.acquire({ type: Namespaces, metadataOnly: true });
  const named = (name: string) => ({ fieldSelector: `metadata.name=${name}` });
  const roles = informers.acquire({ type: Roles, ...named(names.binder) });
  const serviceRoles = informers.acquire({ type: Roles, ...named(names.serviceRole) });
  const roleBindings = informers.acquire({ type: RoleBindings, ...named(names.binder) });
  const clusterRoles = isClusterWide
    ? informers.acquire({ type: ClusterRoles, labelSelector: labels.clusterNamespace })
    : undefined;
  const clusterRoleBindings = informers.acquire({ type: ClusterRoleBindings });
  const shares = [bindings, exports, namespaces, roles, serviceRoles, roleBindings, clusterRoles, clusterRoleBindings];

  const controller = runController({
    name: 'clusterbinding',
    sources: [
      informerSource(bindings.informer, inNamespace),
      informerSource(exports.informer, inNamespace),
      catalogueSource(catalogue, (name) => exports.informer.cache.byIndex(byName, name).flatMap(inNamespace)),
      informerSource(namespaces.informer, ({ metadata }) => (isBound(metadata.name) ? [metadata.name ?? ''] : [])),
      informerSource(roles.informer, (one) => inNamespace(one).filter(isBound)),
      informerSource(serviceRoles.informer, (one) => inNamespace(one).filter(isBound)),
      informerSource(roleBindings.informer, (one) => inNamespace(one).filter(isBound)),
      ...(clusterRoles
        ? [informerSource(clusterRoles.informer, ({ metadata }) => [metadata.labels?.[labels.clusterNamespace] ?? ''])]
        : []),
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
      for (const share of shares) share?.release();
    }
  }

  async function reconcile(key: string, { signal }: ReconcileContext): Promise<ReconcileResult | void> {
    const namespace = namespaces.informer.cache.get({ name: key });
    const decision = decide({
      binding: bindings.informer.cache.get({ namespace: key, name: names.clusterBinding }),
      namespace,
      exports: grantingExports(exports.informer.cache.byIndex(byNamespace, key), namespace, catalogue),
      scope: options.consumerScope,
      isMarked: rights.isMarked(namespace),
      now: clock.date(),
    });
    if (decision.is === 'ignore') return;
    await rights.ensure(decision.namespace.metadata, { signal });
    const problem = await problemOf(() => grant(key, decision, signal));
    const state = problem === undefined ? granted : notGranted(problem);
    await writeConditions(client, decision.binding, [decision.healthy, state], clock.date(), signal);
    const waits = [
      decision.nextMs,
      problem === undefined ? undefined : refusedMs(decision.binding, clock.date()),
    ].filter((ms) => ms !== undefined);
    return waits.length > 0 ? { requeueAfter: Math.min(...waits) } : undefined;
  }

  async function grant(
    clusterNamespace: string,
    { namespace, rules }: Extract<Decision, { readonly is: 'serve' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const ref = { namespace: clusterNamespace, name: names.binder };
    await ensureRole(client, { ...ref, rules: binderRules }, { seen: roles.informer.cache.get(ref), signal });
    const seenBinding = roleBindings.informer.cache.get(ref);
    await ensureRoleBinding(client, { namespace: clusterNamespace, clusterNamespace }, { seen: seenBinding, signal });
    const before = await (clusterRoles ? grantEverywhere() : noteForServices());
    if (before) recordGrants(deps.audit, namespace, { before, after: rules });

    /** Nobody is bound to it: the same rules are in the Roles of service namespaces, if they can be handed out at all. */
    async function noteForServices(): Promise<readonly Rule[] | undefined> {
      const desired = { namespace: clusterNamespace, name: names.serviceRole };
      return ensureRole(client, { ...desired, rules }, { seen: serviceRoles.informer.cache.get(desired), signal });
    }

    async function grantEverywhere(): Promise<readonly Rule[] | undefined> {
      const name = binderRoleName(clusterNamespace);
      const seenRole = clusterRoles?.informer.cache.get({ name });
      const rulesBefore = await ensureClusterRole(client, { namespace, rules }, { seen: seenRole, signal });
      const owner = namespaceOwner(namespace);
      const seen = clusterRoleBindings.informer.cache.get({ name });
      await ensureClusterRoleBinding(client, { clusterNamespace, owner }, { seen, signal });
      return rulesBefore;
    }
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
