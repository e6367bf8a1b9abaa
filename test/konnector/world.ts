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
import { type Link, noMetrics } from '@klutch/konnector/parts';
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
  /** Answer of `setBack`. */
  readonly setBack?: () => string | undefined;
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
      setBack: options.setBack ?? (() => undefined),
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
