import {
  apiName,
  type APIServiceExport,
  type APIServiceExportRequest,
  APIServiceExportRequests,
  APIServiceExports,
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
import { type ExportSettings, newExport } from '../exports/new-export.ts';
import { sourceApi } from '../exports/source-api.ts';
import { excusing } from '../objects/excusing.ts';
import { patchStatus } from '../objects/patch-status.ts';
import { releasing } from '../objects/releasing.ts';
import type { ControllerDeps } from '../process/controller-deps.ts';
import type { Catalogue } from '../templates/catalogue.ts';
import { catalogueSource } from '../templates/catalogue-source.ts';
import { tenantOf } from '../templates/tenant-of.ts';
import { afterRefusal, type Decision, decide, isPending, type Seen, type SeenApi } from './decide.ts';

export interface ExportRequestsDeps extends ControllerDeps {
  readonly catalogue: Catalogue;
  readonly options: ExportSettings;
}

/**
 * Answers every APIServiceExportRequest. This is where it is decided what a tenant may have: requests arrive through the
 * Kubernetes API, whoever made them.
 */
export function runExportRequests(deps: ExportRequestsDeps): Controller {
  const { client, informers, catalogue, options, rights, clock, signal } = deps;
  const requestClient = client.resource(APIServiceExportRequests);
  const exportClient = client.resource(APIServiceExports);
  const requests = informers.acquire({
    type: APIServiceExportRequests,
    indexes: {
      byPendingApi: (request) => (isPending(request) ? request.spec.resources.map(apiName) : []),
      byPendingIn: (request) => (isPending(request) ? [request.metadata.namespace ?? ''] : []),
    },
  });
  const exports = informers.acquire({ type: APIServiceExports });
  const namespaces = informers.acquire({ type: Namespaces, metadataOnly: true });

  const keysBy = (index: 'byPendingApi' | 'byPendingIn', value: string) =>
    requests.informer.cache.byIndex(index, value).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  const waitingFor = (name: string) => keysBy('byPendingApi', name);
  const pendingIn = (namespace: string) => keysBy('byPendingIn', namespace);
  const controller = runController({
    name: 'exportrequests',
    workers: 4,
    laneOf: (key) => refOf(key).namespace ?? '',
    timeoutMs: 60_000,
    backoff: { baseMs: 100, capMs: 30_000 },
    sources: [
      informerSource(requests.informer),
      informerSource(exports.informer, ({ metadata }) => waitingFor(metadata.name ?? '')),
      // Those of an app cluster that was just adopted.
      informerSource(namespaces.informer, (one) => (rights.isMarked(one) ? pendingIn(one.metadata.name ?? '') : [])),
      catalogueSource(catalogue, waitingFor),
    ],
    reconcile,
    signal,
    log: deps.log,
    metrics: deps.metrics,
    clock,
  });
  return releasing(controller, requests, exports, namespaces);

  async function reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | void> {
    const request = requests.informer.cache.getByKey(key);
    if (request === undefined) return;
    const clusterNamespace = namespaces.informer.cache.get({ name: request.metadata.namespace ?? '' });
    if (clusterNamespace === undefined) return { requeueAfter: behindMs };
    // Not of an app cluster of this backend.
    if (!rights.isMarked(clusterNamespace)) return;
    if (clusterNamespace.metadata.deletionTimestamp !== undefined) return;
    const seen = see(request, clusterNamespace);
    return carryOut(seen, decide(seen), context);
  }

  async function carryOut(seen: Seen, decision: Decision, context: ReconcileContext): Promise<ReconcileResult | void> {
    if (decision.remove) return remove(seen.request, context.signal);
    for (const wanted of decision.create) {
      const obstacle = await create(wanted, context);
      if (obstacle === 'exists') return { requeueAfter: behindMs };
      if (obstacle)
        return carryOut(
          seen,
          afterRefusal(seen, wanted.metadata.name ?? '', obstacle.message, obstacle.isFinal),
          context,
        );
    }
    if (decision.status) await patchStatus(requestClient, seen.request, decision.status, context.signal);
    return decision.againMs === undefined ? undefined : { requeueAfter: Math.max(1, decision.againMs) };
  }

  function see(request: APIServiceExportRequest, clusterNamespace: Namespace): Seen {
    const byName = new Map(request.spec.resources.map((resource) => [apiName(resource), resource]));
    const judged = isPending(request) ? [...byName] : [];
    return {
      request,
      apis: judged.map(([name, resource]) => seeApi(name, resource, clusterNamespace)),
      now: clock.date(),
    };
  }

  function seeApi(
    name: string,
    api: { readonly group?: string; readonly resource: string },
    clusterNamespace: Namespace,
  ): SeenApi {
    const namespace = clusterNamespace.metadata.name ?? '';
    const existing = exports.informer.cache.get({ namespace, name });
    const state = existing && (existing.metadata.deletionTimestamp === undefined ? 'there' : 'ending');
    return { name, ...(state ? { existing: state } : {}), outcome: outcomeOf(api, clusterNamespace) };
  }

  function outcomeOf(
    api: { readonly group?: string; readonly resource: string },
    clusterNamespace: Namespace,
  ): SeenApi['outcome'] {
    const offer = catalogue.find(api, tenantOf(clusterNamespace));
    if (typeof offer === 'string') return { is: 'refused', refusal: offer };
    const source = sourceApi(offer.crd);
    if (source.problem !== undefined) return { is: 'invalid', problem: source.problem };
    return { is: 'offered', wanted: newExport(offer, source, clusterNamespace.metadata.name ?? '', options) };
  }

  /** Undefined when it was created. */
  async function create(
    wanted: APIServiceExport,
    { log, signal }: ReconcileContext,
  ): Promise<{ readonly message: string; readonly isFinal: boolean } | 'exists' | undefined> {
    try {
      await exportClient.create(wanted, { signal });
      log.info({ namespace: wanted.metadata.namespace, name: wanted.metadata.name }, 'API exported');
      return undefined;
    } catch (error) {
      // The cache was a moment behind.
      if (isKubeError(error, 'KUBE_ALREADY_EXISTS')) return 'exists';
      if (isKubeError(error, 'KUBE_INVALID')) return { message: error.message, isFinal: true };
      if (isKubeError(error, 'KUBE_FORBIDDEN')) return { message: error.message, isFinal: false };
      throw error;
    }
  }

  async function remove({ metadata }: APIServiceExportRequest, signal: AbortSignal): Promise<void> {
    const { name = '', namespace, uid } = metadata;
    await excusing(requestClient.delete({ name, namespace }, { preconditions: { uid }, signal }), 'KUBE_NOT_FOUND');
  }
}

/** A watch tells a moment later. */
const behindMs = 500;
