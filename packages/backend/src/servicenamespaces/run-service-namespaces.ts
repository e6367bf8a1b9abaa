import {
  type APIServiceNamespace,
  APIServiceNamespaces,
  APIServiceExports,
  controlPlane as names,
  finalizers,
  type InformerScope,
} from '@klutch/api';
import {
  type Controller,
  informerSource,
  isKubeError,
  type Namespace,
  Namespaces,
  type ReconcileContext,
  type ReconcileResult,
  refOf,
  runController,
} from '@klutch/kube';
import { rulesOf } from '../clusterbindings/decide.ts';
import { grantingExports } from '../exports/granting-exports.ts';
import { ensureRoleBinding } from '../grants/role-bindings.ts';
import { ensureRole } from '../grants/roles.ts';
import { excusing } from '../objects/excusing.ts';
import { patchStatus } from '../objects/patch-status.ts';
import { RoleBindings, Roles } from '../objects/rbac.ts';
import { releasing } from '../objects/releasing.ts';
import type { ControllerDeps } from '../process/controller-deps.ts';
import type { Quotas } from '../process/options.ts';
import type { CompleteCatalogue } from '../templates/catalogue.ts';
import { catalogueSource } from '../templates/catalogue-source.ts';
import { afterFailure, type Decision, decide, type Seen, type Step } from './decide.ts';
import { objectsLeft, typesToLookFor } from './objects-left.ts';
import { createOccupancy } from './occupancy.ts';
import { placeNames } from './place.ts';

export interface ServiceNamespacesDeps extends ControllerDeps {
  readonly catalogue: Pick<CompleteCatalogue, 'all' | 'withdrawal' | 'onChange' | 'synced'>;
  readonly options: {
    readonly consumerScope: InformerScope;
    readonly quotas: Pick<Quotas, 'namespacesPerCluster'>;
  };
}

