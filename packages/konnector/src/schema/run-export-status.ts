import { type APIServiceExport, APIServiceExports } from '@klutch/api';
import {
  type Controller,
  type Informer,
  informerSource,
  isKubeError,
  type ReconcileContext,
  runController,
} from '@klutch/kube';
import { createLinkQueue } from '../link/link-queue.ts';
import type { Link, Running } from '../link/link.ts';
import { type Consumer, exportStatusPatch } from './export-status.ts';

export interface ExportStatus extends Running {
  /** States what the app cluster has of an export; undefined when no binding uses it. */
  consumer(name: string, consumer: Consumer | undefined): void;
}

/** Shows the state of the app cluster on the exports of a link. A control plane that is away delays nothing else. */
export function runExportStatus(link: Link, informer: Informer<APIServiceExport>, signal: AbortSignal): ExportStatus {
  const namespace = link.tenant.clusterNamespace;
  const client = link.controlPlane.client.resource(APIServiceExports);
  /** Undefined: no binding uses the export, which may have to be told. */
  const consumers = new Map<string, Consumer | undefined>();

  const controller: Controller = runController({
    name: 'export-status',
    sources: [informerSource(informer, ({ metadata }) => [metadata.name ?? ''])],
    workers: 2,
    queue: createLinkQueue(link, { name: 'export-status', backoff: { baseMs: 20, capMs: 60_000 } }),
    reconcile,
    signal,
    log: link.log,
    metrics: link.metrics.controller,
    clock: link.clock,
  });

  async function reconcile(name: string, context: ReconcileContext): Promise<void> {
    const apiExport = informer.cache.get({ namespace, name });
    // Before anybody said anything, what is there stays.
    if (!consumers.has(name)) return;
    const consumer = consumers.get(name);
    const status = apiExport && exportStatusPatch(apiExport, consumer, link.clock.date());
    if (apiExport === undefined || status === undefined) {
      if (consumer === undefined) consumers.delete(name);
      return;
    }
    const { uid, resourceVersion } = apiExport.metadata;
    try {
      link.metrics.wrote('control-plane', 'schema', 'patch');
      const answer = await client.patch(
        { namespace, name },
        { type: 'merge', patch: { metadata: { uid, resourceVersion }, status } },
        { subresource: 'status', signal: context.signal },
      );
      informer.learn(answer);
    } catch (error) {
      if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
    }
  }

  return {
    ready: controller.ready,
    stopped: controller.stopped,
    consumer: (name, consumer) => {
      consumers.set(name, consumer);
      controller.enqueue(name);
    },
  };
}
