import {
  type ClusterConfig,
  connect,
  createEventRecorder,
  createSharedInformers,
  type Interceptor,
  type KubeClient,
  type Logger,
  parseKubeconfig,
  silentLogger,
  systemClock,
} from '@klutch/kube';
import { createLine, type Line, type Link, type Mark, noLine, noMetrics } from '@klutch/konnector/parts';
import type { AppSide } from './app-side.ts';
import { type KonnectorRights, openAsKonnector, refuseAdministrator } from './konnector-rights.ts';
import { type RecordedWrite, recordWrites } from './recorded-writes.ts';
import type { TestTenant } from './tenant.ts';

export { type AppSide, openAppSide, widget } from './app-side.ts';
export {
  installCrd,
  openOwnCluster,
  releasedBindingKind,
  stayQuiet,
  type TestCluster,
  unique,
} from './clusters.ts';
export { type Door, doorTo } from './door.ts';
export { type Clusters, onBothTiers } from './on-both-tiers.ts';
export { type RecordedWrite, recordWrites } from './recorded-writes.ts';
export { type SampleApi, sampleApi } from './sample-api.ts';
export { createTenant, type TestTenant } from './tenant.ts';

/** A link with real clients, for tests of one part of the konnector. */
export interface TestLink {
  readonly link: Link;
  readonly writes: readonly RecordedWrite[];
  /** Ends what runs on the link when `signal` is given to it. */
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

export interface TestLinkOptions extends KonnectorRights {
  readonly log?: Logger;
  readonly appInterceptors?: readonly Interceptor[];
  readonly controlPlaneInterceptors?: readonly Interceptor[];
  /** Whether the app cluster has lost its mark, as one does that is restored from a backup of before. */
  readonly isSetBack?: boolean;
  /** Whether the app cluster keeps a mark. Default true. */
  readonly hasMark?: boolean;
  /** Pretends to be another app cluster. */
  readonly appClusterId?: string;
}

/**
 * Connects an app cluster with a tenant: above as that tenant, below as a user with exactly the generated roles, and on
 * neither side with more rights.
 */
export async function openLink(app: AppSide, tenant: TestTenant, options: TestLinkOptions = {}): Promise<TestLink> {
  const { log = silentLogger } = options;
  const stop = new AbortController();
  const writes: RecordedWrite[] = [];
  const appClient = await openAsKonnector(app, options, [
    recordWrites('app', writes),
    ...(options.appInterceptors ?? []),
  ]);
  const config: ClusterConfig = parseKubeconfig(await tenant.kubeconfig(), { source: 'the tenant', trust: 'foreign' });
  await refuseAdministrator(config);
  const controlPlaneClient: KubeClient = connect(config, {
    userAgent: 'klutch-konnector/test',
    interceptors: [recordWrites('control-plane', writes), ...(options.controlPlaneInterceptors ?? [])],
  });
  const appInformers = createSharedInformers(appClient, stop.signal);
  const controlPlaneInformers = createSharedInformers(controlPlaneClient, stop.signal);
  const events = createEventRecorder({ client: appClient, component: 'klutch-konnector', signal: stop.signal, log });
  return {
    writes,
    signal: stop.signal,
    link: {
      name: `${app.bindingNamespace}/kubeconfig-test`,
      app: { client: appClient, informers: appInformers },
      controlPlane: { client: controlPlaneClient, informers: controlPlaneInformers },
      tenant: { clusterNamespace: tenant.clusterNamespace, uid: tenant.uid },
      appClusterId: options.appClusterId ?? app.cluster.id,
      appLine: appLineOf(app, options),
      controlPlaneLine: lineOf(tenant.uid),
      orphansMayGo: () => false,
      events,
      clock: systemClock,
      log,
      metrics: noMetrics,
    },
    close: async () => {
      stop.abort();
      await Promise.all([appInformers.stopped, controlPlaneInformers.stopped, events.stopped]);
      await Promise.all([appClient.close(), controlPlaneClient.close()]);
    },
  };
}

/** Marks of clusters, by identity: parts are tested without those who write them to the clusters. */
const marks = new Map<string, Mark>();

function appLineOf({ cluster }: AppSide, { isSetBack, hasMark = true }: TestLinkOptions): Line {
  if (!hasMark) return noLine;
  return lineOf(isSetBack ? `${cluster.id} before` : cluster.id);
}

/** The line of a cluster, for whoever begins to work with it now. */
export function lineOf(cluster: string): Line {
  return createLine({
    carrier: {
      read: async () => marks.get(cluster),
      write: async (change) => void marks.set(cluster, change(marks.get(cluster))),
    },
    relist: async () => {},
    log: silentLogger,
    found: marks.get(cluster),
  });
}
