import {
  APIServiceNamespaces,
  AppClusterBindingReason,
  AppClusterBindings,
  type ConditionState,
  ConditionType,
  controlPlane,
  controlPlaneKonnectorName,
  finalizers,
  labels,
  legacyKonnectorRoleName,
  setReady,
} from '@klutch/api';
import {
  type Controller,
  type Informer,
  isKubeError,
  type KubeClient,
  type KubeObject,
  Namespaces,
  type ObjectRef,
  type ReconcileResult,
  type ResourceType,
  runController,
  type Secret,
  Secrets,
} from '@klutch/kube';
import { type Deployment, Deployments } from '../objects/deployment.ts';
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
import { decide, type Images, type Seen } from './decide.ts';
import { decideDeletion, type Remains } from './decide-deletion.ts';
import { findInstances } from './find-instances.ts';
import { observe, type View } from './observe.ts';
import type { Root } from './root-namespace.ts';
import { notLetIn } from './secret-verdict.ts';
import { watchNamed } from './watch-named.ts';

/** What the controller of AppClusterBindings needs. */
export interface AppClusterBindingsDeps extends ControllerDeps {
  readonly catalogue: Catalogue;
  readonly images: Images;
}

/** Milliseconds after which a look is taken at what no watch tells of: objects that hold up a deletion. */
const lookAgainMs = 5_000;
/** A watch tells a moment later. */
const behindMs = 500;

/** After the backend was not let into a namespace. */
const notLetInMs = 60_000;

/** What a root namespace holds besides what can be read in all namespaces. */
interface InRoot {
  copy(ref: ObjectRef): Secret | undefined;
  readonly deployment?: Deployment;
}

/** Serves the AppClusterBindings of a control plane until the signal aborts. */
export function runAppClusterBindings(deps: AppClusterBindingsDeps): Controller {
  const { client, informers, catalogue, images, rights, clock, signal, log, metrics } = deps;
  const view = observe(informers, catalogue);
  const changed = (key: string) => controller.enqueue(key);
  const secrets = watchNamed(informers, Secrets, changed);
  /** In root namespaces. */
  const copies = watchNamed(informers, Secrets, changed);
  const deployments = watchNamed(informers, Deployments, changed);
  const watches = [secrets, copies, deployments];
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
  return releasing(controller, { release: () => watches.forEach((one) => one.releaseAll()) }, view);

  async function reconcile(key: string, within: AbortSignal): Promise<ReconcileResult | void> {
    const binding = view.binding(key);
    if (!binding) return watches.forEach((one) => one.release(key));
    if (isServedByAnother(binding)) return;
    if (binding.metadata.deletionTimestamp) return await telling(binding, within, () => remove(binding, within));
    const { name, namespace } = binding.spec.kubeconfigSecretRef;
    const isOwn = namespace === binding.metadata.namespace;
    const informer = isOwn ? secrets.follow(key, { name, namespace }) : undefined;
    if (informer && !informer.hasSynced) return await waitForSecret(binding, informer, within);
    if (!binding.metadata.finalizers?.includes(finalizers.appClusterBindingCleanup)) return await hold(binding, within);
    // That a cache has not heard of the namespace does not mean that it has no tenant.
    if (!view.knowsNamespace(binding.metadata)) return { requeueAfter: behindMs };
    const root = view.root(binding.metadata);
    const found = await lookInRoot(key, binding, root, within);
    if (!found) return;
    const decision = decide(
      {
        binding,
        secret: informer?.cache.get({ name, namespace }),
        tenantName: view.tenantName(binding.metadata),
        root,
        mark: rights.mark,
        find: finding(found),
        exports: view.exports(binding, root.name),
        deployment: found.deployment,
      },
      images,
    );
    const { conditions, errors } = await act(client, decision, within, async ({ type }) => {
      if (type.kind === Namespaces.kind) await rights.ensure({ name: root.name }, { signal: within });
    });
    await tell(binding, conditions, within);
    if (errors.length > 0) throw errors[0];
  }

  function isServedByAnother({ metadata }: StoredBinding): boolean {
    const root = view.root(metadata);
    const mark = root.verdict === 'use' ? root.namespace.metadata.labels?.[labels.backend] : undefined;
    return mark !== undefined && root.verdict === 'use' && !rights.isMarked(root.namespace);
  }

  function finding(found: InRoot): Seen['find'] {
    return <T extends KubeObject>(type: ResourceType<T>, ref: ObjectRef) =>
      type.kind === Secrets.kind ? (found.copy(ref) as T | undefined) : view.find(type, ref);
  }

  /** The informer brings the binding back when it has read the Secret; that it may not is told by nobody else. */
  async function waitForSecret(
    binding: StoredBinding,
    { problem }: Informer<Secret>,
    within: AbortSignal,
  ): Promise<ReconcileResult> {
    if (problem?.code === 'KUBE_FORBIDDEN') await tell(binding, [notLetIn(binding)], within);
    return { requeueAfter: lookAgainMs };
  }

  /** Its own change brings the binding back. */
  async function hold(binding: StoredBinding, within: AbortSignal): Promise<ReconcileResult | void> {
    const others = binding.metadata.finalizers ?? [];
    try {
      await setFinalizers(binding, [...others, finalizers.appClusterBindingCleanup], within);
    } catch (error) {
      if (!isKubeError(error, 'KUBE_FORBIDDEN')) throw error;
      await tell(binding, [notLetIn(binding)], within);
      return { requeueAfter: notLetInMs };
    }
  }

  /** What is in the root namespace that the backend may read there only; undefined until it was read. */
  async function lookInRoot(
    key: string,
    binding: StoredBinding,
    root: Root,
    within: AbortSignal,
  ): Promise<InRoot | undefined> {
    if (root.verdict !== 'use' || !rights.isMarked(root.namespace)) return { copy: () => undefined };
    const { deletionTimestamp, ...metadata } = root.namespace.metadata;
    if (deletionTimestamp) return { copy: () => undefined };
    await rights.ensure(metadata, { signal: within });
    const place = { namespace: root.name, name: binding.spec.kubeconfigSecretRef.name };
    const deployment = { namespace: root.name, name: controlPlaneKonnectorName(binding.metadata.name) };
    const [copy, konnector] = [copies.follow(key, place), deployments.follow(key, deployment)];
    if (!copy.hasSynced || !konnector.hasSynced) return undefined;
    return { copy: (ref) => copy.cache.get(ref), deployment: konnector.cache.get(deployment) };
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
  const konnectorRef = { namespace: root.name, name: controlPlaneKonnectorName(binding.metadata.name) };
  const konnector = {
    deployment: await client.resource(Deployments).find(konnectorRef, { signal }),
    account: view.find(ServiceAccounts, { namespace: root.name, name: controlPlane.binder }),
  };
  return { binding, root, instances, bindings, namespaces, konnector, legacy: { role, roleBinding } };
}
