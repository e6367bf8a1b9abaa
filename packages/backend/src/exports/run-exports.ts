import { type APIServiceExport, APIServiceExports, CustomResourceDefinitions } from '@klutch/api';
import {
  type Controller,
  informerSource,
  isKubeError,
  keyOf,
  type Namespace,
  Namespaces,
  type ReconcileContext,
  type ReconcileResult,
  refOf,
  runController,
} from '@klutch/kube';
import { excusing } from '../objects/excusing.ts';
import { patchStatus } from '../objects/patch-status.ts';
import { releasing } from '../objects/releasing.ts';
import type { ControllerDeps } from '../process/controller-deps.ts';
import type { CompleteCatalogue } from '../templates/catalogue.ts';
import { tenantOf } from '../templates/tenant-of.ts';
import { catalogueSource } from '../templates/catalogue-source.ts';
import { afterRefusal, decide, type ExportPatch, type Seen } from './decide.ts';
import type { ExportSettings } from './new-export.ts';
import { type SourceApi, sourceApi } from './source-api.ts';

export interface ExportsDeps extends ControllerDeps {
  readonly catalogue: CompleteCatalogue;
  readonly options: Pick<ExportSettings, 'isolation'>;
}

/** Keeps every APIServiceExport in step with its CRD and its template. */
export function runExports(deps: ExportsDeps): Controller {
  const { client, informers, catalogue, options, rights, clock, signal } = deps;
  const exportClient = client.resource(APIServiceExports);
  const crdClient = client.resource(CustomResourceDefinitions);
  const exports = informers.acquire({
    type: APIServiceExports,
    indexes: {
      byName: ({ metadata }) => [metadata.name ?? ''],
      byNamespace: ({ metadata }) => [metadata.namespace ?? ''],
    },
  });
  const crds = informers.acquire({ type: CustomResourceDefinitions });
  const namespaces = informers.acquire({ type: Namespaces, metadataOnly: true });
  const read = createReader();

  const keysBy = (index: 'byName' | 'byNamespace', value: string | undefined) =>
    exports.informer.cache.byIndex(index, value ?? '').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  const controller = runController({
    name: 'exports',
    workers: 4,
    laneOf: (key) => refOf(key).namespace ?? '',
    timeoutMs: 60_000,
    sources: [
      informerSource(exports.informer),
      informerSource(crds.informer, ({ metadata }) => keysBy('byName', metadata.name)),
      informerSource(namespaces.informer, ({ metadata }) => keysBy('byNamespace', metadata.name)),
      catalogueSource(catalogue, (name) => keysBy('byName', name)),
    ],
    reconcile,
    signal,
    log: deps.log,
    metrics: deps.metrics,
    clock,
  });
  return releasing(controller, exports, crds, namespaces);

  async function reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | void> {
    const found = exports.informer.cache.getByKey(key);
    if (found === undefined) return;
    const clusterNamespace = namespaces.informer.cache.get({ name: found.metadata.namespace ?? '' });
    if (clusterNamespace === undefined) return { requeueAfter: behindMs };
    // Not of an app cluster of this backend.
    if (!rights.isMarked(clusterNamespace)) return;
    const seen = see(found, clusterNamespace);
    const decision = decide(seen);
    if (decision.is === 'gone') return removeIfGone(found, context);
    let current = found;
    let { conditions } = decision;
    let again: ReconcileResult | undefined;
    if (decision.patch) {
      const outcome = await patchExport(found, decision.patch, context.signal);
      if (typeof outcome === 'string') {
        conditions = afterRefusal(seen, outcome);
        again = { requeueAfter: refusedMs };
      } else current = outcome;
    }
    if (conditions) await patchStatus(exportClient, current, { conditions }, context.signal);
    return again;
  }

  function see(found: APIServiceExport, clusterNamespace: Namespace): Seen {
    const { group, names } = found.spec;
    const api = { group, resource: names.plural };
    const tenant = tenantOf(clusterNamespace);
    return {
      export: found,
      source: read(found.metadata.name ?? ''),
      verdict: catalogue.find(api, tenant),
      withdrawal: catalogue.withdrawal(api, tenant),
      isolation: options.isolation,
      now: clock.date(),
    };
  }

  /** The message when the server refuses the content. */
  async function patchExport(
    { metadata: { uid, resourceVersion, name = '', namespace } }: APIServiceExport,
    { metadata, spec }: ExportPatch,
    until: AbortSignal,
  ): Promise<APIServiceExport | string> {
    const patch = { metadata: { ...metadata, uid, resourceVersion }, spec };
    try {
      return await exportClient.patch({ name, namespace }, { type: 'merge', patch }, { signal: until });
    } catch (error) {
      if (isKubeError(error, 'KUBE_INVALID')) return `The export cannot follow its CRD: ${error.message}`;
      throw error;
    }
  }

  /** That a cache has no CRD proves nothing; the server is asked. */
  async function removeIfGone(
    { metadata }: APIServiceExport,
    context: ReconcileContext,
  ): Promise<ReconcileResult | void> {
    const { name = '', namespace, uid } = metadata;
    if (await crdClient.find({ name }, { signal: context.signal })) return { requeueAfter: behindMs };
    context.log.info({ export: keyOf({ name, namespace }) }, 'CRD is gone, its export goes too');
    const deletion = exportClient.delete({ name, namespace }, { preconditions: { uid }, signal: context.signal });
    await excusing(deletion, 'KUBE_NOT_FOUND');
  }

  /** All tenants of an API share its CRD, whose digest takes longer than all the rest. */
  function createReader(): (name: string) => SourceApi | undefined {
    const known = new Map<string, { readonly version: string; readonly source: SourceApi }>();
    return (name) => {
      const crd = crds.informer.cache.get({ name });
      if (crd === undefined) return void known.delete(name);
      const version = `${crd.metadata.uid}/${crd.metadata.resourceVersion}`;
      const before = known.get(name);
      if (before?.version === version) return before.source;
      const source = sourceApi(crd);
      known.set(name, { version, source });
      return source;
    };
  }
}

/** The watch tells a moment later. */
const behindMs = 1_000;
/** A change of CRD or template is noticed anyway; this is for what else the server may have disliked. */
const refusedMs = 300_000;
