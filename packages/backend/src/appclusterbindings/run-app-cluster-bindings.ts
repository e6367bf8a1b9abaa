import {
  APIServiceNamespaces,
  AppClusterBindingReason,
  AppClusterBindings,
  type ConditionState,
  ConditionType,
  controlPlane,
  finalizers,
  legacyKonnectorRoleName,
  setReady,
} from '@klutch/api';
import { type Controller, isKubeError, type KubeClient, type ReconcileResult, runController } from '@klutch/kube';
import { ClusterRoleBindings, ClusterRoles } from '../objects/rbac.ts';
import { ServiceAccounts } from '../objects/service-account.ts';
import { nextConditions } from '../objects/next-conditions.ts';
import { patchStatus } from '../objects/patch-status.ts';
import { releasing } from '../objects/releasing.ts';
import type { ControllerDeps } from '../process/controller-deps.ts';
import type { Catalogue } from '../templates/catalogue.ts';
import { catalogueSource } from '../templates/catalogue-source.ts';
import { act, failed, write } from './act.ts';
import type { StoredBinding } from './binding-labels.ts';
import { decide, type Images } from './decide.ts';
import { decideDeletion, type Remains } from './decide-deletion.ts';
import { findInstances } from './find-instances.ts';
import { observe, type View } from './observe.ts';
import { watchSecrets } from './watch-secrets.ts';

/** What the controller of AppClusterBindings needs. */
export interface AppClusterBindingsDeps extends ControllerDeps {
  readonly catalogue: Catalogue;
  readonly images: Images;
}

/** Milliseconds after which a look is taken at what no watch tells of: objects that hold up a deletion. */
const lookAgainMs = 5_000;
/** A watch tells a moment later. */
const behindMs = 500;

/** Serves the AppClusterBindings of a control plane until the signal aborts. */
export function runAppClusterBindings(deps: AppClusterBindingsDeps): Controller {
  const { client, informers, catalogue, images, clock, signal, log, metrics } = deps;
  const view = observe(informers, catalogue);
  const secrets = watchSecrets(informers, (key) => controller.enqueue(key));
  const bindings = client.resource(AppClusterBindings);
  const controller: Controller = runController({
    name: 'appclusterbinding',
    sources: [...view.sources, catalogueSource(catalogue, view.bindingsWith)],
    reconcile: (key, { signal: within }) => reconcile(key, within),
    workers: 4,
    timeoutMs: 120_000,
    signal,
    log,
    metrics,
    clock,
  });
  return releasing(controller, { release: () => secrets.releaseAll() }, view);

  async function reconcile(key: string, within: AbortSignal): Promise<ReconcileResult | void> {
    const binding = view.binding(key);
    if (!binding) return secrets.release(key);
    if (binding.metadata.deletionTimestamp) return await telling(binding, within, () => remove(binding, within));
    if (!binding.metadata.finalizers?.includes(finalizers.appClusterBindingCleanup)) {
      // Its own change brings the binding back.
      return setFinalizers(
        binding,
        [...(binding.metadata.finalizers ?? []), finalizers.appClusterBindingCleanup],
        within,
      );
    }
    const { name, namespace } = binding.spec.kubeconfigSecretRef;
    const isOwn = namespace === binding.metadata.namespace;
    const informer = isOwn ? secrets.follow(key, { name, namespace }) : undefined;
    if (informer && !informer.hasSynced) return;
    // That a cache has not heard of the namespace does not mean that it has no tenant.
    if (!view.knowsNamespace(binding.metadata)) return { requeueAfter: behindMs };
    const root = view.root(binding.metadata);
    const decision = decide(
      {
        binding,
        secret: informer?.cache.get({ name, namespace }),
        tenantName: view.tenantName(binding.metadata),
        root,
        find: view.find,
        exports: view.exports(binding, root.name),
        deployment: view.deployment(binding.metadata, root.name),
      },
      images,
    );
    const { conditions, errors } = await act(client, decision, within);
    await tell(binding, conditions, within);
    if (errors.length > 0) throw errors[0];
  }

  /** Does something, and has the binding say what went wrong. */
  async function telling<T>(binding: StoredBinding, within: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isTold =
        !within.aborted && isKubeError(error) && !isKubeError(error, 'KUBE_CONFLICT', 'KUBE_LEADERSHIP_LOST');
      if (isTold)
        await tell(binding, [failed(ConditionType.NamespaceReady, AppClusterBindingReason.WriteFailed, error)], within);
      throw error;
    }
  }

  async function remove(binding: StoredBinding, within: AbortSignal): Promise<ReconcileResult | void> {
    const others = (binding.metadata.finalizers ?? []).filter((one) => one !== finalizers.appClusterBindingCleanup);
    if (others.length === binding.metadata.finalizers?.length) return;
    const decision = decideDeletion(await remainsOf(client, view, binding, within));
    if (decision.next === 'release') return setFinalizers(binding, others, within);
    for (const one of decision.writes) await write(client, one, within);
    await tell(binding, [decision.condition], within);
    return { requeueAfter: lookAgainMs };
  }

  async function setFinalizers(binding: StoredBinding, wanted: readonly string[], within: AbortSignal): Promise<void> {
    const { name, namespace, resourceVersion } = binding.metadata;
    const patch = { metadata: { finalizers: wanted, resourceVersion } };
    await bindings.patch({ name, namespace }, { type: 'merge', patch }, { signal: within });
  }

  /** Writes the conditions, if they say anything new. */
  async function tell(binding: StoredBinding, told: readonly ConditionState[], within: AbortSignal): Promise<void> {
    const now = clock.date();
    const conditions = nextConditions(binding.status?.conditions, told, now);
    if (conditions) await patchStatus(bindings, binding, { conditions: setReady(conditions, now) }, within);
  }
}

async function remainsOf(
  client: KubeClient,
  view: View,
  binding: StoredBinding,
  signal: AbortSignal,
): Promise<Remains> {
  const root = view.root(binding.metadata);
  if (root.verdict !== 'use')
    return { binding, root, instances: [], bindings: [], namespaces: [], konnector: {}, legacy: {} };
  const { bindings, exports } = view.exports(binding, root.name);
  const legacyName = { name: legacyKonnectorRoleName(binding.metadata) };
  const [instances, { items: namespaces }, role, roleBinding] = await Promise.all([
    findInstances(client, exports, root.name, view.namespaces(), signal),
    client.resource(APIServiceNamespaces).list({ namespace: root.name, signal }),
    client.resource(ClusterRoles).find(legacyName, { signal }),
    client.resource(ClusterRoleBindings).find(legacyName, { signal }),
  ]);
  const konnector = {
    deployment: view.deployment(binding.metadata, root.name),
    account: view.find(ServiceAccounts, { namespace: root.name, name: controlPlane.binder }),
  };
  return { binding, root, instances, bindings, namespaces, konnector, legacy: { role, roleBinding } };
}