/** Gives every APIServiceNamespace its namespace, and takes it away when that does no harm. */
export function runServiceNamespaces(deps: ServiceNamespacesDeps): Controller {
  const { client, informers, catalogue, options, rights, clock, signal } = deps;
  const mappingClient = client.resource(APIServiceNamespaces);
  const namespaceClient = client.resource(Namespaces);
  const mappings = informers.acquire({
    type: APIServiceNamespaces,
    indexes: {
      byPlace: ({ metadata }) => Object.values(placeNames(refOfMapping(metadata))),
      byEndIn: ({ metadata }) => (metadata.deletionTimestamp === undefined ? [] : [metadata.namespace ?? '']),
      byCluster: ({ metadata }) => [metadata.namespace ?? ''],
    },
  });
  const namespaces = informers.acquire({ type: Namespaces, metadataOnly: true });
  const exports = informers.acquire({
    type: APIServiceExports,
    indexes: {
      byNamespace: ({ metadata }) => [metadata.namespace ?? ''],
      byName: ({ metadata }) => [metadata.name ?? ''],
    },
  });
  /** In the scope of the cluster no rights are needed in the namespaces. */
  const granted =
    options.consumerScope === 'Namespaced'
      ? {
          roles: informers.acquire({ type: Roles, fieldSelector: `metadata.name=${names.binder}` }),
          bindings: informers.acquire({ type: RoleBindings, fieldSelector: `metadata.name=${names.binder}` }),
        }
      : undefined;
  const occupancy = createOccupancy(namespaces.informer, clock);

  const keysBy = (index: 'byPlace' | 'byEndIn' | 'byCluster', value: string | undefined) =>
    mappings.informer.cache.byIndex(index, value ?? '').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  const controller = runController({
    name: 'servicenamespaces',
    workers: 8,
    laneOf: (key) => refOf(key).namespace ?? '',
    timeoutMs: 60_000,
    backoff: { baseMs: 100, capMs: 60_000 },
    sources: [
      informerSource(mappings.informer),
      informerSource(namespaces.informer, ({ metadata }) => [
        ...keysBy('byPlace', metadata.name),
        ...keysBy(rights.isMarked({ metadata }) ? 'byCluster' : 'byEndIn', metadata.name),
      ]),
      informerSource(exports.informer, ({ metadata }) => keysBy('byCluster', metadata.namespace)),
      ...(granted
        ? [
            informerSource(granted.roles.informer, ({ metadata }) => keysBy('byPlace', metadata.namespace)),
            informerSource(granted.bindings.informer, ({ metadata }) => keysBy('byPlace', metadata.namespace)),
          ]
        : []),
      catalogueSource(catalogue, (name) =>
        exports.informer.cache
          .byIndex('byName', name)
          .flatMap(({ metadata }) => keysBy('byCluster', metadata.namespace)),
      ),
    ],
    reconcile,
    signal,
    log: deps.log,
    metrics: deps.metrics,
    clock,
  });
  return releasing(
    controller,
    { release: () => occupancy.stop() },
    mappings,
    namespaces,
    exports,
    granted?.roles,
    granted?.bindings,
  );

  async function reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | void> {
    const mapping = mappings.informer.cache.getByKey(key);
    if (mapping === undefined) return;
    const clusterNamespace = namespaces.informer.cache.get({ name: mapping.metadata.namespace ?? '' });
    if (clusterNamespace === undefined) return { requeueAfter: behindMs };
    // Whoever asks in another namespace is not an app cluster of this backend.
    if (!rights.isMarked(clusterNamespace)) return;
    // Where everything goes nothing can be granted; what is left to do there needs no rights of the namespace.
    const isEnding = clusterNamespace.metadata.deletionTimestamp !== undefined;
    if (!isEnding) await rights.ensure(clusterNamespace.metadata, { signal: context.signal });
    const seen = see(mapping, clusterNamespace);
    try {
      return await carryOut(seen, decide(seen), context);
    } catch (error) {
      await explain(seen, error, context);
      throw error;
    }
  }

  function see(mapping: APIServiceNamespace, clusterNamespace: Namespace): Seen {
    const place = placeNames(refOfMapping(mapping.metadata));
    const cache = namespaces.informer.cache;
    return {
      mapping,
      clusterNamespace,
      mark: rights.mark,
      places: { own: cache.get({ name: place.own }), go: cache.get({ name: place.go }) },
      quota: {
        used: occupancy.used(mapping.metadata.namespace ?? '', place.own),
        limit: options.quotas.namespacesPerCluster,
      },
      now: clock.date(),
    };
  }

  async function carryOut(seen: Seen, decision: Decision, context: ReconcileContext): Promise<ReconcileResult | void> {
    let mapping = seen.mapping;
    reserve(decision, mapping);
    for (const step of decision.steps) {
      if (step.do === 'look inside') return lookInside(seen, step.namespace, context);
      if (step.do === 'confirm') return confirm(seen, context);
      const outcome = await act(step, mapping, context);
      if (outcome === 'behind') return { requeueAfter: behindMs };
      mapping = outcome;
    }
    if (decision.status) await patchStatus(mappingClient, mapping, decision.status, context.signal);
    return decision.againMs === undefined ? undefined : { requeueAfter: decision.againMs };
  }

  /** Before anything is awaited: what others decide meanwhile has to count what this one is about to make. */
  function reserve({ steps }: Decision, { metadata }: APIServiceNamespace): void {
    for (const step of steps) {
      if (step.do === 'create') occupancy.reserve(metadata.namespace ?? '', step.namespace.metadata.name ?? '');
    }
  }

  /** The mapping as it is afterwards; `behind` when the server is ahead of the caches. */
  async function act(
    step: Exclude<Step, { do: 'look inside' | 'confirm' }>,
    mapping: APIServiceNamespace,
    { log, signal }: ReconcileContext,
  ): Promise<APIServiceNamespace | 'behind'> {
    const clusterNamespace = mapping.metadata.namespace ?? '';
    switch (step.do) {
      case 'hold':
        return setFinalizers(mapping, [...others(mapping), finalizers.serviceNamespace], signal);
      case 'release':
        log.info({ namespace: clusterNamespace, name: mapping.metadata.name }, 'service namespace is gone');
        await setFinalizers(mapping, others(mapping), signal);
        return mapping;
      case 'create':
        return (await create(step.namespace, clusterNamespace, signal)) ? mapping : 'behind';
      case 'mark':
        await mark(step.namespace, step.metadata, signal);
        return mapping;
      case 'grant':
        await grant(step.namespace, clusterNamespace, signal);
        return mapping;
      case 'delete':
        log.info({ serviceNamespace: step.namespace.metadata.name }, 'service namespace is removed');
        await remove(step.namespace, signal);
        return mapping;
    }
  }

  async function lookInside(seen: Seen, namespace: string, context: ReconcileContext): Promise<ReconcileResult | void> {
    const exported = exports.informer.cache.byIndex('byNamespace', seen.mapping.metadata.namespace ?? '');
    const offered = catalogue.all().map(({ crd }) => crd);
    const left = await objectsLeft(client, typesToLookFor(exported, offered), namespace, context.signal);
    const looked = { ...seen, left };
    return carryOut(looked, decide(looked), context);
  }

  /** That the caches have no place proves nothing; the server is asked. */
  async function confirm(seen: Seen, context: ReconcileContext): Promise<ReconcileResult | void> {
    const place = placeNames(refOfMapping(seen.mapping.metadata));
    const find = (name: string) => namespaceClient.find({ name }, { signal: context.signal });
    const [own, go] = await Promise.all([find(place.own), find(place.go)]);
    const confirmed = { ...seen, places: { own, go }, isConfirmed: true };
    return carryOut(confirmed, decide(confirmed), context);
  }

  function setFinalizers(
    { metadata: { uid, resourceVersion, name = '', namespace } }: APIServiceNamespace,
    wanted: readonly string[],
    signal: AbortSignal,
  ): Promise<APIServiceNamespace> {
    const patch = { metadata: { uid, resourceVersion, finalizers: wanted } };
    return mappingClient.patch({ name, namespace }, { type: 'merge', patch }, { signal });
  }

  async function create(namespace: Namespace, clusterNamespace: string, signal: AbortSignal): Promise<boolean> {
    try {
      await namespaceClient.create(namespace, { signal });
      return true;
    } catch (error) {
      occupancy.cancel(clusterNamespace, namespace.metadata.name ?? '');
      if (isKubeError(error, 'KUBE_ALREADY_EXISTS')) return false;
      throw error;
    }
  }

  async function mark({ metadata }: Namespace, marks: object, signal: AbortSignal): Promise<void> {
    const { uid, resourceVersion, name = '' } = metadata;
    const patch = { metadata: { uid, resourceVersion, ...marks } };
    await namespaceClient.patch({ name }, { type: 'merge', patch }, { signal });
  }

  async function grant(namespace: string, clusterNamespace: string, signal: AbortSignal): Promise<void> {
    if (granted === undefined) return;
    // One that was just made is not in the cache yet.
    const { uid } = namespaces.informer.cache.get({ name: namespace })?.metadata ?? {};
    await rights.ensure({ name: namespace, uid }, { signal });
    const ref = { namespace, name: names.binder };
    const cluster = namespaces.informer.cache.get({ name: clusterNamespace });
    const exported = exports.informer.cache.byIndex('byNamespace', clusterNamespace);
    const rules = rulesOf(grantingExports(exported, cluster, catalogue), options.consumerScope);
    await ensureRole(client, { ...ref, rules }, { seen: granted.roles.informer.cache.get(ref), signal });
    const seen = granted.bindings.informer.cache.get(ref);
    await ensureRoleBinding(client, { namespace, clusterNamespace }, { seen, signal });
  }

  async function remove({ metadata: { name = '', uid } }: Namespace, signal: AbortSignal): Promise<void> {
    await excusing(namespaceClient.delete({ name }, { preconditions: { uid }, signal }), 'KUBE_NOT_FOUND');
  }

  /** A failure that lasts is told to whoever looks at the mapping; one that a cache behind the server explains is not. */
  async function explain(seen: Seen, error: unknown, { attempt, log, signal }: ReconcileContext): Promise<void> {
    const isPassing = attempt < 2 || signal.aborted || isKubeError(error, 'KUBE_CONFLICT');
    if (isPassing || !(error instanceof Error)) return;
    try {
      const current = await mappingClient.find(refOfMapping(seen.mapping.metadata), { signal });
      if (current === undefined || current.metadata.uid !== seen.mapping.metadata.uid) return;
      const status = afterFailure({ ...seen, mapping: current }, error.message);
      if (status) await patchStatus(mappingClient, current, status, signal);
    } catch (cause) {
      // The first failure is the one to report, and is tried again.
      log.debug({ err: cause }, 'failure could not be written into the status');
    }
  }
}

function refOfMapping({ name = '', namespace }: APIServiceNamespace['metadata']): { name: string; namespace?: string } {
  return { name, namespace };
}

function others({ metadata }: APIServiceNamespace): readonly string[] {
  return (metadata.finalizers ?? []).filter((finalizer) => finalizer !== finalizers.serviceNamespace);
}

/** A watch tells a moment later. */
const behindMs = 500;
